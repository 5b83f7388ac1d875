"""Conformance cases of Dou Dizhu, each driven through a deal of the real rules from its auction on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from junto.games.actions import Bid, Pass
from junto.games.cards import Card
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.climbing import ClimbingCases, action_of, cards_of_ranks
from junto.games.conformance.driving import after, is_legal
from junto.games.dou_dizhu import PLAYERS, DouDizhu
from junto.games.view import DouDizhuDetails, Outcome, Phase

_ROCKET: Final = "BR"
_FOURS: Final = tuple(4 * rank for rank in RANKS[3:13])
_LOW: Final = "3"


class DouDizhuCases(ClimbingCases):
    """The cases of Dou Dizhu."""

    seats = PLAYERS

    def leading(
        self, case: Case, hands: Sequence[Sequence[Card]], leader: int, finished: Sequence[int] = ()
    ) -> ClimbingDeal:
        """Return a deal whose play begins, see `ClimbingCases.leading`: a landlord leads; nobody can be out."""
        assert not finished
        return _landlord(case, hands, leader, 1)

    def named(self, combination: Combination) -> Answer:
        """Return its type, its key and its length."""
        kind = "rocket" if combination.kind is Kind.JOKER_BOMB else combination.kind.name.lower()
        return {"type": kind, "key": RANKS[combination.key], "len": combination.length}

    def bid(self, case: Case) -> Answer:
        """Say how an auction stands after some calls, or which of them is the first that the rules forbid."""
        deal = _dealt(case, [cards_of_ranks(_LOW)] * PLAYERS, case.given["first_bidder"])
        for place, amount in enumerate(case.given["calls"]):
            call = Bid(amount) if amount else Pass()
            if not is_legal(deal, call):
                return {"illegal_at": place}
            deal = after(deal, call)
        contract, prompt = deal.shared.contract, deal.prompt
        if contract is not None:
            return {"status": "landlord", "landlord": contract.declarer, "bid": contract.bid.amount}
        if prompt is None:
            assert deal.shared.result is not None
            assert deal.shared.result.outcome is Outcome.VOID
            return {"status": "void"}
        bids = [bid.amount for bid in prompt.choices.bids]
        return {"status": "open", "to_act": prompt.seat, "legal": [0] * prompt.choices.passing + bids}

    def score(self, case: Case) -> Answer:
        """Say what a deal is worth in which so many plays and bombs were made."""
        given = case.given
        plays = _plays(case)
        hands = [
            cards_of_ranks("".join(play for player, play in plays if player == seat) + _LOW * (seat != plays[-1][0]))
            for seat in range(PLAYERS)
        ]
        deal = _landlord(case, hands, given["landlord"], given["bid"])
        for seat, play in plays:
            while deal.to_act != seat:
                deal = after(deal, Pass())
            deal = after(deal, action_of(play, deal.hand))
        details = deal.shared.details
        assert deal.scores is not None
        assert isinstance(details, DouDizhuDetails)
        assert details.spring is not None
        spring = details.spring.name.lower()
        return {"spring": spring, "multiplier": details.multiplier, "scores": list(deal.scores)}


_CASES: Final = DouDizhuCases()
ADAPTER: Final[Adapter] = {**_CASES.adapter, "bid": _CASES.bid, "score": _CASES.score}


def _dealt(case: Case, hands: Sequence[Sequence[Card]], dealer: int) -> ClimbingDeal:
    deal = DouDizhu(case.options).deal_hands(1, hands, (), dealer).deal
    assert isinstance(deal, ClimbingDeal)
    return deal


def _landlord(case: Case, hands: Sequence[Sequence[Card]], landlord: int, bid: int) -> ClimbingDeal:
    """Return a deal after its auction; the kitty is empty, so that the landlord's hand stays as it is."""
    deal = after(_dealt(case, hands, landlord), Bid(bid))
    while deal.phase is Phase.AUCTION:
        deal = after(deal, Pass())
    return deal


def _plays(case: Case) -> list[tuple[int, str]]:
    """Return who plays what, so that a score case comes about: no play but the last is its seat's last card.

    Each seat plays all that it plays in a row, the landlord first; if he wins, his last play comes at the end. A seat
    that takes the lead beats what was the last single card with the next rank, or with a bomb. What a seat leads then
    are the other bombs, and threes.
    """
    given = case.given
    landlord, wins = given["landlord"], given["winner"] == "landlord"
    numbers = [given["landlord_plays"] - wins, *given["peasant_plays"], int(wins)]
    peasants = [seat for seat in range(PLAYERS) if seat != landlord]
    turns = [turn for turn in zip([landlord, *peasants, landlord], numbers, strict=True) if turn[1]]
    bombs = [*[_ROCKET] * given["rockets"], *_FOURS[: given["bombs"]]]
    plays = []
    for turn, ((seat, number), rank) in enumerate(zip(turns, RANKS, strict=False), 1):
        for place in range(number):
            is_beaten = place == number - 1 and turn < len(turns)
            plays.append((seat, bombs.pop() if bombs and not is_beaten else _LOW if place else rank))
    assert not bombs, "there are too few plays for so many bombs"
    return plays

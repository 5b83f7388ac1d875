"""Conformance cases of Baohuang, each driven through a deal of the real rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from junto.games.actions import AcceptOffer, DeclineOffer, Pass, PlayCards, ShowCards
from junto.games.baohuang.carried import owed_in
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.naming import COPIES, SHOWN
from junto.games.baohuang.offer import PLAYERS
from junto.games.baohuang.standing import points_of, stakes_of
from junto.games.cards import Card, parse_card
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.baohuang_setup import (
    TRIPLE,
    at_play,
    before_last_play,
    court_fields,
    dealt,
    game_of,
    offered,
    show_fields,
    suited,
)
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.climbing import ClimbingCases, cards_of_ranks, choices, course, ranks_of
from junto.games.conformance.driving import after, is_legal
from junto.games.view import Alliance, Outcome, Role

_RESULTS: Final = {Outcome.MADE: "emperor_side", Outcome.DRAWN: "draw", Outcome.DOWN: "rebels"}
_SEATS: Final = range(PLAYERS)
_LOW, _HIGH = "4", "R"


class BaohuangCases(ClimbingCases):
    """The cases of Baohuang's play."""

    seats = PLAYERS

    def leading(
        self, case: Case, hands: Sequence[Sequence[Card]], leader: int, finished: Sequence[int] = ()
    ) -> ClimbingDeal:
        """Return a deal in which `leader` begins a round, see `ClimbingCases.leading`."""
        named = case.given.get("named")
        named_card = None if named is None else parse_card(named)
        return at_play(game_of(case), hands, leader=leader, named=named_card, finished=finished)

    def named(self, combination: Combination) -> Answer:
        """Return a set's base, its size and its jokers."""
        base = RANKS[combination.key]
        return {"base": base, "size": combination.size, "small": combination.small, "big": combination.big}

    def standing(self, deal: ClimbingDeal) -> dict[str, Any]:
        """Return how a deal stands, and who was cleared by whom."""
        assert isinstance(deal, BaohuangDeal)
        cleared = [[clearing.seat, clearing.by_seat] for clearing in deal.details.clearings]
        return {**course(deal), "cleared": cleared}

    def legal_named(self, case: Case) -> Answer:
        """Count what a seat may do, when plays with more or fewer copies of the named card are different."""
        return choices(self.answering(case, suited(case.given["hand_cards"]), case.given["top"]))


def score(case: Case) -> Answer:
    """Say what a deal is worth."""
    game = game_of(case)
    deal = _ended(before_last_play(game, case.given))
    result = deal.shared.result
    assert result is not None
    points = -next(share.score for share in result.seats if share.role is Role.OPPONENT)
    # A seat's own place counts what an emperor's does who is alone.
    alone = [stakes_of(seat, None, Alliance.HIDDEN_SOLO) for seat in _SEATS]
    return {
        "result": _RESULTS[result.outcome],
        "team_scores": {"emperor_side": points, "rebels": -points},
        "place_points": [points_of(game.terms, stakes, case.given["order"]) for stakes in alone],
        "payout": [share.score for share in result.seats],
    }


def offer(case: Case) -> Answer:
    """Say who becomes emperor with which pot; those who can only decline are not among the `asked`."""
    deal, answers, asked = offered(case), iter(case.given["answers"]), []
    pot: tuple[Card, ...] = ()
    while not deal.is_over and not deal.shared.roles:
        pot, action = deal.details.pot, deal.default_action()
        if len(list(deal.legal_actions())) > 1:
            asked.append(deal.seat)
            action = AcceptOffer() if next(answers) == "accept" else DeclineOffer()
        deal = after(deal, action)
    if deal.is_over:
        return {"void": True, "asked": asked}
    sizes = [hand.size for hand in deal.shared.hands]
    return {"emperor": deal.emperor, "pot": ranks_of(pot), "sizes": sizes, "asked": asked}


def name(case: Case) -> Answer:
    """Say whether a hand qualifies, and what its emperor can show."""
    deal = dealt(game_of(case), [suited(case.given["hand"]), [], [], [], []], 0)
    if not is_legal(deal, AcceptOffer()):
        return {"qualified": False, "actions": []}
    shows = after(deal, AcceptOffer()).legal_actions()
    return {"qualified": True, "actions": sorted(show_fields(show) for show in shows if isinstance(show, ShowCards))}


def roles(case: Case) -> Answer:
    """Say who is the guard when cards are shown."""
    copies = {int(seat): number for seat, number in case.given["copies"].items()}
    deal = _shown(case, copies, case.given["shown"])
    return court_fields(deal.alliance, deal.guard)


def reveal(case: Case) -> Answer:
    """Say what everybody can conclude from the copies of the named card that were played."""
    played, emperor = case.given["named_played"], case.given["emperor"]
    copies: Counter[int] = Counter()
    for seat, number in played:
        copies[seat] += number
    copies[emperor] = max(SHOWN, copies[emperor])
    deal = _shown(case, copies, SHOWN)
    for seat, number in played:
        deal = _play_alone(_with_lead(deal, seat), PlayCards((TRIPLE,) * number))
    known = court_fields(deal.details.alliance, None)
    guards = (one.seat for one in deal.shared.roles if one.role is Role.PARTNER)
    return {"public": known["mode"] or "unknown", "guard": next(guards, None)}


def tribute(case: Case) -> Answer:
    """Say what changes hands at the start of the deal after a scored one."""
    game = game_of(case)
    last = _ended(before_last_play(game, case.given["previous"], case.given.get("cleared") or ()))
    match = game.after(game.new_match().opened(), last)
    deal = dealt(game, list(map(cards_of_ranks, case.given["hands"])), 0, owed_in(match))
    transfers = [[paid.from_seat, paid.to_seat, ranks_of([paid.card])] for paid in deal.details.tributes]
    return {"transfers": transfers, "hands_after": list(map(ranks_of, deal.hands))}


_PLAY: Final = BaohuangCases()
ADAPTER: Final[Adapter] = {
    **_PLAY.adapter,
    "legal_named": _PLAY.legal_named,
    "score": score,
    "offer": offer,
    "name": name,
    "roles": roles,
    "reveal": reveal,
    "tribute": tribute,
}


def _ended(deal: BaohuangDeal) -> BaohuangDeal:
    return after(deal, PlayCards(deal.hand))


def _shown(case: Case, copies: dict[int, int], count: int) -> BaohuangDeal:
    """Return a deal in which seats hold copies of a card, and the emperor has shown so many."""
    emperor = case.given["emperor"]
    hands = [(TRIPLE,) * copies.get(seat, 0) + cards_of_ranks((_LOW + _HIGH) * COPIES) for seat in _SEATS]
    return after(dealt(game_of(case), hands, emperor), AcceptOffer(), ShowCards(TRIPLE, count))


def _play_alone(deal: BaohuangDeal, play: PlayCards) -> BaohuangDeal:
    """Return a deal after a lead that nobody beats."""
    return after(deal, play, *[Pass() for _ in range(PLAYERS - 1)])


def _with_lead(deal: BaohuangDeal, seat: int) -> BaohuangDeal:
    """Return a deal after a round that gives a seat the lead."""
    if deal.to_act == seat:
        return deal
    deal = after(deal, PlayCards(cards_of_ranks(_LOW)))
    while deal.to_act != seat:
        deal = after(deal, Pass())
    return _play_alone(deal, PlayCards(cards_of_ranks(_HIGH)))

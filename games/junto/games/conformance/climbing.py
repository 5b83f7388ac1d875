"""Conformance cases of the climbing games: the kinds that all have, each driven through a deal of the real rules.

The cases write cards as ranks. They get suits here, which never matter, but where a game names a card. Seats that a
case says nothing of hold one card. A case that begins with a play on top gets a deal that stands there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from junto.games.actions import Action, ApplyForLead, Pass, PlayCards
from junto.games.cards import BIG_JOKER, SMALL_JOKER, Card
from junto.games.climbing import kernel
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal, round_of
from junto.games.climbing.ranks import RANKS, letters_of, rank_of_card
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.driving import after, is_legal
from junto.games.events import ActionTaken
from junto.games.view import ClimbingPlay, Round, SeatAction

_WORDS: Final[Mapping[str, Action]] = {"PASS": Pass(), "APPLY": ApplyForLead()}
_ANY: Final = "4"
"""What a seat holds of which the case says nothing."""


class ClimbingCases(ABC):
    """The kinds of cases that all climbing games have: `classify`, `beats`, `legal`, `play`."""

    seats: ClassVar[int]

    @abstractmethod
    def leading(
        self, case: Case, hands: Sequence[Sequence[Card]], leader: int, finished: Sequence[int] = ()
    ) -> ClimbingDeal:
        """Return a deal of the case's game in which `leader` is to lead; these seats have gone out, in order."""

    @abstractmethod
    def named(self, combination: Combination) -> Answer:
        """Return what the game's page reports of a combination."""

    @property
    def adapter(self) -> Adapter:
        """What answers these kinds of cases."""
        return {"classify": self.classify, "beats": self.beats, "legal": self.legal, "play": self.play}

    def classify(self, case: Case) -> Answer:
        """Say which combination some cards are, by leading them."""
        cards = cards_of_ranks(case.given["cards"])
        deal = self.leading(case, self._hands({0: cards}), 0)
        if not is_legal(deal, PlayCards(cards)):
            return {"valid": False}
        return {"valid": True, **self.named(_read(deal, cards))}

    def beats(self, case: Case) -> Answer:
        """Say whether a play may be laid on another: by a seat that holds nothing else."""
        cards = cards_of_ranks(case.given["play"])
        deal = self.answering(case, cards, case.given["top"])
        return {"beats": is_legal(deal, PlayCards(cards))}

    def legal(self, case: Case) -> Answer:
        """Say what a seat with this hand may do."""
        return choices(self.answering(case, cards_of_ranks(case.given["hand"]), case.given["top"]))

    def play(self, case: Case) -> Answer:
        """Say how a deal goes on after some actions, or which of them is the first that the rules forbid."""
        given, suits = case.given, _Suits()
        hands = [suits.cards(text) for text in given["hands"]]
        deal = self.leading(case, hands, given["leader"], given.get("order", ()))
        for place, (seat, words) in enumerate(given["actions"]):
            action = action_of(words, deal.hands[seat])
            if deal.to_act != seat or not is_legal(deal, action):
                return {"illegal_at": place}
            deal = after(deal, action)
        return self.standing(deal)

    def standing(self, deal: ClimbingDeal) -> dict[str, Any]:
        """Return how a deal stands."""
        return course(deal)

    def answering(self, case: Case, hand: Sequence[Card], top: str | None) -> ClimbingDeal:
        """Return a deal in which a seat with this hand answers the top; without one (None) it leads.

        By the case the seat whose play is on top has gone out with it (`top_player_out`), and somebody has asked for
        the lead (`application_pending`).
        """
        if top is None:
            return self.leading(case, self._hands({0: hand}), 0)
        cards, out = cards_of_ranks(top), case.given.get("top_player_out", False)
        pending = case.given.get("application_pending", False)
        combination = _read(self.leading(case, self._hands({0: cards}), 0), cards)
        actions = [SeatAction(0, PlayCards(cards), combination)]
        if pending:
            actions.append(SeatAction(1, ApplyForLead()))
        seat = len(actions)
        deal = self.leading(case, self._hands({0: [] if out else cards_of_ranks(_ANY), seat: hand}), 0)
        play = ClimbingPlay((Round(0, tuple(actions)),), (0,) if out else (), 1 if pending else None)
        return replace(deal, shared=replace(deal.shared, climbing=play, to_act=seat))

    def _hands(self, known: dict[int, Sequence[Card]]) -> list[Sequence[Card]]:
        return [known.get(seat, cards_of_ranks(_ANY)) for seat in range(self.seats)]


def with_finished(deal: ClimbingDeal, finished: Sequence[int]) -> ClimbingDeal:
    """Return a deal whose play begins, as it is after these seats have gone out, in order."""
    play = replace(deal.climbing, finished=tuple(finished))
    return replace(deal, shared=replace(deal.shared, climbing=play))


def choices(deal: ClimbingDeal) -> dict[str, Any]:
    """Return how many actions the seat to act has, and which plays, as ranks."""
    actions = list(deal.legal_actions())
    plays = [ranks_of(action.cards) for action in actions if isinstance(action, PlayCards)]
    return {"count": len(actions), "plays": plays}


def course(deal: ClimbingDeal) -> dict[str, Any]:
    """Return how a deal stands: who is out, in order, whose turn it is, and what is to be beaten."""
    if deal.is_over:
        assert deal.shared.result is not None
        placed = [share for share in deal.shared.result.seats if share.place is not None]
        return {"over": True, "order": [share.seat for share in sorted(placed, key=lambda share: share.place or 0)]}
    top = round_of(deal.shared).top
    ranks = None if top is None or top.combination is None else letters_of(top.combination.ranks)
    return {"over": False, "order": list(deal.climbing.finished), "to_act": deal.to_act, "top": ranks}


def action_of(words: str, hand: Sequence[Card]) -> Action:
    """Return what a seat with this hand does; cards that it has not are any of their rank."""
    if words in _WORDS:
        return _WORDS[words]
    left, cards = list(hand), []
    for wanted in cards_of_ranks(words):
        held = (card for card in left if rank_of_card(card) == rank_of_card(wanted))
        card = next(held, None)
        if card is not None:
            left.remove(card)
        cards.append(wanted if card is None else card)
    return PlayCards(tuple(cards))


# Cards as the cases write them.


class _Suits:
    """Gives suits to ranks: the cards of a rank get one suit after another."""

    def __init__(self) -> None:
        self._dealt: Counter[int] = Counter()

    def cards(self, text: str) -> tuple[Card, ...]:
        """Return cards of these ranks."""
        return tuple(self._card(RANKS.index(letter)) for letter in text)

    def _card(self, rank: int) -> Card:
        match rank:
            case kernel.SMALL:
                return SMALL_JOKER
            case kernel.BIG:
                return BIG_JOKER
        suit = self._dealt[rank] % 4
        self._dealt[rank] += 1
        return 13 * suit + (rank + 1) % 13


def cards_of_ranks(text: str) -> tuple[Card, ...]:
    """Return cards of some ranks, such as `3344BR`."""
    return _Suits().cards(text)


def ranks_of(cards: Iterable[Card]) -> str:
    """Return the ranks of cards."""
    return letters_of(map(rank_of_card, cards))


def _read(deal: ClimbingDeal, cards: Sequence[Card]) -> Combination:
    """Return which combination the deal takes cards for that are led."""
    events = (seen.event for seen in deal.apply(PlayCards(tuple(cards))).events)
    combination = next(event.combination for event in events if isinstance(event, ActionTaken))
    assert combination is not None
    return combination

"""A climbing game, and the state of one of its deals: what all games of the family share.

A game says which phases it has and what is its own; the play of combinations is the same everywhere
(`junto.games.climbing.play`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from junto.games.actions import Action, PlayCards
from junto.games.cards import PACK, Card
from junto.games.climbing import course, kernel
from junto.games.climbing.combination import Combination
from junto.games.climbing.pick import cards_of
from junto.games.climbing.ranks import Vector, counts_of
from junto.games.climbing.terms import Terms
from junto.games.core import Game
from junto.games.events import Seen
from junto.games.knowledge import Sheet
from junto.games.phases import PhasedDeal, PhaseRule
from junto.games.view import ClimbingPlay, HandView, Own, Phase, Round, Shared


class ClimbingGame(Game):
    """A climbing game: its terms, its phases, and whose turn it is."""

    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]]

    @cached_property
    @abstractmethod
    def terms(self) -> Terms:
        """The constants of the play, with the chosen options."""

    @abstractmethod
    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return whose turn it is in a phase before the play; None after it."""

    @abstractmethod
    def played_out(self, deal: Any, places: Sequence[int]) -> list[Seen]:
        """Return the end of a deal with these places by seat: 1 for the first out, 0 for a seat that has none.

        `deal` is as it is after the last play.
        """

    def after_play(self, deal: Any, seat: int, cards: tuple[Card, ...]) -> Iterable[Seen]:  # noqa: ARG002
        """Return what follows, in this game alone, when a seat has played cards; `deal` is as it was before."""
        return ()

    @abstractmethod
    def idle_lead(self, deal: Any) -> Combination:
        """Return what is led for a seat whose time is up, see the rules page; it may be illegal as it stands."""

    @property
    def seats(self) -> int:
        """How many play."""
        return self.terms.seats

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """The cards of all packs, equal ones next to each other."""
        return tuple(card for card in range(PACK) for _ in range(self.terms.packs))

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event: empty hands."""
        hands = range(self.seats)
        shared = Shared(number, Phase.DEAL, tuple(HandView(hand, 0) for hand in hands), climbing=ClimbingPlay())
        return shared, tuple(map(Own, hands))

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is."""
        if sheet.phase is Phase.PLAY:
            sheet.to_act = self.next_to_play(sheet)
        elif sheet.phase is not Phase.DEAL:
            sheet.to_act = self.turn_before_play(sheet)

    def next_to_play(self, shared: Shared | Sheet) -> int:
        """Return who plays next: who leads the round, or who answers."""
        current = round_of(shared)
        if not current.actions:
            return current.leader
        top = current.top
        assert top is not None
        seat = course.next_answer(self.seats, holding_of(shared), current.actions[-1].seat, top.seat)
        assert seat != course.NOBODY, "a round that nobody answers any more is followed by another one"
        return int(seat)


@dataclass(frozen=True)
class ClimbingDeal(PhasedDeal):
    """One deal: what is known, and what lies hidden. Its `repr` tells what everybody knows.

    `hands` are the seats' cards, each sorted, equal cards repeated.
    """

    hands: tuple[tuple[Card, ...], ...] = field(repr=False)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat to act."""
        return self.hands[self.seat]

    @cached_property
    def counts(self) -> Vector:
        """The cards of the seat to act, counted by rank; nobody writes to it."""
        return counts_of(self.hand)

    @property
    def climbing(self) -> ClimbingPlay:
        """The course of the play."""
        assert self.shared.climbing is not None
        return self.shared.climbing

    @property
    def top(self) -> Combination | None:
        """The combination that is to be beaten; None if one is to be led."""
        top = round_of(self.shared).top
        return None if top is None else top.combination

    @property
    def named(self) -> Card | None:
        """The card of which plays are told apart by how many copies they take; None: there is none."""
        return None

    def reading(self, action: Action) -> Combination | None:
        """Return the combination that the cards of an action are, see `Deal.reading`."""
        if not isinstance(action, PlayCards) or Counter(action.cards) - Counter(self.game.pack):
            return None
        play = int(kernel.classify(self.game.terms.vector, counts_of(action.cards)))
        return None if play == kernel.NO_PLAY else Combination(play)

    def hands_with(self, seat: int, hand: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
        """Return the hands, with other cards in one of them."""
        return (*self.hands[:seat], tuple(sorted(hand)), *self.hands[seat + 1 :])

    def cards_of(self, combination: Combination) -> tuple[Card, ...]:
        """Return cards of the hand to play for a combination: of the ranks' cards those with the lowest suits."""
        return cards_of(combination.play, self.hand)

    def without(self, seat: int, cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
        """Return the hands after a seat gave away cards that it holds."""
        hand = list(self.hands[seat])
        for card in cards:
            hand.remove(card)
        return self.hands_with(seat, hand)


def round_of(shared: Shared | Sheet) -> Round:
    """Return the round that is played."""
    assert shared.climbing is not None
    return shared.climbing.rounds[-1]


def holding_of(shared: Shared | Sheet) -> int:
    """Return the seats that have cards, as bits."""
    return sum(1 << hand.seat for hand in shared.hands if hand.size > 0)

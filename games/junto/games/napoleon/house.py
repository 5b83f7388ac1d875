"""The house rules of a Napoleon game, and how its result is counted: what all phases of a deal share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from junto.games.cards import Card, cards_in
from junto.games.tricks import kernel
from junto.games.tricks.terms import Terms


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the Napoleon games and their options leave open, beside the play and the scores (`terms`).

    `trump_change`: Napoleon may name another suit after seeing the kitty, for one more in the contract.
    `court_penalty`: court cards put back are shown, and each raises the contract by one.
    """

    terms: Terms
    kitty: int
    min_bid: int
    pass_is_final: bool = False
    trump_change: bool = False
    court_penalty: bool = True
    joker_secretary: bool = False
    forced_solo: bool = False
    secretaries: int = 1

    @property
    def seats(self) -> int:
        """How many play."""
        return self.terms.seats

    @property
    def tricks(self) -> int:
        """How many cards a hand has, and so how many tricks there are."""
        return self.terms.tricks

    @property
    def courts(self) -> int:
        """How many court cards there are: the highest bid, and the highest contract that is played."""
        return int(kernel.most_points(self.terms.vector))

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards, in the order of their numbers."""
        return (*range(kernel.SMALL_JOKER), *cards_in(self.terms.jokers))

    def courts_among(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return the court cards among some cards."""
        return tuple(card for card in cards if self.terms.counting >> card & 1)

    def jokers_strong(self, trick: int) -> bool:
        """Tell whether jokers have their power in this trick, counted from 0."""
        return bool(kernel.jokers_strong(self.terms.vector, trick))

    def first_leader(self, napoleon: int) -> int:
        """Return who leads to the first trick."""
        return int(kernel.first_leader(self.terms.vector, napoleon))

    def captured(self, napoleon: int, holders: Sequence[int], points: Sequence[int]) -> int:
        """Return what Napoleon's side captured, of the points of each seat; `holders` had the secretary cards."""
        first, second = _two(holders)
        return int(kernel.captured_points(self.terms.vector, np.array(points, np.int64), napoleon, first, second))

    def scores(self, napoleon: int, holders: Sequence[int], contract: int, captured: int) -> tuple[int, ...]:
        """Return every seat's score of a deal that was played out; `holders` had the secretary cards."""
        written = np.zeros(self.seats, np.int64)
        first, second = _two(holders)
        kernel.write_scores(written, self.terms.vector, napoleon, first, second, contract, captured)
        return tuple(written.tolist())

    def hopeless_scores(self, napoleon: int, contract: int) -> tuple[int, ...]:
        """Return every seat's score when the contract asks for more court cards than there are."""
        written = np.zeros(self.seats, np.int64)
        kernel.write_hopeless_scores(written, self.terms.vector, napoleon, contract)
        return tuple(written.tolist())


def _two(holders: Sequence[int]) -> tuple[int, int]:
    first, second = (*holders, kernel.NOBODY, kernel.NOBODY)[:2]
    return first, second

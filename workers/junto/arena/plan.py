"""Who sits where in which deal: duplicate deals, rotated so that every strategy sees every seat equally often.

A *place* is what one entrant holds: a seat, or a fixed partnership (bridge, Shuangkou) with all its seats. A *line-up*
is a set of entrants that meet. Each deal is played by each line-up of m entrants m times (its *seatings*), moved on by
one each time: over these every entrant of the line-up has held every place of the deal exactly once, whoever turns
out to be whose partner. Which entrants sit beside each other changes from deal to deal.

In a gauntlet the first entrant is the *field*: each challenger holds each place once among it, and the field plays the
deal once alone, which is what the challenger's score in that place is compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb
from random import Random
from typing import Final

from junto.arena.spec import Format, Spec
from junto.games.catalog import open_game
from junto.games.core import Game

FIELD: Final = 0
"""The entrant that is the field of a gauntlet, or of a ladder."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One deal, played once: which entrant holds each seat (its number in the spec).

    `number` is its place among the sittings of its deal.
    """

    deal: int
    number: int
    entrants: tuple[int, ...]


class Plan:
    """What is played in a tournament, deal by deal."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.game = open_game(spec.game, spec.options)
        self.places = places_of(self.game)
        self._line_ups = tuple(combinations(range(len(spec.entrants)), spec.at_a_table))
        self.sittings_per_deal = sittings_per_deal(
            spec.format, len(spec.entrants), places=len(self.places), at_a_table=spec.at_a_table
        )
        """How often each deal is played."""

    @property
    def sittings(self) -> int:
        """How often a deal is played in all."""
        return self.spec.deals * self.sittings_per_deal

    def of_deal(self, deal: int) -> tuple[Sitting, ...]:
        """Return the sittings of a deal, in order."""
        return tuple(self._sittings(deal, range(self.sittings_per_deal)))

    def sitting(self, deal: int, number: int) -> Sitting:
        """Return one of the sittings of a deal."""
        return next(self._sittings(deal, (number,)))

    def _sittings(self, deal: int, numbers: Iterable[int]) -> Iterator[Sitting]:
        holders = self._among_field if self.spec.format.has_field else partial(self._meeting, self._pattern(deal))
        return (Sitting(deal, number, self._seats(holders(number))) for number in numbers)

    def _meeting(self, pattern: Sequence[int], number: int) -> tuple[int, ...]:
        """Return who holds each place in a sitting: of which line-up, and moved on by how many."""
        which, moved = divmod(number, self.spec.at_a_table)
        line_up = self._line_ups[which]
        return tuple(line_up[(at + moved) % len(line_up)] for at in pattern)

    def _pattern(self, deal: int) -> list[int]:
        """Return which member of a line-up holds each place at first, another one for each deal."""
        pattern = [at % self.spec.at_a_table for at in range(len(self.places))]
        Random(f"{self.spec.seed} {deal}").shuffle(pattern)
        return pattern

    def _among_field(self, number: int) -> tuple[int, ...]:
        """Return who holds each place in a sitting: the field alone in the first, then each challenger somewhere."""
        before, held = divmod(number - 1, len(self.places))
        challenger = before + 1
        return tuple(challenger if number and place == held else FIELD for place in range(len(self.places)))

    def _seats(self, held: tuple[int, ...]) -> tuple[int, ...]:
        by_seat = {seat: entrant for seats, entrant in zip(self.places, held, strict=True) for seat in seats}
        return tuple(by_seat[seat] for seat in range(self.game.seats))


def sittings_per_deal(form: Format, entrants: int, *, places: int, at_a_table: int) -> int:
    """Return how often each deal is played."""
    return 1 + (entrants - 1) * places if form.has_field else comb(entrants, at_a_table) * at_a_table


def places_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the places at a game's table: its fixed partnerships, or else its seats one by one."""
    return game.sides(game.new_match()) or tuple((seat,) for seat in range(game.seats))


__all__ = ["FIELD", "Format", "Plan", "Sitting", "places_of", "sittings_per_deal"]

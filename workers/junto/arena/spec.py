"""What is to be played: a `Spec`, from a TOML file, from flags or from the API, and back to TOML.

game = "napoleon-tw"
format = "round_robin"
deals = 2000
seed = 7

[options]
min_bid = 13

[[entrants]]
strategy = "greedy"

[[entrants]]
strategy = "pimc"
iterations = 100
name = "search"

[stop]            # for two entrants
difference = 2.0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from junto.arena.entrants import Entrant
from junto.games.options import OptionValue

MOST_DEALS: Final = 10_000_000
MOST_ENTRANTS: Final = 64
MOST_SITTINGS: Final = 10_000
"""No deal is played more often."""
MOST_DIFFERENCE: Final = 1e6
"""No stop rule asks for more points a deal: no game counts so many."""
LEAST_CHANCE: Final = 1e-9
"""No stop rule asks for a smaller chance of error."""
VERSION: Final = 1
"""Of what a folder of results holds."""


class Format(Enum):
    """How entrants meet."""

    ROUND_ROBIN = "round_robin"
    """Every line-up of `at_a_table` entrants plays every deal."""
    HEAD_TO_HEAD = "head_to_head"
    """Two entrants, stopped as soon as the difference is decided."""
    GAUNTLET = "gauntlet"
    """Each of the others alone among the first."""
    LADDER = "ladder"
    """One strategy with several budgets, each alone among the first entrant."""

    @property
    def has_field(self) -> bool:
        """Whether the first entrant is the field that the others are measured among."""
        return self in {Format.GAUNTLET, Format.LADDER}


@dataclass(frozen=True, slots=True)
class StopRule:
    """A sequential probability ratio test on the mean difference of two entrants' scores per deal (Wald 1945).

    It tells whether the difference is `null` or `difference`, with the chances `alpha` of finding what is not there
    and `beta` of missing what is. `first` deals are played before the first look.
    """

    difference: float
    null: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05
    first: int = 40


@dataclass(frozen=True, slots=True)
class Spec:
    """See the module. Deals are numbered from 0; `at_a_table` entrants meet in one line-up."""

    game: str
    entrants: tuple[Entrant, ...]
    deals: int
    seed: int
    format: Format = Format.ROUND_ROBIN
    at_a_table: int = 2
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    stop: StopRule | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether an unbroken run and a resumed one come to the very same tables."""
        return all(entrant.is_repeatable for entrant in self.entrants)

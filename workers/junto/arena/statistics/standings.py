"""How a tournament stands: a `Standing` for each entrant, best first, and what all of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from junto.arena.records import Failing
from junto.arena.spec import Format
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.sprt import Verdict
from junto.arena.statistics.timing import Times
from junto.games.view import Outcome, Role

MOST_EXAMPLES: Final = 5


@dataclass(frozen=True, slots=True)
class Rating:
    """An OpenSkill rating (Plackett-Luce): the mean and the deviation of a strength."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Example:
    """Where a fault can be seen again, and what was said of it."""

    deal: int
    sitting: int
    seat: int
    step: int
    reason: str


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How often an entrant failed in one way, with the first of these faults."""

    failing: Failing
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class RoleStanding:
    """An entrant in one role (None: in any). `won` is the share of its seats that scored more than nothing."""

    role: Role | None
    seats: int
    won: Estimate
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Pairing:
    """An entrant beside another: the mean difference of their scores per deal, and in how many deals it was ahead."""

    opponent: int
    difference: Estimate
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant (its number in the spec). Of the field `mean` is zero by definition, with no interval."""

    entrant: int
    name: str
    deals: int
    sittings: int
    seats: int
    mean: Estimate
    rating: Rating
    roles: tuple[RoleStanding, ...]
    pairings: tuple[Pairing, ...]
    decisions: int
    worlds: int
    playouts: int
    faults: tuple[FaultCount, ...]
    times: Times

    @property
    def late(self) -> int:
        """How often it did not answer in time."""
        return self.failures(Failing.LATE)

    def failures(self, *kinds: Failing) -> int:
        """Return how often it failed in these ways; in any way, if none is named."""
        return sum(fault.count for fault in self.faults if not kinds or fault.failing in kinds)

    @property
    def worlds_per_decision(self) -> float:
        """How many worlds it looked at for a decision, on average."""
        return self.worlds / self.decisions if self.decisions else 0.0

    def against(self, opponent: int) -> Pairing | None:
        """Return how it did beside another; None: beside itself."""
        return next((pairing for pairing in self.pairings if pairing.opponent == opponent), None)


@dataclass(frozen=True, slots=True)
class Waypoint:
    """How it stood after so many deals: each entrant's mean and half of its interval, in the order of the spec."""

    deals: int
    means: tuple[float, ...]
    halves: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """How a tournament stands after `deals` of `planned` deals.

    `course` has some of the earlier means, and the present ones. `voids` are deals that nobody wanted to play and that
    were dealt again; `cpu_s` is processor time.
    """

    game: str
    format: Format
    deals: int
    planned: int
    sittings: int
    entries: tuple[Standing, ...]
    outcomes: dict[Outcome, int]
    voids: int
    verdict: Verdict | None
    course: tuple[Waypoint, ...]
    cpu_s: float

    @property
    def names(self) -> dict[int, str]:
        """The names of the entrants by number, best first."""
        return {entry.entrant: entry.name for entry in self.entries}

    @property
    def stopped_early(self) -> bool:
        """Whether a sequential test ended it."""
        return self.verdict is not None

    def of(self, entrant: int) -> Standing:
        """Return where an entrant stands."""
        return next(entry for entry in self.entries if entry.entrant == entrant)

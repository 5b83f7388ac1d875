"""What a load test is to do, read from how it is written on the command line.

The texts are durations (`50ms`, `2s`, `1m`), a range of them (`50ms..500ms`), who sits at a table
(`human:1,bot:4`) and a goal (`p99=100ms`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from junto.games.core import Game
from junto.games.options import OptionValue

UNITS_S: Final[Mapping[str, float]] = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
QUANTILES: Final[Mapping[str, float]] = {
    "p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99.9": 0.999, "max": 1.0,
}  # fmt: skip
"""What a goal may be about."""
KINDS: Final = ("human", "bot")
SHORTEST_S: Final = 1e-6
LONGEST_S: Final = 86_400.0
"""No duration of a load test is longer: what is to run for days is begun again."""
LONGEST_DECISION_S: Final = 60.0
"""The API lets no bot think longer."""
_MOST_DIGITS: Final = 6
_MOST_QUOTED: Final = 40
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?|\.\d+)(us|ms|s|m|h)")


class Unreadable(ValueError):
    """A text means nothing; the message says what it should look like."""


@dataclass(frozen=True, slots=True)
class Think:
    """How long a person thinks about a move: anything from `least_s` to `most_s` seconds, equally likely."""

    least_s: float = 0.0
    most_s: float = 0.0

    @property
    def mean_s(self) -> float:
        """How long on average, in seconds."""
        return (self.least_s + self.most_s) / 2


@dataclass(frozen=True, slots=True)
class Seating:
    """How many people and how many bots sit at each table."""

    humans: int
    bots: int

    def __str__(self) -> str:
        return f"human:{self.humans},bot:{self.bots}"


@dataclass(frozen=True, slots=True)
class Goal:
    """A latency that is to be kept: the `quantile` (0 to 1), called `name`, is at most `within_s` seconds."""

    name: str
    quantile: float
    within_s: float

    def __str__(self) -> str:
        return f"{self.name}={write_duration(self.within_s)}"


@dataclass(frozen=True, slots=True)
class Bots:
    """Which bot takes the seats that no person has, and how long it may think about a decision."""

    strategy: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The load: how many tables of what, who sits there, how they play, for how long.

    With a `rate` (moves a second over all tables) moves arrive by a Poisson process, without one every person
    keeps a pace of their own. One table in `spectator_every` has a spectator, none if that is 0.
    """

    game: str
    seating: Seating
    bots: Bots
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    tables: int = 20
    deals: int = 1
    think: Think = Think()
    rate: float | None = None
    duration_s: float = 60.0
    warmup_s: float = 2.0
    spectator_every: int = 10
    seed: int = 1

    def with_strategy(self, strategy: str) -> Profile:
        """Return the same load on another strategy."""
        return replace(self, bots=replace(self.bots, strategy=strategy))


def read_duration(text: str, longest_s: float = LONGEST_S) -> float:
    """Return a duration in seconds.

    Raises:
        Unreadable: it is none, or no time at all, or too long.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise Unreadable(f"{quoted(text)} is no duration; write one as 50ms, 2s or 1m")
    seconds = float(found[1]) * UNITS_S[found[2]]
    if seconds < SHORTEST_S:
        raise Unreadable(f"{quoted(text)} is no time at all")
    if seconds > longest_s:
        most = f"{longest_s / 3600:g}h" if longest_s >= 3600 else f"{longest_s:g}s"
        raise Unreadable(f"{quoted(text)} is too long; {most} is the most")
    return seconds


def read_thinking(text: str) -> float:
    """Return how long a bot may think about a decision, in seconds.

    Raises:
        Unreadable: it is no duration, or longer than the API has it.
    """
    return read_duration(text, LONGEST_DECISION_S)


def quoted(text: str) -> str:
    """Return what somebody wrote as a part of one line."""
    return repr(text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}...")


def read_think(text: str) -> Think:
    """Return a range of think times, written as `50ms..500ms`, or as `200ms` for always the same.

    Raises:
        Unreadable: it is none, or its end comes before its beginning.
    """
    first, dots, last = text.partition("..")
    least_s = read_duration(first)
    most_s = read_duration(last) if dots else least_s
    if most_s < least_s:
        raise Unreadable(f"{quoted(text)} ends before it begins; write the shorter time first")
    return Think(least_s, most_s)


def read_seating(text: str) -> Seating:
    """Return who sits at a table, written as `human:1,bot:4`.

    Raises:
        Unreadable: it says something else, or there is nobody to load the server with.
    """
    counts = dict.fromkeys(KINDS, 0)
    for part in text.split(","):
        kind, _, number = part.strip().partition(":")
        if kind not in counts or not number.isdecimal() or len(number) > _MOST_DIGITS:
            raise Unreadable(f"{quoted(part.strip())} is not understood; write it as human:1,bot:4")
        counts[kind] += int(number)
    if not counts["human"]:
        raise Unreadable(f"{quoted(text)} has no human at the table; somebody has to make the moves that are measured")
    return Seating(counts["human"], counts["bot"])


def check_seating(seating: Seating, game: Game) -> None:
    """Check that everybody has a seat and no seat is left.

    Raises:
        Unreadable: the game seats another number.
    """
    made = seating.humans + seating.bots
    if made != game.seats:
        raise Unreadable(f"{game.id} seats {game.seats}: {seating} makes {made}")


def read_goal(text: str) -> Goal:
    """Return a goal, written as `p99=100ms`.

    Raises:
        Unreadable: it is none.
    """
    name, equals, within = text.partition("=")
    if name not in QUANTILES or not equals:
        raise Unreadable(f"{quoted(text)} is no goal; write it as p99=100ms, with one of {', '.join(QUANTILES)}")
    return Goal(name, QUANTILES[name], read_duration(within))


def write_duration(seconds: float) -> str:
    """Return a duration for reading, with three digits that count."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds / size < 1000 else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e6:.0f} µs"

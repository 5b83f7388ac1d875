"""What a sitting came to: enough to count it, to tell how each seat decided, and to play it through again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from junto.arena.plan import Sitting
from junto.games.view import Outcome, Role


class Failing(Enum):
    """How a strategy failed to decide. The default action of the rules was taken in its place."""

    RAISED = "raised"
    """It raised an exception, or said that it cannot decide."""
    LATE = "late"
    """It did not answer in time."""
    ILLEGAL = "illegal"
    """The rules forbid what it answered: another seat's card, for instance."""
    GARBLED = "garbled"
    """Its answer cannot be read."""
    DIED = "died"
    """Its process ended."""
    MEMORY = "memory"
    """It asked for more memory than it may have."""
    GIVEN_UP = "given up"
    """It was not asked any more in this sitting: it had been late, or had died, too often."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One decision that a strategy failed to make. `step` counts the sitting's decisions from 0."""

    step: int
    failing: Failing
    reason: str


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What one seat came to. `micros` are the microseconds that each of its decisions took, in order.

    `worlds` and `playouts` are sums over its decisions.
    """

    entrant: int
    score: int
    role: Role | None = None
    place: int | None = None
    micros: tuple[int, ...] = ()
    worlds: int = 0
    playouts: int = 0
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class SittingRecord:
    """A sitting that was played. `attempt` deals before this one were void: everybody passed, and it was dealt again.

    `actions` are the texts of all actions of the deal that counts, in order (`junto.games.actions.text`), and
    `cpu_s` the processor time of it all, in seconds.
    """

    sitting: Sitting
    outcome: Outcome
    seats: tuple[SeatRecord, ...]
    actions: tuple[str, ...] = ()
    attempt: int = 0
    captured: int | None = None
    cpu_s: float = 0.0

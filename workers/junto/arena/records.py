"""What a sitting came to: enough to count it, to tell how each seat decided, and to play it through again."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from junto.arena.plan import Sitting
from junto.games.view import Outcome, Role

_QUICKLY: Final = 1
"""How hard records are packed."""


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
    """One decision that a strategy failed to make. `step` counts the sitting's decisions from 0, void deals and all."""

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

    @property
    def void_steps(self) -> int:
        """How many decisions the void deals took: the first of the deal that counts has this number."""
        return sum(len(seat.micros) for seat in self.seats) - len(self.actions)


def to_bytes(record: SittingRecord) -> bytes:
    """Return a record as it is kept and sent: JSON, packed."""
    sitting = record.sitting
    found = [
        [sitting.deal, sitting.number, sitting.entrants],
        record.outcome.value,
        [_seat(seat) for seat in record.seats],
        "\n".join(record.actions),
        record.attempt,
        record.captured,
        record.cpu_s,
    ]
    return zlib.compress(json.dumps(found, separators=(",", ":")).encode(), _QUICKLY)


def from_bytes(packed: bytes) -> SittingRecord:
    """Return the record that `to_bytes` packed.

    Raises:
        ValueError: it is none.
    """
    try:
        (deal, number, entrants), outcome, seats, actions, attempt, captured, cpu_s = json.loads(
            zlib.decompress(packed)
        )
        return SittingRecord(
            sitting=Sitting(deal, number, tuple(entrants)),
            outcome=Outcome(outcome),
            seats=tuple(_read_seat(*seat) for seat in seats),
            actions=tuple(actions.split("\n")) if actions else (),
            attempt=attempt,
            captured=captured,
            cpu_s=cpu_s,
        )
    except (zlib.error, TypeError) as error:
        raise ValueError(f"this is no record of a sitting: {error}") from error


def _seat(seat: SeatRecord) -> list[Any]:
    faults = [[fault.step, fault.failing.value, fault.reason] for fault in seat.faults]
    role = None if seat.role is None else seat.role.value
    return [seat.entrant, seat.score, role, seat.place, seat.micros, seat.worlds, seat.playouts, faults]


def _read_seat(
    entrant: int,
    score: int,
    role: int | None,
    place: int | None,
    micros: list[int],
    worlds: int,
    playouts: int,
    faults: list[tuple[int, str, str]],
) -> SeatRecord:
    return SeatRecord(
        entrant=entrant,
        score=score,
        role=None if role is None else Role(role),
        place=place,
        micros=tuple(micros),
        worlds=worlds,
        playouts=playouts,
        faults=tuple(Fault(step, Failing(failing), reason) for step, failing, reason in faults),
    )

"""What a load test has measured: histograms of times, counts, and the same second by second. It adds up.

All latencies count from when a move was meant to be made (see `pace` and `arrivals`):

`replied`       until the server's reply
`seen`          until one of those who watch the table has the update
`seen_by_all`   until the last of them has it
`service`       from sending to the reply: what a closed loop would have measured
`turn_wait`     how much of it was waiting for a turn to make the move in
`lateness`      how much of it is the generator's own fault: from when the move could be sent to when it was
`bot_turn`      not of moves: from the update that makes it a bot's turn to the one with its move
`opening`       not of moves: from when a table was meant to be opened to its first turn being under way
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from junto.load.histogram import Histogram

TIMES: Final = (
    "replied", "seen", "seen_by_all", "service", "turn_wait", "lateness", "bot_turn", "opening",
)  # fmt: skip
PLAYERS: Final = ("player", "bot", "stand_in", "clock")
"""Who makes moves."""


@dataclass(slots=True)
class Second:
    """One second: how long the moves took that were meant for it, and how many moves and errors came in it."""

    replied: Histogram = field(default_factory=Histogram)
    counts: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Second) -> None:
        """Add what another one has."""
        self.replied.merge(other.replied)
        self.counts.update(other.counts)


@dataclass(slots=True)
class Measured:
    """See the module.

    `span_s` is the time that was measured; `cpu_s` the CPU time that each generator spent in it. `counts` has
    `accepted` (moves meant for that time), `done` (moves accepted in it), `unanswered`, `unseen`, `calls`, the moves
    by who made them (`player`, `bot`, ...), `opened`, `deals`, `reconnects`, and `passed_over`: moves whose table was
    over before it could be made. `errors` and `ends` count failed calls, and streams that ended, by what they said.
    """

    span_s: float = 0.0
    cpu_s: list[float] = field(default_factory=list)
    times: dict[str, Histogram] = field(default_factory=lambda: {name: Histogram() for name in TIMES})
    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    seconds: dict[int, Second] = field(default_factory=dict)

    def second(self, moment_s: float) -> Second:
        """Return the second of a moment since the beginning."""
        found = self.seconds.get(int(moment_s))
        if found is None:
            found = self.seconds[int(moment_s)] = Second()
        return found

    def merge(self, other: Measured) -> None:
        """Add what another generator has measured in the same time."""
        self.span_s = max(self.span_s, other.span_s)
        self.cpu_s += other.cpu_s
        for name in TIMES:
            self.times[name].merge(other.times[name])
        self.counts.update(other.counts)
        self.errors.update(other.errors)
        self.ends.update(other.ends)
        for number, second in other.seconds.items():
            self.seconds.setdefault(number, Second()).merge(second)

    @property
    def human_moves_per_s(self) -> float:
        """Moves of people that were accepted in the measured time, per second."""
        return self.counts["done"] / self.span_s if self.span_s else 0.0

    @property
    def moves_per_s(self) -> float:
        """Moves of everybody, bots included, per second."""
        return sum(self.counts[who] for who in PLAYERS) / self.span_s if self.span_s else 0.0

    @property
    def error_share(self) -> float:
        """How many of all calls failed, streams that were cut and moves that nobody answered included: 0 to 1."""
        failed = sum(self.errors.values()) + self.counts["unanswered"]
        return min(1.0, failed / max(1, self.counts["calls"] + self.counts["unanswered"]))

    @property
    def busiest(self) -> float:
        """How much of one core the busiest generator used: 1 is all of it."""
        return max(self.cpu_s, default=0.0) / self.span_s if self.span_s else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {
            "span_s": self.span_s,
            "cpu_s": self.cpu_s,
            "times": {name: times.to_json() for name, times in self.times.items()},
            "counts": dict(self.counts),
            "errors": dict(self.errors),
            "ends": dict(self.ends),
            "seconds": {
                str(number): {"replied": second.replied.to_json(), "counts": dict(second.counts)}
                for number, second in sorted(self.seconds.items())
            },
        }

    @staticmethod
    def from_json(written: Mapping[str, Any]) -> Measured:
        """Return what `to_json` has written."""
        return Measured(
            span_s=written["span_s"],
            cpu_s=list(written["cpu_s"]),
            times={name: Histogram.from_json(times) for name, times in written["times"].items()},
            counts=Counter(written["counts"]),
            errors=Counter(written["errors"]),
            ends=Counter(written["ends"]),
            seconds={
                int(number): Second(Histogram.from_json(second["replied"]), Counter(second["counts"]))
                for number, second in written["seconds"].items()
            },
        )


def total(parts: Iterable[Measured]) -> Measured:
    """Return the sum of what several generators have measured in the same time."""
    found = Measured()
    for part in parts:
        found.merge(part)
    return found

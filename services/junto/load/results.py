"""What came of a load test: one case for each strategy, with all that was measured, as objects and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from junto.load.histogram import Histogram
from junto.load.measuring import Measured
from junto.load.profile import QUANTILES, Goal, Profile
from junto.load.ramp import Found
from junto.load.resources import Use

FORMAT: Final = 1
"""The version of `loadtest.json`."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A step of a ramp: the rate, what was measured at it, whether the goal was kept, and what the server used."""

    rate: float
    kept: bool
    measured: Measured
    use: Use | None = None


@dataclass(frozen=True, slots=True)
class Ramp:
    """A search for the highest rate: for which goal, every step in the order in which it was tried, and the result."""

    goal: Goal
    steps: Sequence[Tried]
    found: Found


@dataclass(frozen=True, slots=True)
class Case:
    """One load and what came of it.

    `said` is what the server's own metrics said about the same time, None if nobody was asked; `use` what its
    processes used, if they run on this machine. `accepted` counts all moves that were accepted, measured or not, and
    `elsewhere` the errors outside of the measured time. With a ramp, `measured` is that of its best step.
    """

    profile: Profile
    measured: Measured
    said: Mapping[str, Any] | None = None
    use: Use | None = None
    accepted: int = 0
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    ramp: Ramp | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was measured."""
        return not self.measured.times["replied"].count


def summary(times: Histogram) -> dict[str, float]:
    """Return the figures of a histogram that are told, in seconds."""
    return {
        "count": times.count,
        "mean": times.mean_s,
        **{name: times.quantile(share) for name, share in QUANTILES.items()},
    }


def case_json(case: Case) -> dict[str, Any]:
    """Return a case as JSON can hold it: the figures first, then everything they were made of."""
    measured = case.measured
    return {
        "strategy": case.profile.bots.strategy,
        "profile": {**asdict(case.profile), "clients": str(case.profile.seating)},
        "human_moves_per_s": measured.human_moves_per_s,
        "moves_per_s": measured.moves_per_s,
        "error_share": measured.error_share,
        "seconds": {name: summary(times) for name, times in measured.times.items()},
        "counts": dict(measured.counts),
        "errors": dict(measured.errors),
        "errors_elsewhere": dict(case.elsewhere),
        "stream_ends": dict(measured.ends),
        "accepted_in_all": case.accepted,
        "generator": {
            "processes": len(measured.cpu_s),
            "cores_each": [cpu / measured.span_s for cpu in measured.cpu_s],
        },
        "server_said": case.said,
        "server_used": None if case.use is None else asdict(case.use),
        "ramp": None if case.ramp is None else _ramp_json(case.ramp),
        "measured": measured.to_json(),
    }


def write_json(cases: Sequence[Case], about: Mapping[str, Any]) -> str:
    """Return the whole as JSON text; `about` is when and where it was."""
    document = {"format": FORMAT, **about, "cases": [case_json(case) for case in cases]}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _ramp_json(ramp: Ramp) -> dict[str, Any]:
    return {
        "goal": str(ramp.goal),
        "highest": ramp.found.highest,
        "edge": ramp.found.edge,
        "steps": [
            {
                "rate": step.rate,
                "kept": step.kept,
                "human_moves_per_s": step.measured.human_moves_per_s,
                "error_share": step.measured.error_share,
                "seen_by_all": summary(step.measured.times["seen_by_all"]),
                "lateness": summary(step.measured.times["lateness"]),
                "generator_cores": step.measured.busiest,
                "server_used": None if step.use is None else asdict(step.use),
            }
            for step in ramp.steps
        ],
    }

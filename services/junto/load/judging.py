"""What may be wrong with a measurement, in words: the generator, the tables, or the clients were the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from junto.load.measuring import Measured
from junto.load.profile import write_duration
from junto.load.resources import Use
from junto.load.results import Case

BUSY: Final = 0.8
"""From this share of a core on a generator is called busy."""
FULL: Final = 0.9
"""From this share of all cores on a machine is called full."""
LATE_S: Final = 0.005
"""From this p99 on, in seconds, a generator is called late: timers alone are up to 1 ms late."""
MUCH: Final = 0.1
"""From this share of the latency on something is called a part of it that matters."""
_PART: Final = "it was a part of the limit, not the server alone; try more --processes"


def doubts(case: Case) -> Iterator[str]:
    """Yield sentences about what a reader of the figures has to know."""
    measured = case.measured
    yield from _generator(measured)
    yield from _turns(case)
    if case.use is not None:
        yield from _server(case.use)
    counts = measured.counts
    if counts["unanswered"]:
        yield (
            f"moves that were never answered: {counts['unanswered']}; they are in the latencies with the time that they"
            " waited until the end"
        )
    if counts["passed_over"]:
        yield f"{counts['passed_over']} moves were left out, because their table had been given up after errors"
    if counts["unseen"]:
        yield f"{counts['unseen']} moves were not seen by everybody before the end"


def limit_of(measured: Measured, use: Use | None = None) -> str:
    """Return what latencies are made of.

    `generator`, `machine` (it is full, whatever runs on it), `turns` (too few tables, or slow bots), else `server`.
    """
    if measured.busiest > BUSY:
        return "generator"
    if use is not None and use.machine > FULL:
        return "machine"
    if _is_late(measured):
        return "generator"
    return "turns" if _waits(measured) else "server"


def _is_late(measured: Measured) -> bool:
    return measured.times["lateness"].quantile(0.99) > _much_of(measured)


def _waits(measured: Measured) -> bool:
    return measured.times["turn_wait"].quantile(0.99) > _much_of(measured)


def _much_of(measured: Measured) -> float:
    return max(LATE_S, MUCH * measured.times["replied"].quantile(0.99))


def _generator(measured: Measured) -> Iterator[str]:
    if _is_late(measured):
        late_s = measured.times["lateness"].quantile(0.99)
        yield f"the generator was late by p99 {write_duration(late_s)}: {_PART}"
    if measured.busiest > BUSY:
        yield f"a generator used {measured.busiest:.0%} of a core: {_PART}"


def _server(use: Use) -> Iterator[str]:
    if use.busiest is not None and use.busiest[1] > BUSY:
        yield f"a process of the server ({use.busiest[0]}) used {use.busiest[1]:.0%} of a core: it is likely the limit"
    elif use.machine > FULL:
        yield f"this machine was busy to {use.machine:.0%}: what ran on it besides is a part of the limit"


def _turns(case: Case) -> Iterator[str]:
    measured, profile = case.measured, case.profile
    if not _waits(measured):
        return
    wait = write_duration(measured.times["turn_wait"].quantile(0.99))
    others = "or updates were slow, or the server was away"
    if profile.rate is None:
        budget = write_duration(profile.bots.time_s)
        yield f"turns came late by p99 {wait}: bots took longer than their {budget}, {others}"
    else:
        yield f"moves waited for a turn by p99 {wait}: there are too few --tables for this --rate, bots {others}"

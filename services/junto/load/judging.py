"""What may be wrong with a measurement, in words: the generator, the tables, or the clients were the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from junto.load.measuring import Measured
from junto.load.profile import write_duration
from junto.load.results import Case

BUSY: Final = 0.8
"""From this share of a core on a generator is called busy."""
LATE_S: Final = 0.005
"""From this p99 on, in seconds, a generator is called late: timers alone are up to 1 ms late."""
MUCH: Final = 0.1
"""From this share of the latency on something is called a part of it that matters."""
_PART: Final = "it was a part of the limit, not the server alone; try more --processes"


def doubts(case: Case) -> Iterator[str]:
    """Yield sentences about what a reader of the figures has to know."""
    measured = case.measured
    yield from _generator(measured)
    yield from _tables(case)
    counts = measured.counts
    if counts["unanswered"]:
        yield (
            f"{counts['unanswered']} moves were never answered: they are in the latencies with the time that they"
            " waited until the end"
        )
    if counts["passed_over"]:
        yield f"{counts['passed_over']} moves were left out, because their table had been given up after errors"
    if counts["unseen"]:
        yield f"{counts['unseen']} moves were not seen by everybody before the end"


def _generator(measured: Measured) -> Iterator[str]:
    late_s = measured.times["lateness"].quantile(0.99)
    if late_s > max(LATE_S, MUCH * measured.times["replied"].quantile(0.99)):
        yield f"the generator was late by p99 {write_duration(late_s)}: {_PART}"
    if measured.busiest > BUSY:
        yield f"a generator used {measured.busiest:.0%} of a core: {_PART}"


def _tables(case: Case) -> Iterator[str]:
    measured, profile = case.measured, case.profile
    wait_s = measured.times["turn_wait"].quantile(0.99)
    if wait_s <= max(LATE_S, MUCH * measured.times["replied"].quantile(0.99)):
        return
    if profile.rate is None:
        yield (
            f"turns came late by p99 {write_duration(wait_s)}: bots took longer than their"
            f" {write_duration(profile.bots.time_s)}, or updates did"
        )
    else:
        yield (
            f"moves waited for a turn by p99 {write_duration(wait_s)}: there were too few --tables for this --rate,"
            " or bots and updates were slow"
        )

"""Play players against a baseline on the same deals, keep every result, and stop when it is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Final

from bench.strength.processes import measured
from bench.strength.store import Record, Results, Spec, opened
from bench.strength.units import BASELINE, STRENGTH, Unit

from junto.arena.code import CODE
from junto.games.options import OptionValue

Found = Mapping[str, Mapping[int, Record]]
"""Results by player, then by deal."""
DECIDED: Final = "decided"
"""The last deal of a run that was stopped because what it asked was decided has this mark in its line."""
Told = Callable[[Found], None]


@dataclass(frozen=True, slots=True)
class Course:
    """Who is measured in what, on how many deals and for how long at most, and where the results are kept.

    `kind` is what is measured, see `units`. With a `deadline`, of `time.monotonic`, it ends there. A `fresh` one does
    not count what other code has played, and plays it anew.
    """

    game: str
    players: tuple[str, ...]
    baseline: str
    deals: int
    out: Path
    kind: str = STRENGTH
    jobs: int = 1
    deadline: float | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    fresh: bool = False

    def spec(self, player: str) -> Spec:
        """Return what the results of a player are kept under."""
        kind = BASELINE if self.kind == STRENGTH and player == self.baseline else self.kind
        return Spec(kind, self.game, player, self.baseline, self.options)

    def unit(self, player: str, deal: int) -> Unit:
        """Return the work of one deal."""
        kind = self.spec(player).kind
        return Unit(kind, self.game, player, self.baseline, deal, CODE, self.options)


def run(course: Course, is_over: Callable[[Found], bool], told: Told) -> Found:
    """Play until `is_over`, which is asked after each deal that all players have, or till the course ends.

    It goes on behind the results that are kept already. Each new line is `told`. Where it stops because it `is_over`,
    the last deal that counts is marked: a run that is stopped by what it has found tells a little too much.

    Raises:
        MeasurementError: the results cannot be kept there.
    """
    with ExitStack() as stack:
        kept = {player: stack.enter_context(opened(course.out, course.spec(player))) for player in course.players}
        if course.fresh:
            for results in kept.values():
                results.forget(_is_stale)
        found = {player: results.by_deal for player, results in kept.items()}
        if is_over(found):
            return found
        baseline = None
        if course.kind == STRENGTH:
            baseline = stack.enter_context(opened(course.out, course.spec(course.baseline)))
        keep = _Pairing(kept, baseline)
        units = measured(_units(course, kept, baseline), course.jobs, course.deadline)
        for unit, result in stack.enter_context(closing(units)):
            keep.note(unit, result)
            told(found)
            if is_over(found):
                _mark_decided(kept)
                break
        return found


def _units(course: Course, kept: Mapping[str, Results], baseline: Results | None) -> Iterator[Unit]:
    """Yield what is to be played, deal by deal, the baseline's first: unless this very code has played it."""
    for deal in range(course.deals):
        missing = [player for player, results in kept.items() if deal not in results.by_deal]
        if missing and baseline is not None and _is_stale(baseline.by_deal.get(deal)):
            yield course.unit(course.baseline, deal)
        for player in missing:
            yield course.unit(player, deal)


def _mark_decided(kept: Mapping[str, Results]) -> None:
    last = paired_deals([results.by_deal for results in kept.values()])[-1:]
    for results in kept.values():
        for deal in last:
            results.add({**results.by_deal[deal], DECIDED: True})


def _is_stale(record: Record | None) -> bool:
    return record is None or record["code"] != CODE


class _Pairing:
    """Results on their way into the files: a player's waits for the baseline's of the same deal."""

    def __init__(self, kept: Mapping[str, Results], baseline: Results | None) -> None:
        self._kept = kept
        self._baseline = baseline
        self._waiting: list[tuple[Results, dict[str, Any]]] = []

    def note(self, unit: Unit, result: dict[str, Any]) -> None:
        if unit.kind == BASELINE:
            assert self._baseline is not None
            self._baseline.add(result)
        else:
            self._waiting.append((self._kept[unit.player], result))
        self._waiting = [pair for pair in self._waiting if not self._add(*pair)]

    def _add(self, results: Results, result: dict[str, Any]) -> bool:
        if self._baseline is None:
            results.add(result)
            return True
        beside = self._baseline.by_deal.get(result["deal"])
        if _is_stale(beside):
            return False
        assert beside is not None
        results.add({**result, "baseline": beside["scores"]})
        return True


def paired_deals(results: Sequence[Mapping[int, Record]]) -> list[int]:
    """Return the deals from number 0 on, without a gap, that all have: no deal is left out for having taken long."""
    return list(takewhile(lambda deal: all(deal in records for records in results), count()))


def minutes_from_now(minutes: float | None) -> float | None:
    """Return the deadline that a run has."""
    return None if minutes is None else time.monotonic() + 60.0 * minutes

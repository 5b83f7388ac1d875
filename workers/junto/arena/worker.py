"""The actor that plays: one process, one batch of sittings at a time. Only its crew's process imports Ray.

It gets the spec as text and sittings as numbers, and answers with packed records.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from junto.arena.code import CODE
from junto.arena.crew import Desk
from junto.arena.deciding import SeatFailed
from junto.arena.entrants import Entrant, Kind
from junto.arena.errors import ArenaError, StrategyUnfit, TournamentFailed
from junto.arena.outside.nursery import worker_folder
from junto.arena.plan import Plan
from junto.arena.records import to_bytes
from junto.arena.spec import Spec
from junto.games import jit

_WITHOUT_KERNELS: Final = frozenset({"random"})

Numbers = Sequence[tuple[int, int]]
"""Sittings by their deals and their numbers in these."""
Started = tuple[str, str]
"""The state of the code that a worker plays with, and what is wrong with a strategy, or nothing."""


class ArenaWorker:
    """See the module. `start` comes first."""

    def __init__(self, spec: Spec, sources: dict[str, bytes], niceness: int) -> None:
        self._spec = spec
        self._sources = sources
        self._desk: Desk | None = None
        self._copies: list[Path] = []
        with contextlib.suppress(OSError):  # nicer than it may become
            os.nice(max(0, niceness - os.nice(0)))

    def start(self) -> Started:
        """Load the strategies; see `check_started`."""
        try:
            entrants = tuple(self._here(one) for one in self._spec.entrants)
            if any(one.kind is Kind.BUILT_IN and one.strategy not in _WITHOUT_KERNELS for one in entrants):
                jit.warmup()
            self._desk = Desk(Plan(replace(self._spec, entrants=entrants)))
        except (ArenaError, SeatFailed) as problem:
            return CODE, str(problem)
        return CODE, ""

    def play(self, numbers: Numbers) -> tuple[list[bytes], float]:
        """Play sittings; return their records, packed, and the seconds that it took."""
        assert self._desk is not None, "start comes first"
        plan = self._desk.plan
        played = self._desk.play(tuple(plan.sitting(deal, number) for deal, number in numbers))
        return [to_bytes(record) for record in played.records], played.seconds

    def close(self) -> None:
        """End the strategies' processes, and remove the copies of their files."""
        if self._desk is not None:
            self._desk.close()
        for folder in self._copies:
            shutil.rmtree(folder, ignore_errors=True)

    def _here(self, entrant: Entrant) -> Entrant:
        """Return an entrant whose file is on this machine: written anew where the tournament's own is not."""
        path, _, name = entrant.strategy.rpartition(":")
        source = self._sources.get(path)
        if source is None or _reads(path) == source:
            return entrant
        self._copies.append(worker_folder())
        copy = self._copies[-1] / Path(path).name
        copy.write_bytes(source)
        return replace(entrant, strategy=f"{copy}:{name}")


def check_started(started: Started) -> None:
    """Check what a worker says that has started.

    Raises:
        TournamentFailed: it plays with other code than this process, as after an update, or on another machine: what
            it plays would not be what the tournament says of itself.
        StrategyUnfit: a strategy cannot be loaded where it is to play.
    """
    code, problem = started
    if code != CODE:
        raise TournamentFailed(
            f"a worker has other code of the rules or the search ({code}) than was begun with ({CODE})"
        )
    if problem:
        raise StrategyUnfit(problem)


def sources_of(spec: Spec) -> dict[str, bytes]:
    """Return the files of a tournament's strategies, by path: workers on other machines may not have them."""
    paths = {one.strategy.rpartition(":")[0] for one in spec.entrants if one.kind is Kind.FILE}
    return {path: Path(path).read_bytes() for path in paths if path.endswith(".py")}


def _reads(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None

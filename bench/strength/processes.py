"""Share units out among processes. Each is warmed up first; what is not finished when the run ends is dropped."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing.connection import wait as wait_for
from typing import Any

from bench.strength.units import Unit, measure, quick

from junto.arena.code import CODE
from junto.games.catalog import open_game
from junto.games.climbing.deal import ClimbingGame
from junto.games.jit import modules_to_warm, warmup

Measured = tuple[Unit, dict[str, Any]]


def measured(units: Iterator[Unit], jobs: int, deadline: float | None) -> Generator[Measured, None, None]:
    """Yield units with their results, as they are finished; with one job in their order.

    No result comes after the deadline (of `time.monotonic`). One job works in this process, where a deal that is
    begun is played to its end.

    Raises:
        OtherCode: the code was changed before a process had loaded it.
    """
    first = next(units, None)
    if first is None:
        return
    units = _with(first, units)
    _warm_up(quick(first))
    if jobs == 1:
        for unit in units:
            result = measure(unit)
            if deadline is not None and time.monotonic() > deadline:
                return
            yield unit, result
        return
    yield from _shared_out(units, jobs, deadline, quick(first))


def _with(first: Unit, rest: Iterator[Unit]) -> Iterator[Unit]:
    yield first
    yield from rest


def _shared_out(units: Iterator[Unit], jobs: int, deadline: float | None, begin: Unit) -> Iterator[Measured]:
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _begin, (begin,))
    running: dict[Future[dict[str, Any]], Unit] = {}
    try:
        while True:
            for unit in islice(units, jobs - len(running)):
                running[pool.submit(measure, unit)] = unit
            if not running:
                return
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            done, _ = wait(running, left, FIRST_COMPLETED)
            if not done:
                return
            for future in done:
                yield running.pop(future), future.result()
    finally:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        pool.shutdown(cancel_futures=True)


def _warm_up(unit: Unit) -> None:
    """Load the kernels of a game's family, compile those that are not kept yet, and play the unit for nothing."""
    climbing = isinstance(open_game(unit.game, unit.options), ClimbingGame)
    warmup(modules=[name for name in modules_to_warm() if (".climbing." in name) == climbing])
    measure(unit)


def _begin(unit: Unit) -> None:
    """Begin one process of many: it leaves the interrupt key to the one that began it, and ends with that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if unit.code == CODE:  # of other code every unit is refused
        _warm_up(unit)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait_for([parent.sentinel])
    os._exit(1)

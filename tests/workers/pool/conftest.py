"""What the tests of the pool share: the Ray of the test run, and gates at which decisions wait."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from junto.pool import Counters, Pool, PoolSettings

from ...ray_fixture import SharedRay, shared_ray  # noqa: TID252 (tests are no package)

__all__ = ["shared_ray"]


WORKERS = 2
WAITING = 2
FULL = WORKERS * (1 + WAITING)
"""So many decisions may be under way in the standing pool."""


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def standing_pool(shared_ray: SharedRay) -> AsyncIterator[Pool]:
    """A pool of two workers for all tests of this folder: narrow, and soon to give up what dies or hangs."""
    settings = PoolSettings(
        "odd_functions:decide",
        workers=WORKERS,
        waiting_per_worker=WAITING,
        attempts=2,
        hang_grace_s=2.0,
        max_request_bytes=1000,
        max_answer_bytes=1000,
    )
    async with await Pool.connect(shared_ray.address, settings, shared_ray.driver_env, within_s=120) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="session")
async def pool(standing_pool: Pool) -> Pool:
    """That pool, with all its workers there and nothing counted."""
    await standing_pool.warm(within_s=60)
    standing_pool.observer = Counters(ready=WORKERS, wanted=WORKERS)
    return standing_pool


def counters(pool: Pool) -> Counters:
    """Return what a pool has counted."""
    assert isinstance(pool.observer, Counters)
    return pool.observer


class Gate:
    """A decision that says where it runs and then waits until it may go on.

    Two named pipes join it to the test, whose ends are open from the beginning: nothing here blocks.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.request = os.fsencode(folder)
        self._started, self._go = (self._pipe(folder / name) for name in ("started", "go"))
        self._pids: list[int] = []

    @staticmethod
    def _pipe(path: Path) -> int:
        os.mkfifo(path)
        return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    async def started(self) -> int:
        """Wait until a worker, or after its death the next one, has begun with it; return its process id."""
        if not self._pids:
            loop, readable = asyncio.get_running_loop(), asyncio.Event()
            loop.add_reader(self._started, readable.set)
            try:
                async with asyncio.timeout(60):
                    await readable.wait()
            finally:
                loop.remove_reader(self._started)
            self._pids = [int(pid) for pid in os.read(self._started, 1000).split()]
        return self._pids.pop(0)

    def open(self) -> None:
        """Let it go on, now or when it begins."""
        os.write(self._go, b"!")

    def close(self) -> None:
        """Let go of the pipes."""
        os.close(self._started)
        os.close(self._go)


@pytest.fixture
def new_gate(tmp_path: Path) -> Iterator[Callable[[], Gate]]:
    """Makes gates."""
    gates: list[Gate] = []

    def make() -> Gate:
        gates.append(Gate(tmp_path / f"gate{len(gates)}"))
        return gates[-1]

    yield make
    for gate in gates:
        gate.close()


async def eventually(condition: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait until a condition holds, and fail if it does not in time."""
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until, "it did not come true in time"
        await asyncio.sleep(0.01)


def runs(pid: int) -> bool:
    """Return whether a process still does anything."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

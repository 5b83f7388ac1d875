"""Workers that die and hang, drivers that die: decisions are asked for again, all of them are replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from junto.pool import Cause, DecisionLate, DecisionLost, Pool, PoolSettings, PoolUnavailable

from ...ray_fixture import SharedRay  # noqa: TID252 (tests are no package)
from .conftest import FULL, WORKERS, Gate, counters, eventually, runs

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("pool")]

NewGate = Callable[[], Gate]


async def test_a_decision_outlives_its_worker(pool: Pool, new_gate: NewGate) -> None:
    """A worker is killed in the middle of a decision: another one makes it, and the caller notices nothing."""
    gate = new_gate()
    asked = asyncio.create_task(pool.decide("gate", gate.request, 60))
    first = await gate.started()
    os.kill(first, signal.SIGKILL)
    second = await gate.started()
    gate.open()

    assert int(await asked) == second != first
    assert counters(pool).retries == 1
    assert counters(pool).deaths == {Cause.DIED: 1}


async def test_an_idle_worker_that_dies_is_replaced(pool: Pool) -> None:
    """A worker that dies while it has nothing to do is replaced before anybody asks."""
    pid = int(await pool.decide("pid", b"", 30))
    os.kill(pid, signal.SIGKILL)
    await eventually(lambda: counters(pool).deaths[Cause.DIED] == 1 and counters(pool).ready == WORKERS)

    assert counters(pool).retries == 0
    assert await pool.decide("echo", b"hello", 30) == b"hello"


async def test_a_decision_that_kills_is_given_up(pool: Pool) -> None:
    """A decision of which two workers die is lost, in words; others that were asked for beside it are made."""
    await asyncio.gather(*(pool.decide("echo", b"", 30) for _ in range(FULL)))
    asked = [asyncio.create_task(pool.decide("echo", b"%d" % number, 60)) for number in range(FULL - 1)]
    with pytest.raises(DecisionLost, match="2 workers died while they decided this; the last one: The actor died"):
        await pool.decide("die", b"", 60)

    assert await asyncio.gather(*asked) == [b"%d" % number for number in range(FULL - 1)]
    assert await pool.decide("echo", b"after", 60) == b"after"


async def test_a_worker_that_hangs_is_replaced(pool: Pool, new_gate: NewGate) -> None:
    """A worker that is silent long after its deadline is killed; the caller was told at the deadline."""
    gate = new_gate()  # which nobody opens
    asked = asyncio.create_task(pool.decide("gate", gate.request, 3.0))
    victim = await gate.started()
    with pytest.raises(DecisionLate):
        await asked

    await eventually(lambda: counters(pool).deaths == {Cause.HUNG: 1} and not runs(victim))
    assert await pool.decide("echo", b"again", 60) == b"again"
    assert (counters(pool).timeouts, counters(pool).retries) == (1, 0)


async def test_a_pool_outlives_its_driver(pool: Pool, shared_ray: SharedRay, new_gate: NewGate) -> None:
    """Two stewards share a cluster. The driver of one is killed: it says so, and connects again; the other is unharmed.

    They have three workers on two CPUs. Closing ends what waits, the driver and the worker.
    """
    settings = PoolSettings("odd_functions:decide", workers=1)
    async with await Pool.connect(shared_ray.address, settings, shared_ray.driver_env, within_s=120) as other:
        gate = new_gate()
        lost = asyncio.create_task(other.decide("gate", gate.request, 60))
        await gate.started()
        assert other.driver_pid
        os.kill(other.driver_pid, signal.SIGKILL)
        with pytest.raises(PoolUnavailable, match="the Ray driver ended unexpectedly"):
            await lost
        assert await pool.decide("echo", b"unharmed", 30) == b"unharmed"

        await other.warm(within_s=60)
        gate = new_gate()
        asked = asyncio.create_task(other.decide("gate", gate.request, 60))
        worker, driver = await gate.started(), other.driver_pid
    with pytest.raises(PoolUnavailable, match="the pool is closed"):
        await asked
    with pytest.raises(PoolUnavailable, match="the pool is closed"):
        await other.decide("echo", b"", 30)
    await eventually(lambda: not runs(worker) and not runs(driver))

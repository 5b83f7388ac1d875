"""Workers that die and hang: decisions are asked for again, workers replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from junto.pool import Cause, Counters, DecisionLate, DecisionLost, Pool, PoolSettings

from ...ray_fixture import SharedRay  # noqa: TID252 (tests are no package)
from .conftest import Gate, eventually, runs

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("pool")]

WORKERS = 2
NewGate = Callable[[], Gate]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def lasting_pool(shared_ray: SharedRay) -> AsyncIterator[Pool]:
    """A pool of two workers that are given up quickly."""
    settings = PoolSettings("odd_functions:decide", workers=WORKERS, attempts=2, hang_grace_s=0.2)
    async with await Pool.connect(shared_ray.address, settings, shared_ray.driver_env, within_s=120) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="module")
async def pool(lasting_pool: Pool) -> Pool:
    """That pool, with all its workers there and nothing counted."""
    await lasting_pool.warm(within_s=60)
    lasting_pool.observer = Counters(ready=WORKERS, wanted=WORKERS)
    return lasting_pool


def counters(pool: Pool) -> Counters:
    assert isinstance(pool.observer, Counters)
    return pool.observer


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
    await asyncio.gather(*(pool.decide("echo", b"", 30) for _ in range(20)))
    asked = [asyncio.create_task(pool.decide("echo", b"%d" % number, 60)) for number in range(5)]
    with pytest.raises(DecisionLost, match="2 workers died while they decided this; the last one: The actor died"):
        await pool.decide("die", b"", 60)

    assert await asyncio.gather(*asked) == [b"%d" % number for number in range(5)]
    assert await pool.decide("echo", b"after", 60) == b"after"


async def test_a_worker_that_hangs_is_replaced(pool: Pool) -> None:
    """A worker that is silent long after its deadline is killed; the caller was told at the deadline."""
    victims = {int(pid) for pid in await asyncio.gather(*(pool.decide("pid", b"", 30) for _ in range(8)))}
    hangs = [asyncio.create_task(pool.decide("hang", b"", 0.3)) for _ in range(WORKERS)]
    for hang in hangs:
        with pytest.raises(DecisionLate):
            await hang

    assert await pool.decide("echo", b"again", 60) == b"again"
    await eventually(lambda: counters(pool).deaths == {Cause.HUNG: WORKERS})
    await eventually(lambda: not any(map(runs, victims)))
    assert counters(pool).timeouts == WORKERS

"""Pools that cannot start say why; several can work beside each other; a driver that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable

import psutil
import pytest

from junto.pool import BadSeam, Cause, Counters, Pool, PoolSettings, PoolUnavailable

from ...ray_fixture import SharedRay  # noqa: TID252 (tests are no package)
from .conftest import Gate, eventually, runs

pytestmark = pytest.mark.xdist_group("pool")

NewGate = Callable[[], Gate]


async def test_nobody_at_home() -> None:
    """A cluster that is not there is said to be not there, soon, and is looked for again."""
    pool = Pool("127.0.0.1:1", PoolSettings("odd_functions:decide"))
    pool.start()
    await eventually(lambda: counters(pool).losses >= 2)
    with pytest.raises(PoolUnavailable, match=r"nothing answers as Ray does at 127\.0\.0\.1:1") as refused:
        await pool.decide("echo", b"", 30)
    with pytest.raises(PoolUnavailable, match=r"not ready within 0\.1 s: nothing answers"):
        await pool.warm(within_s=0.1)
    await pool.close()

    assert refused.value.retry_after_s > 0
    assert not pool.ready


@pytest.mark.parametrize(
    ("token", "sentence"),
    [({}, "it wants a token"), ({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64}, "refused")],
)
async def test_a_token_is_required(shared_ray: SharedRay, token: dict[str, str], sentence: str) -> None:
    """A driver without the token, or with another one, is not let in."""
    env = {key: value for key, value in shared_ray.driver_env.items() if not key.startswith("RAY_AUTH")} | token
    pool = Pool(shared_ray.address, PoolSettings("odd_functions:decide"), env)
    pool.start()
    await eventually(lambda: counters(pool).losses >= 1)
    trouble = pool.trouble
    await pool.close()

    assert sentence in trouble


async def test_workers_that_cannot_start_are_explained(shared_ray: SharedRay) -> None:
    """A missing function, a warm-up that fails and one that kills: each is told, and no decision waits for it."""
    bad = {
        "No module named 'no_such_module'": PoolSettings("no_such_module:decide", workers=1),
        "RuntimeError: the kernels do not compile": PoolSettings("odd_functions:decide", "odd_functions:refuse", 1),
        "a worker died while it started": PoolSettings("odd_functions:decide", "odd_functions:crash", 1),
    }
    pools = [Pool(shared_ray.address, settings, shared_ray.driver_env) for settings in bad.values()]
    for pool in pools:
        pool.start()
    for sentence, pool in zip(bad, pools, strict=True):
        await eventually(lambda pool=pool: counters(pool).deaths[Cause.NEVER_STARTED] >= 2, 120)  # type: ignore[misc]
        with pytest.raises(PoolUnavailable, match=sentence):
            await pool.decide("echo", b"", 30)
    await asyncio.gather(*(pool.close() for pool in pools))


async def test_pools_share_a_cluster(shared_ray: SharedRay, new_gate: NewGate) -> None:
    """Two stewards get their workers, more than there are CPUs; a driver that dies takes nothing else with it."""
    settings = PoolSettings("odd_functions:decide", workers=2)
    ours, theirs = [Pool(shared_ray.address, settings, shared_ray.driver_env) for _ in range(2)]
    async with ours, theirs:
        ours.start()
        theirs.start()
        await asyncio.gather(ours.warm(within_s=120), theirs.warm(within_s=120))
        gate = new_gate()
        lost = asyncio.create_task(ours.decide("gate", gate.request, 60))
        await gate.started()
        assert ours.driver_pid
        os.kill(ours.driver_pid, signal.SIGKILL)

        with pytest.raises(PoolUnavailable, match="the Ray driver ended unexpectedly"):
            await lost
        assert await theirs.decide("echo", b"unharmed", 30) == b"unharmed"
        await ours.warm(1, within_s=60)
        assert await ours.decide("echo", b"back", 30) == b"back"


async def test_closing_ends_what_waits(shared_ray: SharedRay, new_gate: NewGate) -> None:
    """A closed pool has told everybody who waited, and refuses; its processes are gone."""
    settings = PoolSettings("odd_functions:decide", workers=1)
    pool = await Pool.connect(shared_ray.address, settings, shared_ray.driver_env, within_s=120)
    gate = new_gate()
    asked = asyncio.create_task(pool.decide("gate", gate.request, 60))
    worker, driver = await gate.started(), pool.driver_pid
    before = time.monotonic()
    await pool.close()

    with pytest.raises(PoolUnavailable, match="the pool is closed"):
        await asked
    with pytest.raises(PoolUnavailable, match="the pool is closed"):
        await pool.decide("echo", b"", 30)
    assert time.monotonic() - before < settings.close_within_s + 5
    assert driver
    assert not psutil.pid_exists(driver)
    await eventually(lambda: not runs(worker))


def test_a_malformed_setting_is_refused() -> None:
    """Settings that make no sense are refused where they are written."""
    with pytest.raises(BadSeam, match="is not an import path"):
        PoolSettings("junto.pool.decide")
    with pytest.raises(ValueError, match="attempts is at least 1"):
        PoolSettings("junto.pool.decide:decide", attempts=0)


def counters(pool: Pool) -> Counters:
    assert isinstance(pool.observer, Counters)
    return pool.observer

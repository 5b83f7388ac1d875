"""Pools that cannot start say why."""

from __future__ import annotations

import pytest

from junto.pool import BadAddress, BadSeam, Cause, Pool, PoolSettings, PoolUnavailable

from ...ray_fixture import SharedRay  # noqa: TID252 (tests are no package)
from .conftest import counters, eventually

pytestmark = pytest.mark.xdist_group("pool")


async def test_nobody_at_home() -> None:
    """A cluster that is not there is said to be not there, soon, and is looked for again."""
    pool = Pool("127.0.0.1:1", PoolSettings("odd_functions:decide"))
    pool.start()
    await eventually(lambda: counters(pool).losses >= 2)
    with pytest.raises(PoolUnavailable, match=r"nothing answers at 127\.0\.0\.1:1") as refused:
        await pool.decide("echo", b"", 30)
    with pytest.raises(PoolUnavailable, match=r"not ready within 0\.1 s: nothing answers"):
        await pool.warm(within_s=0.1)
    await pool.close()

    assert refused.value.retry_after_s > 0
    assert not pool.ready


async def test_a_token_is_required(shared_ray: SharedRay) -> None:
    """A driver that does not know the cluster's token is not let in, and told so at once."""
    env = {name: value for name, value in shared_ray.driver_env.items() if not name.startswith("RAY_AUTH")}
    pool = Pool(shared_ray.address, PoolSettings("odd_functions:decide"), env)
    pool.start()
    await eventually(lambda: counters(pool).losses >= 1)
    trouble = pool.trouble
    await pool.close()

    assert trouble == f"Ray at {shared_ray.address} does not let us in: it wants a token"


async def test_workers_that_cannot_start_are_explained(shared_ray: SharedRay) -> None:
    """When each worker dies while it warms up, the pool says so, and no decision waits for it."""
    settings = PoolSettings("odd_functions:decide", "odd_functions:crash", workers=1)
    pool = Pool(shared_ray.address, settings, shared_ray.driver_env)
    pool.start()
    await eventually(lambda: counters(pool).deaths[Cause.NEVER_STARTED] >= 1, 120)
    with pytest.raises(PoolUnavailable, match="a worker died while it started: The actor died unexpectedly"):
        await pool.decide("echo", b"", 30)
    await pool.close()


def test_a_malformed_setting_is_refused() -> None:
    """Settings that make no sense are refused where they are written."""
    with pytest.raises(BadSeam, match="is not an import path"):
        PoolSettings("junto.pool.decide")
    with pytest.raises(ValueError, match="attempts is at least 1"):
        PoolSettings("junto.pool.decide:decide", attempts=0)


@pytest.mark.parametrize("address", ["", "auto", "ray://head:10001", "head", "head:", ":6379"])
def test_a_malformed_address_is_refused(address: str) -> None:
    """A cluster is named by host and port, nothing else."""
    with pytest.raises(BadAddress, match="is not the address of a Ray cluster"):
        Pool(address, PoolSettings("odd_functions:decide"))

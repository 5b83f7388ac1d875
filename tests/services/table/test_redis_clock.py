"""Redis's time, and readiness that follows a write probe."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import pytest
from redis import Redis

from junto.table.clock import LONGEST_TRIP_S, Clock, Pulse
from junto.table.redis_server import EmbeddedRedis
from junto.table.store import Store
from junto.table.store_errors import StoreUnavailable

Until = Any


def test_a_clock_runs_on_from_what_it_was_told() -> None:
    """Between answers the time goes on by the steady clock; an answer counts as given halfway."""
    steady = [100.0]
    clock = Clock(lambda: steady[0])

    clock.told(1_700_000_000_000_000, asked_s=100.0, answered_s=100.2)

    steady[0] = 100.1
    assert clock.now_ms() == 1_700_000_000_000
    steady[0] = 101.6
    assert clock.now_ms() == 1_700_000_001_500


def test_a_slow_answer_does_not_move_a_clock_that_is_set() -> None:
    """The first answer is taken as it comes; later ones only if they say enough."""
    clock = Clock(lambda: 10.0)

    clock.told(5_000_000, asked_s=0.0, answered_s=20.0)
    assert clock.now_ms() == 5_000
    clock.told(9_000_000, asked_s=10.0, answered_s=10.01 + LONGEST_TRIP_S)
    assert clock.now_ms() == 5_000
    clock.told(9_000_000, asked_s=10.0, answered_s=10.0)
    assert clock.now_ms() == 9_000


def test_a_clock_that_was_not_told_says_so() -> None:
    """Nobody gets a time of this machine's own by mistake."""
    with pytest.raises(StoreUnavailable, match="has not told"):
        Clock().now_ms()


async def test_a_pulse_sets_the_clock(store: Store) -> None:
    """When the pulse has begun, the time is known and writing is known to work."""
    clock = Clock()
    async with Pulse(store, clock) as pulse:
        assert pulse.is_ready
        assert clock.is_set
        assert abs(clock.now_ms() / 1000 - time.time()) < 1


async def test_readiness_follows_what_redis_can_do(own_server: EmbeddedRedis, own_store: Store, until: Until) -> None:
    """A Redis that becomes read-only, or goes away, makes the service unready with a reason, and ready again."""
    async with Pulse(own_store, Clock(), every_s=0.02) as pulse:
        assert pulse.is_ready
        with closing(Redis.from_url(own_server.url)) as client:
            client.replicaof("127.0.0.1", "1")
            await until(lambda: "read-only replica" in pulse.trouble)
            assert not pulse.is_ready
            client.replicaof("NO", "ONE")
            await until(lambda: pulse.is_ready)
        own_server.stop()
        await until(lambda: "cannot connect" in pulse.trouble or "broke" in pulse.trouble)
        own_server.start()
        await until(lambda: pulse.is_ready)

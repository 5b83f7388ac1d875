"""Redis dies by SIGKILL and is started again on its folder: nothing acknowledged is lost, and all recover."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from .house import Front, House
from .matches import play_until
from .players import Tally
from .processes import eventually

pytestmark = pytest.mark.xdist_group("faults")
SERVING = health_pb2.HealthCheckResponse.SERVING


@asynccontextmanager
async def health(front: Front) -> AsyncIterator[list[bool]]:
    """Follow whether a front is ready, by its health service: a list that grows with each change."""
    found: list[bool] = []
    note = found.append

    async def follow() -> None:
        replies = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        async for reply in replies:
            note(reply.status == SERVING)

    async with grpc.aio.insecure_channel(front.addresses[0].place) as channel:
        following = asyncio.create_task(follow())
        try:
            yield found
        finally:
            following.cancel()
            await asyncio.wait({following})


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(2, marks=pytest.mark.timeout(600)),
        pytest.param(10, marks=[pytest.mark.soak, pytest.mark.timeout(1800)]),
    ],
)
async def test_redis_that_is_killed_loses_nothing(house: House, kills: int) -> None:
    """What was acknowledged is in the log, once; fronts are ready again by themselves; watchers get all the rest.

    Every other time Redis stays away until the fronts have noticed, and say so.
    """
    await house.mend()
    chance, tally, over = random.Random(kills), Tally(), asyncio.Event()

    async def kill(stays_away: bool, told: list[list[bool]]) -> None:
        await tally.until_acknowledged(chance.randint(10, 20))
        os.kill(house.redis.pid, signal.SIGKILL)
        await eventually(lambda: not house.redis.is_running, "Redis is dead")
        if stays_away:
            await eventually(lambda: not any(one[-1] for one in told), "both fronts say that they are not ready")
        await asyncio.to_thread(house.redis.start)
        await eventually(lambda: all(one[-1] for one in told), "both fronts are ready again")

    async def kill_all() -> None:
        try:
            async with health(house.fronts[0]) as first, health(house.fronts[1]) as second:
                await eventually(lambda: first[-1:] == second[-1:] == [True], "both fronts are ready")
                del first[:-1], second[:-1]
                for number in range(kills):
                    await kill(number % 2 == 0, [first, second])
                await tally.until_acknowledged(10)
                assert first[:3] == second[:3] == [True, False, True]
        finally:
            over.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(kill_all())
        group.create_task(play_until(over, house, 2, chance, tally))

    assert tally.repeated > 0
    assert all(role.is_running for role in house.roles), "a process did not survive that Redis was away"

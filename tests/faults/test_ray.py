"""What thinks dies in the middle of a decision: the decision is made all the same, and the deal goes on."""

from __future__ import annotations

import asyncio
import os
import random
import signal

import pytest

from .gates import closed_gate
from .house import House
from .matches import bot, seated, settings
from .players import Tally
from .processes import PATIENCE_S

pytestmark = pytest.mark.xdist_group("faults")


async def kill_worker(house: House, worker: int) -> None:
    """Kill the worker that decides."""
    os.kill(worker, signal.SIGKILL)


async def kill_ray(house: House, worker: int) -> None:
    """Kill Ray, all of it, and start it again."""
    del worker
    os.kill(house.ray.pid, signal.SIGKILL)
    await house.restart_ray()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kill", [kill_worker, kill_ray])
async def test_a_decision_outlives_who_makes_it(house: House, kill: object) -> None:
    """It is asked for again, and no rule of thumb has to stand in; the deal is played to its end."""
    assert callable(kill)
    await house.mend()
    tally = Tally()
    fallbacks = sum(one.measure("junto_fallbacks_total") for one in house.stewards)
    with closed_gate() as gate:
        bots = [bot("slow", gate.seed)] * 4
        async with house.store() as store, seated(house, random.Random(5), tally, settings(deals=1), bots) as match:
            playing = asyncio.create_task(match.play(2 * PATIENCE_S))  # the bot waits for what the test does
            (worker,) = await gate.until_waiting(1)
            await kill(house, worker)
            await gate.until_waiting(2)
            gate.open()
            await playing
            await match.check(store, tally)

    assert sum(one.measure("junto_fallbacks_total") for one in house.stewards) == fallbacks
    assert all(role.is_running for role in house.roles)

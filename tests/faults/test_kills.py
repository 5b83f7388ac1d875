"""Fronts and stewards die by SIGKILL while deals are played, and nobody at the tables loses anything by it."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter

import pytest

from junto.table.faultpoints import Point

from .deaths import AFTER_COMMIT, ELSEWHERE, Reaper, plan
from .house import House
from .matches import play_until
from .players import Tally

pytestmark = pytest.mark.xdist_group("faults")
TABLES = 4


@pytest.mark.parametrize(
    "deaths",
    [
        pytest.param(12, marks=pytest.mark.timeout(600)),
        pytest.param(40, marks=[pytest.mark.soak, pytest.mark.timeout(1800)]),
    ],
)
async def test_kills_lose_nothing_and_double_nothing(house: House, deaths: int) -> None:
    """Killed at many moments, half of them between commit and reply, the processes leave tables that are whole.

    Every deal is finished by the rules; the actions in the log are those that were acknowledged to players, once
    each; every watcher got every event once and in order.
    """
    chance, tally, over = random.Random(deaths), Tally(), asyncio.Event()
    reaper = Reaper(house.roles, plan(deaths, chance), tally, random.Random(chance.random()))
    started = time.monotonic()

    async def reap() -> None:
        try:
            await reaper.reap()
        finally:
            over.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(reap())
        group.create_task(play_until(over, house, TABLES, chance, tally))

    done = Counter(str(death) for death in reaper.done)
    print(f"\n{deaths} deaths in {time.monotonic() - started:.0f} s: {dict(sorted(done.items()))}; {tally}")
    assert done.total() == deaths
    assert tally.deals >= TABLES
    assert tally.repeated > 0
    assert tally.resumed > 0


def test_the_plan_covers_every_point() -> None:
    """Twelve deaths visit every point, and half of any plan is between commit and reply."""
    points = {(death.command, death.point) for death in plan(12, random.Random(1))}

    assert points == {*AFTER_COMMIT, *ELSEWHERE}
    assert {point for _, point in points} == {*Point, None}
    for count in (12, 40):
        after = [death for death in plan(count, random.Random(1)) if (death.command, death.point) in AFTER_COMMIT]
        assert len(after) == count // 2

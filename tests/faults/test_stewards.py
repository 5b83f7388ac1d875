"""Two stewards at one table: one is stopped in the middle of a decision, and goes on when the other has made it."""

from __future__ import annotations

import asyncio
import random
import signal

import pytest

from .gates import closed_gate
from .house import SHARDS, House
from .matches import bot, seated, settings
from .players import Tally
from .processes import PATIENCE_S, Role, eventually

pytestmark = pytest.mark.xdist_group("faults")


def deciding(house: House) -> Role | None:
    """Return the steward that waits for a decision."""
    return next((one for one in house.stewards if one.measure("junto_decisions_under_way")), None)


@pytest.mark.timeout(600)
async def test_a_steward_that_comes_back_after_its_lease_does_no_harm(house: House) -> None:
    """It commits a decision that the other steward has made meanwhile: nothing is doubled, and it works on."""
    await house.mend()
    tally = Tally()
    with closed_gate() as gate:
        bots = [bot("slow", gate.seed)] * 4
        async with house.store() as store, seated(house, random.Random(4), tally, settings(deals=1), bots) as match:
            playing = asyncio.create_task(match.play(2 * PATIENCE_S))  # the bot waits for what the test does
            await gate.until_waiting(1)
            stopped = deciding(house)
            assert stopped is not None
            other = next(one for one in house.stewards if one is not stopped)
            conflicts = stopped.measure("junto_steward_conflicts_total")

            stopped.send(signal.SIGSTOP)
            try:
                await gate.until_waiting(2)
                assert other.measure("junto_shards_held") == SHARDS
                gate.open()
                await tally.until_acknowledged(3)
            finally:
                stopped.send(signal.SIGCONT)

            await eventually(
                lambda: stopped.measure("junto_steward_conflicts_total") > conflicts, "its decision is refused"
            )
            await eventually(lambda: stopped.measure("junto_shards_held") == SHARDS / 2, "it has its share again")
            await playing
            await match.check(store, tally)

"""A steward keeps an organiser while there is something to play: here a small program stands for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
from prometheus_client import CollectorRegistry

from junto.steward.metrics import StewardMetrics
from junto.steward.organising import Organising
from junto.tournaments.keys import TournamentId
from junto.v1 import tournaments_pb2

from .conftest import Hall

LOOK_S = 0.02
PATIENT = """
import pathlib, signal, sys
ended = pathlib.Path(sys.argv[1])
signal.signal(signal.SIGTERM, lambda *_: (ended.write_text("in order"), sys.exit(0)))
print("played 3\\nsomething else\\nplayed 4", flush=True)
while True:
    signal.pause()
"""
FAILING = """
import pathlib, sys
with pathlib.Path(sys.argv[1]).open("a") as file:
    file.write("tried\\n")
sys.exit(1)
"""

HALTED = """
import os, pathlib, signal, sys
with pathlib.Path(sys.argv[1]).open("a") as file:
    file.write("begun\\n")
os.kill(os.getpid(), signal.SIGSTOP)
"""
LOUD = """
import signal
print(300_000 * "x" + "\\nplayed 5", flush=True)
signal.pause()
"""


def organising(
    hall: Hall, program: str, file: Path, silent_s: float = 60.0, python: str = sys.executable
) -> tuple[Organising, Callable[[str], float]]:
    """Return an organising steward, and what its metrics say."""
    metrics = StewardMetrics(CollectorRegistry())
    command = (python, "-c", program, str(file))
    kept = Organising(hall.work("steward"), hall.clock.now_ms, command, metrics, look_s=LOOK_S, silent_s=silent_s)
    return kept, lambda name: metrics.registry.get_sample_value(name) or 0.0


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that another process makes true."""
    async with asyncio.timeout(20):
        while not condition():  # as it says
            await asyncio.sleep(0.01)


async def test_an_organiser_runs_while_there_is_something_to_play(hall: Hall, tmp_path: Path) -> None:
    """It is started once, what it has kept is counted, and it ends in order with its steward."""
    await hall.create(await hall.player())
    kept, said = organising(hall, PATIENT, tmp_path / "ended")

    async with kept:
        await until(lambda: said("junto_tournament_deals_total") == 7)
        assert kept.pid is not None
        child = psutil.Process(kept.pid)

    assert said("junto_tournaments_open") == 1
    assert (tmp_path / "ended").read_text() == "in order"
    assert not child.is_running()


async def test_none_runs_for_what_another_plays(hall: Hall, tmp_path: Path) -> None:
    """A tournament whose lease is held, and none at all, start nothing."""
    player, work = await hall.player(), hall.work("other")
    created = await hall.create(player)
    assert await work.take(await work.tournaments.get(TournamentId(created.id)), "code")
    kept, said = organising(hall, FAILING, tmp_path / "tries")

    async with kept:
        await until(lambda: said("junto_tournaments_open") == 1)
        cancel = tournaments_pb2.CancelTournamentRequest(tournament_id=created.id)
        await player.tournaments.cancel_tournament(cancel)
        await until(lambda: said("junto_tournaments_open") == 0)

    assert not (tmp_path / "tries").exists()


async def test_one_that_fails_is_tried_again_ever_more_slowly(hall: Hall, tmp_path: Path) -> None:
    """A cluster that is away for a moment costs a moment."""
    await hall.create(await hall.player())
    tries = tmp_path / "tries"
    kept, _ = organising(hall, FAILING, tries)

    async with kept:
        await until(lambda: tries.exists() and len(tries.read_text().splitlines()) >= 3)
        assert kept._pause_s > 3 * LOOK_S


async def test_one_that_is_halted_is_replaced(hall: Hall, tmp_path: Path) -> None:
    """It holds no lease any more, so what it played would wait for as long as it lives."""
    await hall.create(await hall.player())
    begun = tmp_path / "begun"
    kept, _ = organising(hall, HALTED, begun, silent_s=1.0)

    async with kept:
        await until(lambda: begun.exists() and len(begun.read_text().splitlines()) >= 2)


async def test_whatever_it_prints_it_is_heard(hall: Hall, tmp_path: Path) -> None:
    """Libraries print what they like, in lines of any length."""
    await hall.create(await hall.player())
    kept, said = organising(hall, LOUD, tmp_path / "nothing")

    async with kept:
        await until(lambda: said("junto_tournament_deals_total") == 5)


async def test_one_that_cannot_be_started_is_tried_again(hall: Hall, tmp_path: Path) -> None:
    """A machine that has no room for another process may have some later."""
    await hall.create(await hall.player())
    python = tmp_path / "python"
    kept, said = organising(hall, LOUD, tmp_path / "nothing", python=str(python))

    async with kept:
        await until(lambda: kept._pause_s > 3 * LOOK_S)
        assert kept.pid is None
        python.symlink_to(sys.executable)
        await until(lambda: said("junto_tournament_deals_total") == 5)

"""A tournament over the API on a whole machine: `junto up`, a client, and whatever dies meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys

import psutil
import pytest

from junto.arena.crew import OwnCrew
from junto.arena.plan import Plan
from junto.arena.running import run
from junto.client import Client
from junto.internal.v1 import store_pb2
from junto.organiser.specs import read_spec
from junto.organiser.standings import write_standings
from junto.v1 import catalog_pb2, tournaments_pb2

from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")

DEALS = 250


class NoJournal:
    """Keeps nothing: a `Journal` for a run that is never interrupted."""

    def finished(self) -> list[object]:  # type: ignore[override]
        """Return nothing."""
        return []

    def add(self, records: object) -> None:
        """Keep nothing."""


def organiser(live: Live) -> psutil.Process | None:
    """Return the organiser that the machine's steward runs now; None: it runs none."""
    for process in psutil.Process(live.talk.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
            if process.cmdline()[-1:] == ["organise"]:
                return process
    return None


def unbroken(spec: tournaments_pb2.TournamentSpec) -> list[tournaments_pb2.Standing]:
    """Return the standings of a tournament that is played in this process without any interruption."""
    plan = Plan(read_spec(spec))
    ran = run(plan, NoJournal(), OwnCrew(plan), told=lambda _: None, should_stop=lambda: False)  # type: ignore[arg-type]
    return without_times(write_standings(plan, ran.tally.standings()).standings)


def without_times(standings: object) -> list[tournaments_pb2.Standing]:
    """Return standings without the times that decisions took."""
    copied = store_pb2.TournamentProgress(standings=standings)  # type: ignore[arg-type]
    for line in copied.standings:
        line.ClearField("times")
    return list(copied.standings)


@pytest.mark.timeout(480)
async def test_a_tournament_outlives_its_organiser(live: Live) -> None:
    """Killed in the middle, it is taken up by another one and comes to the table of an unbroken run; then nobody is
    left who plays.
    """
    spec = tournaments_pb2.TournamentSpec(
        rules=catalog_pb2.RuleSet(game_id="whist"),
        entrants=[tournaments_pb2.Entrant(name=name, strategy_id=name) for name in ("random", "greedy")],
        deals=DEALS,
    )
    killed: list[int] = []
    async with asyncio.timeout(240), Client(live.grpc, timeout_s=60) as client:
        await client.sign_in_as_guest("Ada")
        wanted = tournaments_pb2.CreateTournamentRequest(spec=spec)
        created = (await client.tournaments.create_tournament(wanted)).tournament
        watch = tournaments_pb2.WatchTournamentRequest(tournament_id=created.id)
        async with contextlib.aclosing(client.tournaments.watch_tournament(watch)) as stream:
            async for message in stream:
                last = message.tournament
                if last.deals_played and not killed:
                    assert last.status == tournaments_pb2.TOURNAMENT_STATUS_RUNNING
                    process = organiser(live)
                    assert process is not None
                    process.send_signal(signal.SIGKILL)
                    killed.append(last.deals_played)
        asked = tournaments_pb2.GetStandingsRequest(tournament_id=created.id)
        standings = (await client.tournaments.get_standings(asked)).standings
        while organiser(live) is not None:  # a process's end is no event here
            await asyncio.sleep(0.1)

    assert killed
    assert killed[0] < 2 * DEALS
    assert (last.status, last.deals_played) == (tournaments_pb2.TOURNAMENT_STATUS_FINISHED, 2 * DEALS)
    assert without_times(standings) == unbroken(created.spec)


def test_a_run_whose_ray_is_gone_ends_with_a_sentence() -> None:
    """Whatever waits for Ray would wait for ever: the process ends, and says that what was played is kept."""
    code = (
        "import time\n"
        "from junto.cli.tournament_run import watched\n"
        "from junto.pool.addresses import ClusterLost\n"
        "def check(): raise ClusterLost('nothing answers as Ray does at 127.0.0.1:1')\n"
        "with watched(check, 0.01): time.sleep(60)\n"
    )

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert ended.returncode == 1
    assert ended.stderr == "junto: nothing answers as Ray does at 127.0.0.1:1; what was played is kept\n"

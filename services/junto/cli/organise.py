"""`junto organise`: plays the tournaments of the API that nobody plays, then ends. A steward starts it."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from contextlib import suppress
from typing import Final

import structlog

from junto.arena.connecting import connected
from junto.arena.plan import Plan
from junto.arena.ray_crew import RayCrew
from junto.cli.console import Failure
from junto.cli.flags import BAD_SETTING, load_settings, with_settings
from junto.cli.roles import SIGNALS, run_role, storing
from junto.front.tournaments import room_of
from junto.organiser.organiser import Came, Organiser
from junto.pool import cluster
from junto.pool.addresses import ClusterLost, check_address
from junto.pool.errors import BadAddress
from junto.table.logs import configure_logs
from junto.table.settings import Settings
from junto.table.store_errors import StoreError
from junto.tournaments.store import Tournaments
from junto.tournaments.work import Work

NICENESS: Final = 10
"""Who answers players, and who decides for bots at tables, goes before who organises, and before who plays."""
LIFE_MS: Final = 10_000
"""How long the lease on a tournament lasts unless it is renewed."""
LOOK_S: Final = 5.0
"""How often the cluster is asked whether it still is the one that we are connected to."""
SILENT_S: Final = 120.0
"""A runner that has given no sign of life for so long hangs, most likely in Ray."""
STDOUT: Final = 1
TROUBLE: Final = 1
"""The exit code after workers, or the cluster, failed."""

_log = structlog.get_logger(__name__)


@with_settings
def organise() -> None:
    """Play the tournaments that nobody plays, then end.

    A steward runs this while there are some. It prints a line `played N` for each N deals that were kept, and `alive`
    every few seconds.
    """
    settings = load_settings()
    configure_logs(settings, "organiser")
    if settings.ray_address is None:
        raise Failure("say where Ray is: RAY_ADDRESS or --ray-address", BAD_SETTING)
    with suppress(OSError):  # nicer than it may become
        os.nice(max(0, NICENESS - os.nice(0)))
    try:
        address = check_address(settings.ray_address)
        with connected(address):
            run_role(_organise(settings, address))
    except BadAddress as problem:
        raise Failure(f"RAY_ADDRESS: {problem}", BAD_SETTING) from None
    except (ClusterLost, StoreError) as problem:
        raise Failure(str(problem), TROUBLE) from None


async def _organise(settings: Settings, address: str) -> None:
    owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    async with storing(settings) as stored:
        workers = settings.tournament_workers or max(1, cluster.cpus() - 1)

        def crew_of(plan: Plan) -> RayCrew:
            return RayCrew(plan, workers, NICENESS)

        organiser = Organiser(
            Work(Tournaments(stored.store, room_of(settings)), owner, LIFE_MS),
            crew_of,
            stored.clock.now_ms,
            turn_s=settings.tournament_turn_seconds,
            played=lambda sittings: _tell(f"played {sittings}"),
        )
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, organiser.stopping.set)
        watching = asyncio.create_task(_watch(organiser, address))
        try:
            came = await organiser.work_off()
        finally:
            watching.cancel()
    if came is Came.TROUBLE:
        raise ClusterLost("the workers of a tournament failed; the log says how")


async def _watch(organiser: Organiser, address: str) -> None:
    """End this process if Ray is gone, or a call to it never returns: nothing else would. The lease runs out."""
    while True:
        _tell("alive")
        await asyncio.sleep(LOOK_S)
        try:
            await asyncio.to_thread(cluster.check, address)
        except ClusterLost as problem:
            _log.warning("the cluster is lost", problem=str(problem))
            _leave()
        if organiser.idle_s > SILENT_S:
            _log.warning("the runner hangs", seconds=round(organiser.idle_s))
            _leave()


def _tell(line: str) -> None:
    """Tell whoever started this. If they are gone, what is played is no worse for it."""
    with suppress(OSError):
        os.write(STDOUT, f"{line}\n".encode())


def _leave() -> None:
    os.kill(os.getpid(), signal.SIGKILL)

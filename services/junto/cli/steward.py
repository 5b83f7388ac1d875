"""`junto steward`: one steward."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Annotated, Final

import structlog
import typer
from prometheus_client import CollectorRegistry, start_http_server

from junto.cli import fated
from junto.cli.console import Failure
from junto.cli.flags import BAD_SETTING, load_settings, with_settings
from junto.cli.readiness import say_ready
from junto.cli.roles import Storing, run_role, storing, until_asked_to_end
from junto.front.tournaments import room_of
from junto.pool.addresses import check_address
from junto.pool.errors import BadAddress, PoolUnavailable
from junto.pool.pool import Pool
from junto.steward.metrics import StewardMetrics
from junto.steward.organising import Organising
from junto.steward.working import NoRay, working
from junto.table.logs import configure_logs
from junto.table.settings import Settings
from junto.table.store_errors import StoreError
from junto.tournaments.store import Tournaments
from junto.tournaments.work import Work

JUNTO: Final = (sys.executable, "-m", "junto.cli.main")
_log = structlog.get_logger(__name__)

LOOK_AGAIN_S: Final = 30.0
"""How often it is said that the pool is still not ready."""


@with_settings
def steward(
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Written once bots decide.")] = None,
) -> None:
    """Run a steward: bots, clocks and whatever else is due at the tables in the Redis that JUNTO_REDIS_URL names.

    The search runs on the Ray cluster that RAY_ADDRESS names; a node of it must run on this machine. Any number of
    stewards may run: they share the tables. SIGTERM lets what is under way end, and gives the leases back.
    """
    settings = load_settings()
    configure_logs(settings, "steward")
    try:
        if settings.ray_address is not None:
            check_address(settings.ray_address)
        run_role(_work(settings, ready_file))
    except NoRay as problem:
        raise Failure(str(problem), BAD_SETTING) from None
    except BadAddress as problem:
        raise Failure(f"RAY_ADDRESS: {problem}", BAD_SETTING) from None
    except StoreError as problem:
        raise Failure(str(problem)) from None


async def _work(settings: Settings, ready_file: Path | None) -> None:
    registry = CollectorRegistry()
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    async with storing(settings) as stored:
        with _measured(settings, registry):
            async with working(stored.store, settings, stored.clock.now_ms, registry, name) as at_work:
                _log.info("at work", steward=name)
                ready = asyncio.create_task(_say_when_ready(at_work.pool, ready_file))
                try:
                    async with _organising(settings, stored, at_work.metrics, name):
                        await until_asked_to_end()
                finally:
                    ready.cancel()
                    _log.info("leaving", steward=name)


@asynccontextmanager
async def _organising(settings: Settings, stored: Storing, metrics: StewardMetrics, name: str) -> AsyncIterator[None]:
    if not settings.tournaments:
        yield
        return
    work = Work(Tournaments(stored.store, room_of(settings)), name, life_ms=0)
    command = (sys.executable, "-I", "-S", fated.__file__, str(os.getpid()), *JUNTO, "organise")
    async with Organising(work, stored.clock.now_ms, command, metrics):
        yield


async def _say_when_ready(pool: Pool, ready_file: Path | None) -> None:
    while True:
        try:
            await pool.warm(1, within_s=LOOK_AGAIN_S)
        except PoolUnavailable as problem:
            _log.warning("the pool is not ready", problem=str(problem))
        else:
            break
    _log.info("bots decide")
    say_ready(ready_file)


@contextmanager
def _measured(settings: Settings, registry: CollectorRegistry) -> Iterator[None]:
    """Serve the metrics of a registry.

    Raises:
        Failure: the address cannot be had.
    """
    if not settings.metrics:
        yield
        return
    host, port = settings.metrics_host, settings.metrics_port
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise Failure(f"cannot listen on {host}:{port} for metrics: {error.strerror}") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

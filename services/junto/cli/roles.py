"""What `junto serve` and `junto steward` share: the loop, the signals, the store, and failures to start in words."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from junto.cli.console import Failure
from junto.cli.flags import BAD_SETTING
from junto.table import faultpoints
from junto.table.clock import Clock, Pulse
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.settings import Settings
from junto.table.store import Retention, Store, open_store
from junto.table.store_errors import RedisUrlError, StoreError

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
MS: Final = 1000
GC_THRESHOLDS: Final = (20_000, 50, 100)
"""New objects before the youngest are looked at, and how many such looks before the older ones are."""


@dataclass(frozen=True, slots=True)
class Storing:
    """The tables in Redis, and Redis's clock."""

    store: Store
    clock: Clock
    pulse: Pulse


@asynccontextmanager
async def storing(settings: Settings) -> AsyncIterator[Storing]:
    """Open the tables.

    Raises:
        Failure: no Redis is named, or it cannot be reached, or not be written.
    """
    if settings.redis_url is None:
        raise Failure("say where Redis is: JUNTO_REDIS_URL or --redis-url (`junto up` has one of its own)", BAD_SETTING)
    faultpoints.arm(settings.fault)
    password = settings.redis_password.get_secret_value() if settings.redis_password else None
    try:
        connection = await open_connection(settings.redis_url, password)
    except RedisUrlError as problem:
        raise Failure(f"JUNTO_REDIS_URL: {problem}", BAD_SETTING) from None
    except StoreError as problem:
        raise Failure(str(problem)) from None
    async with connection:
        try:
            store = await open_store(connection, Keyspace(settings.shards), retention(settings))
        except StoreError as problem:
            raise Failure(str(problem)) from None
        clock = Clock()
        async with Pulse(store, clock) as pulse:
            yield Storing(store, clock, pulse)


def retention(settings: Settings) -> Retention:
    """Return how long things are kept in Redis."""
    return Retention(log_ms=settings.log_retention_seconds * MS, request_ms=settings.request_retention_seconds * MS)


async def until_asked_to_end() -> None:
    """Wait for SIGTERM or SIGINT. A second signal ends the process at once."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, asked.set)
    try:
        await asked.wait()
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)


def run_role(work: Coroutine[Any, Any, None]) -> None:
    """Run a role to its end, on uvloop where there is one."""
    factory = None
    if sys.platform != "win32":
        import uvloop  # noqa: PLC0415  # it does not exist elsewhere

        factory = uvloop.new_event_loop
    _collect_seldom()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)


def _collect_seldom() -> None:
    """Look for garbage in cycles less often: a role keeps many small frozen values and makes next to no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)

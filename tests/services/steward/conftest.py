"""Stewards at work over a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from tests.services.steward.harness import ScriptedThinkers, at_random

from junto.steward.metrics import StewardMetrics
from junto.steward.steward import Steward
from junto.table.aggregate import Table
from junto.table.clock import Clock, Pulse
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.seats import TableId
from junto.table.settings import Settings
from junto.table.store import Store, open_store

SHARDS = 8


class Office:
    """Stewards, what they measure, and the tables they work on."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.stewards = AsyncExitStack()
        self.metrics = StewardMetrics(CollectorRegistry())
        self.thinkers = ScriptedThinkers()
        self.rule_of_thumb = at_random

    async def hire(self, name: str = "a", **settings: Any) -> Steward:
        """Put a steward to work."""
        steward = Steward(
            self.store,
            now_ms=self.clock.now_ms,
            pool=self.thinkers,
            rule_of_thumb=self.rule_of_thumb,
            settings=Settings(
                lease_seconds=0.3, sweep_seconds=0.2, drain_seconds=2.0, pool_patience_seconds=2.0, **settings
            ),
            metrics=self.metrics,
            name=name,
        )
        return await self.stewards.enter_async_context(steward)

    def count(self, name: str, **labels: str) -> float:
        """Return what a counter says."""
        return self.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.fixture
async def office(redis_url: str) -> AsyncIterator[Office]:
    """Open an office without stewards yet."""
    async with await open_connection(redis_url) as connection:
        store = await open_store(connection, Keyspace(SHARDS))
        clock = Clock()
        async with Pulse(store, clock):
            office = Office(store, clock)
            async with office.stewards:
                yield office


Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


@pytest.fixture
def table_until() -> Callable[[Steward, TableId, Callable[[Table], bool]], Awaitable[Table]]:
    """Wait until a table is as a condition says; fail if it is not in time."""

    async def wait(steward: Steward, table_id: TableId, condition: Callable[[Table], bool]) -> Table:
        async with asyncio.timeout(90):
            while True:
                table = await steward.tables.get(table_id)
                if condition(table):
                    return table
                await asyncio.sleep(0.01)

    return wait

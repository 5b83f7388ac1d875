"""One steward process, put together: the pool, the rule of thumb, the metrics, the steward."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry

from junto.pool.decide import DECIDE, WARM_UP, decide
from junto.pool.pool import Pool
from junto.pool.settings import PoolSettings
from junto.steward.metrics import PoolMetrics, StewardMetrics
from junto.steward.steward import Steward
from junto.table.settings import Settings
from junto.table.store import Store

RULE_OF_THUMB_S: Final = 1.0
"""How long the rule of thumb may take; it takes next to nothing."""


class NoRay(Exception):
    """No Ray cluster is named."""


@dataclass(frozen=True, slots=True)
class Working:
    """A steward at work, and its pool, which may still be starting: `await pool.warm(...)` waits for it."""

    steward: Steward
    pool: Pool
    metrics: StewardMetrics


@asynccontextmanager
async def working(
    store: Store, settings: Settings, now_ms: Callable[[], int], registry: CollectorRegistry, name: str
) -> AsyncIterator[Working]:
    """Put a steward to work in this process.

    It works from the first moment; bots wait until the pool has connected to Ray, which takes seconds.

    Args:
        store: where the tables are.
        settings: see there.
        now_ms: the store's time.
        registry: where its metrics go.
        name: its name, unique among stewards.

    Raises:
        NoRay: the settings name no cluster.
        BadAddress: what they name is no address of one.
        StoreUnavailable: Redis cannot be reached.
    """
    if settings.ray_address is None:
        raise NoRay("say where Ray is: RAY_ADDRESS or --ray-address (`junto up` starts a local one)")
    workers = PoolSettings(DECIDE, WARM_UP, settings.workers)
    async with Pool(settings.ray_address, workers, observer=PoolMetrics(registry)) as pool:
        pool.start()
        metrics = StewardMetrics(registry)
        async with Steward(
            store,
            now_ms=now_ms,
            pool=pool,
            rule_of_thumb=_rule_of_thumb,
            settings=settings,
            metrics=metrics,
            name=name,
        ) as steward:
            yield Working(steward, pool, metrics)


def _rule_of_thumb(strategy_id: str, request: bytes) -> bytes:
    return decide(strategy_id, request, RULE_OF_THUMB_S)

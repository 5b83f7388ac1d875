"""Work that several callers want at once is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable | None)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Joins callers who want the same thing. Cancelling one caller does not cancel the work."""

    def __init__(self) -> None:
        self._under_way: dict[K, asyncio.Task[V]] = {}

    async def join(self, key: K, work: Callable[[], Awaitable[V]]) -> V:
        """Return what `work` returns or raises; it is started unless it is under way for `key` already."""
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.ensure_future(_run(work))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._land(key, done))
        return await asyncio.shield(task)

    def _land(self, key: K, done: asyncio.Task[V]) -> None:
        del self._under_way[key]
        if not done.cancelled():
            done.exception()  # all who wanted it may have left: then nobody else asks for it


async def _run(work: Callable[[], Awaitable[V]]) -> V:
    return await work()

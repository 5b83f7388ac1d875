"""Time by Redis's clock, so that all processes agree, and whether Redis takes writes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import structlog

from junto.table.store import Store
from junto.table.store_errors import StoreError, StoreUnavailable

LONGEST_TRIP_S = 0.25
"""An answer that took longer than this says too little about what time it is."""

_log = structlog.get_logger(__name__)


class Clock:
    """Redis's time, kept between questions by this machine's own steady clock.

    Args:
        steady: seconds that only ever grow.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._ahead_s: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether the time is known."""
        return self._ahead_s is not None

    def now_ms(self) -> int:
        """Return the time: milliseconds since 1970.

        Raises:
            StoreUnavailable: Redis has not told it yet.
        """
        if self._ahead_s is None:
            raise StoreUnavailable("Redis has not told what time it is yet")
        return int((self._steady() + self._ahead_s) * 1000)

    def told(self, now_us: int, asked_s: float, answered_s: float) -> None:
        """Take the time from an answer, as if it had been given halfway between question and answer.

        Args:
            now_us: what was answered: microseconds since 1970.
            asked_s: when it was asked, by the steady clock.
            answered_s: when the answer came, by the same.
        """
        if self._ahead_s is None or answered_s - asked_s <= LONGEST_TRIP_S:
            self._ahead_s = now_us / 1e6 - (asked_s + answered_s) / 2


class Pulse:
    """Probes the store once a second: keeps the clock right, and knows whether writing works.

    Use it as `async with Pulse(store, clock):`; the first probe is done when the body begins.

    Args:
        store: what is probed.
        clock: what is kept right.
        every_s: how often.
        patience_s: a probe that takes longer has failed.
    """

    def __init__(self, store: Store, clock: Clock, *, every_s: float = 1.0, patience_s: float = 3.0) -> None:
        self._store = store
        self._clock = clock
        self._every_s = every_s
        self._patience_s = patience_s
        self._beating: asyncio.Task[None] | None = None
        self.trouble = "Redis was not asked yet"

    @property
    def is_ready(self) -> bool:
        """Whether the last probe could write."""
        return not self.trouble

    async def beat(self) -> None:
        """Probe once. What goes wrong is said by `trouble`, not raised."""
        trouble = ""
        asked_s = time.monotonic()
        try:
            async with asyncio.timeout(self._patience_s):
                now_us = await self._store.probe()
            self._clock.told(now_us, asked_s, time.monotonic())
        except TimeoutError:
            trouble = f"Redis at {self._store.connection.url} took longer than {self._patience_s:g} s to write a key"
        except StoreError as problem:
            trouble = str(problem)
        if trouble and not self.trouble:
            _log.warning("store not writable", trouble=trouble)
        elif self.trouble and not trouble:
            _log.info("store writable")
        self.trouble = trouble

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            await self.beat()

    async def __aenter__(self) -> Self:
        await self.beat()
        self._beating = asyncio.create_task(self._keep_beating())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._beating is not None, "it was not started"
        self._beating.cancel()
        with suppress(asyncio.CancelledError):
            await self._beating

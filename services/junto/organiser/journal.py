"""A tournament's journal in Redis, as the arena's runner wants one.

The runner works in a thread of its own and waits for what the event loop does for it. While Redis is away it waits
for that as well: what it has to keep is then kept once, whatever was answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import structlog

from junto.arena.records import SittingRecord, from_bytes, to_bytes
from junto.internal.v1 import store_pb2
from junto.table.store_errors import StoreUnavailable
from junto.tournaments.work import Hold, Work

AGAIN_S: Final = 0.5
"""How long is waited before Redis is asked again."""

_log = structlog.get_logger(__name__)
_Key = tuple[int, int]


class Stopped(Exception):
    """The organiser is asked to end while Redis is away: what was to be kept is played again."""


class RedisJournal:
    """A `junto.arena.journal.Journal`. `await opened(...)` makes one.

    Args:
        work: the organiser's.
        hold: the right to write.
        entries: how many entries the journal has.
        known: what they hold, packed, by deal and sitting.
        stopping: set when the organiser is to end.
        kept: is told how many sittings were added.
    """

    def __init__(
        self,
        work: Work,
        hold: Hold,
        entries: int,
        known: dict[_Key, bytes],
        stopping: asyncio.Event,
        kept: Callable[[int], None],
    ) -> None:
        self._work = work
        self._hold = hold
        self._entries = entries
        self._known = known
        self._stopping = stopping
        self._kept = kept
        self._loop = asyncio.get_running_loop()
        self.on_read: Callable[[], None] = lambda: None
        """Is told of each record that is read: many of them take long to count."""

    def finished(self) -> Iterator[SittingRecord]:
        """See `Journal`. What was there when it was opened; not for the event loop's thread."""
        for key in sorted(self._known):
            self.on_read()
            yield from_bytes(self._known[key])

    def add(self, records: Sequence[SittingRecord]) -> None:
        """See `Journal`. Called from the runner's thread.

        Raises:
            LeaseLost: the tournament is another's by now, or over.
            JournalBehind: the store has forgotten what it had.
            Stopped: the organiser is to end, and Redis is away.
        """
        fresh = [record for record in records if (record.sitting.deal, record.sitting.number) not in self._known]
        if fresh:
            asyncio.run_coroutine_threadsafe(self._keep(fresh), self._loop).result()

    async def _keep(self, records: Sequence[SittingRecord]) -> None:
        packed = [
            store_pb2.PlayedSitting(deal=record.sitting.deal, number=record.sitting.number, record=to_bytes(record))
            for record in records
        ]
        entry = store_pb2.PlayedSittings(sittings=packed)
        while True:
            try:
                await self._work.add(self._hold, self._entries, entry)
                break
            except StoreUnavailable as problem:
                if self._stopping.is_set():
                    raise Stopped from None
                _log.warning("sittings not kept yet", sittings=len(records), problem=str(problem))
                await asyncio.sleep(AGAIN_S)
        self._entries += 1
        self._kept(len(records))


async def opened(work: Work, hold: Hold, stopping: asyncio.Event, kept: Callable[[int], None]) -> RedisJournal:
    """Return the journal of a tournament, read.

    Raises:
        StoreUnavailable: Redis cannot be reached.
    """
    entries = 0
    known: dict[_Key, bytes] = {}
    async for entry in work.journal(hold.tournament.id):
        entries += 1
        for one in entry.sittings:
            known.setdefault((one.deal, one.number), one.record)
    return RedisJournal(work, hold, entries, known, stopping, kept)

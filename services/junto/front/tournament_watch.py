"""Who watches tournaments in this process: one reader for each tournament that is watched, however many watch it.

A notice only wakes: the reader then reads the truth, not more often than a few times a second, and once in a while
without a notice, since some changes have none (nobody plays it any more) and notices may be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Final

import structlog

from junto.front.faults import Fault, draining
from junto.front.refusals import refusals
from junto.table.changes import Changes
from junto.table.keys import Shard
from junto.table.seats import TableId
from junto.table.store_errors import StoreError
from junto.tournaments.keys import TournamentId, shard_of
from junto.tournaments.store import Tournament, Tournaments
from junto.v1 import errors_pb2

APART_S: Final = 0.3
"""The least time between two messages of a stream."""
ANYWAY_S: Final = 2.0
"""After so long the truth is read although nobody told of a change."""

_log = structlog.get_logger(__name__)


class _Channel:
    """A tournament that is watched: as it was last read, and whether that is newer than what a watcher saw."""

    def __init__(self, tournament: Tournament, *, waiting: bool) -> None:
        self.tournament = tournament
        self.waiting = waiting
        self.readings = 0
        self.watchers = 0
        self.problem: Exception | None = None
        self.noticed = asyncio.Event()
        self.news = asyncio.Condition()
        self.reader: asyncio.Task[None] | None = None


class TournamentWatch:
    """See the module. Start it with a subscription whose listener passes `changed` and `missed` on.

    Args:
        tournaments: where they are.
        now_ms: the store's time.
    """

    def __init__(self, tournaments: Tournaments, now_ms: Callable[[], int]) -> None:
        self._tournaments = tournaments
        self._now_ms = now_ms
        self._channels: dict[TournamentId, _Channel] = {}
        self._changes: Changes | None = None
        self._draining = False

    def start(self, changes: Changes) -> None:
        """Say where changes are heard of."""
        self._changes = changes

    # --- notices (`junto.table.changes.Listener`)

    def changed(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """Read a tournament again, if somebody watches it."""
        del version, due_ms
        if channel := self._channels.get(TournamentId(table_id)):
            channel.noticed.set()

    def asked(self, shard: Shard) -> None:
        """See `junto.table.changes.Listener`; hints are none of its business."""

    def answered(self, payload: bytes) -> None:
        """See `junto.table.changes.Listener`; it asks nobody."""

    def missed(self) -> None:
        """Read all of them again."""
        for channel in self._channels.values():
            channel.noticed.set()

    # --- who watches

    async def watch(self, tournament_id: TournamentId, token_s: float) -> AsyncGenerator[Tournament, None]:
        """Yield a tournament as it stands, then whenever it has changed, until it is over.

        `token_s` is how long the watcher's token is still good.

        Raises:
            Fault: there is none, or it cannot be read, or the token ended, or this process drains.
        """
        with refusals():
            channel = await self._join(tournament_id)
        until = asyncio.get_running_loop().time() + token_s
        try:
            seen = -1
            while True:
                await self._news(channel, seen, until)
                seen = channel.readings
                yield channel.tournament
                if not channel.tournament.is_running:
                    return
                await asyncio.sleep(APART_S)
        finally:
            self._leave(tournament_id, channel)

    async def _news(self, channel: _Channel, seen: int, until: float) -> None:
        """Wait until there is something that a watcher has not seen."""
        try:
            async with asyncio.timeout_at(until), channel.news:
                await channel.news.wait_for(
                    lambda: self._draining or channel.problem is not None or channel.readings != seen
                )
        except TimeoutError:
            raise Fault(errors_pb2.ERROR_REASON_TOKEN_EXPIRED, "your token has ended: refresh it") from None
        if self._draining:
            raise draining()
        if channel.problem is not None:
            with refusals():
                raise channel.problem

    async def drain(self) -> None:
        """End all streams: they go on elsewhere."""
        self._draining = True
        for channel in list(self._channels.values()):
            async with channel.news:
                channel.news.notify_all()

    async def aclose(self) -> None:
        """End all readers."""
        readers = [channel.reader for channel in self._channels.values() if channel.reader is not None]
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)

    async def _join(self, tournament_id: TournamentId) -> _Channel:
        if tournament_id not in self._channels:
            assert self._changes is not None, "it is not started"
            # First listen, then read: nothing can happen unheard in between.
            await self._changes.want([shard_of(self._tournaments.store.keyspace, tournament_id)])
            found = await self._tournaments.get(tournament_id)
            if tournament_id not in self._channels:  # another watcher may have been faster
                channel = _Channel(found, waiting=found.is_waiting(self._now_ms()))
                channel.reader = asyncio.create_task(self._read(tournament_id, channel))
                self._channels[tournament_id] = channel
        channel = self._channels[tournament_id]
        channel.watchers += 1
        return channel

    def _leave(self, tournament_id: TournamentId, channel: _Channel) -> None:
        channel.watchers -= 1
        if not channel.watchers:
            assert channel.reader is not None
            channel.reader.cancel()
            if self._channels.get(tournament_id) is channel:
                del self._channels[tournament_id]

    async def _read(self, tournament_id: TournamentId, channel: _Channel) -> None:
        while channel.tournament.is_running and channel.problem is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(ANYWAY_S):
                    await channel.noticed.wait()
            channel.noticed.clear()
            try:
                found = await self._tournaments.get(tournament_id)
            except StoreError as problem:
                _log.info("tournament not read", tournament=tournament_id, problem=str(problem))
            except Exception as problem:  # noqa: BLE001  # told to each watcher, as a refusal or as an incident
                channel.problem = problem
            else:
                waiting = found.is_waiting(self._now_ms())
                if (found.version, waiting) == (channel.tournament.version, channel.waiting):
                    continue
                channel.tournament, channel.waiting = found, waiting
                channel.readings += 1
            async with channel.news:
                channel.news.notify_all()
            await asyncio.sleep(APART_S)

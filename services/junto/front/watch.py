"""Watching tables: one hub per process, one channel per table that somebody watches.

A channel holds the table as this process last knew it. What this process commits goes straight to the
channel's watchers; what others commit is announced by the store, which only wakes: the truth is read from the
table's log from the channel's version on. Whatever cannot be bridged that way is bridged by a full view.
An update is built once, and serialised once for all who see the same.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Final

import structlog

from junto.front.call import Raw
from junto.front.presence import GRACE_S, Presences
from junto.front.refusals import refusals
from junto.front.watchers import Watcher
from junto.table import faultpoints
from junto.table.aggregate import Change, Table
from junto.table.changes import Changes
from junto.table.entries import ForeignEntry
from junto.table.errors import NotAllowed, TableNotFound
from junto.table.faultpoints import Point
from junto.table.handling import BrokenLog
from junto.table.history import LogGone, changes_after, changes_since
from junto.table.scenes import may_watch, merged, scene, update, viewer
from junto.table.seats import PlayerId, Status, TableId
from junto.table.service import Tables
from junto.table.single_flight import SingleFlight
from junto.table.snapshot import SnapshotError
from junto.table.store_errors import StoreError
from junto.v1 import tables_pb2
from junto.wire.updates import Scene, Update, watch_full, watch_resumed, watch_update

HEARTBEAT_S: Final = 10.0
"""A stream is never quiet for longer than twice this."""

LONGEST_WAIT_S: Final = 2.0
"""How long a new stream waits until this process has read what its watcher has seen elsewhere."""

LONGEST_RESUME: Final = 500
"""How many versions a stream may have missed before it starts anew with a full view."""

_log = structlog.get_logger(__name__)


class Channel:
    """A table that somebody watches."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.watchers: set[Watcher] = set()
        self.catching_up: asyncio.Task[None] | None = None
        self.wanted_version = table.version
        self.is_doubtful = False
        self.is_asked_for = False
        """Whether the store was asked for the table: news that comes before the answer may be newer than it."""
        self._scene: Scene | None = None

    @property
    def scene(self) -> Scene:
        """The table as its viewers may see it now."""
        if self._scene is None:
            self._scene = scene(self.table)
        return self._scene

    def advance(self, change: Change, told: Update) -> None:
        """Let all watchers know of the next change."""
        seats_changed = change.before is None or change.before.seats is not change.table.seats
        self.table = change.table
        self._scene = told.scene
        if seats_changed:
            self._reseat()
        for watcher in self.watchers:
            watcher.tell(told)
        if self.table.status is Status.CLOSED:
            self.end(tables_pb2.END_REASON_MATCH_OVER)

    def replace(self, table: Table) -> None:
        """Let all watchers forget what they know, and begin with this table."""
        self.table = table
        self._scene = None
        for watcher in self.watchers:
            watcher.renew(viewer(table, watcher.player))
        self._reseat()
        if table.status is Status.CLOSED:
            self.end(tables_pb2.END_REASON_MATCH_OVER)

    def end(self, reason: tables_pb2.EndReason.ValueType) -> None:
        """End all streams."""
        for watcher in self.watchers:
            watcher.end(reason)

    def is_watched_by(self, player: PlayerId) -> bool:
        """Tell whether a stream of that player goes on."""
        return any(watcher.player == player and not watcher.is_over for watcher in self.watchers)

    def _reseat(self) -> None:
        """Show the table anew to those who sit elsewhere now; end the streams of those who may not watch any more."""
        for watcher in self.watchers:
            if not may_watch(self.table, watcher.player):
                watcher.end(tables_pb2.END_REASON_NOT_ALLOWED)
            elif (now := viewer(self.table, watcher.player)) != watcher.viewer:
                watcher.renew(now)


class Hub:
    """All channels of this process. It listens to what is committed, here and elsewhere.

    Args:
        tables: the tables; the hub has to be told of every change that they commit (`committed`).
        heartbeat_s: how often quiet streams get a sign of life.
        presence_grace_s: how long a player whose stream broke counts as present.
    """

    def __init__(self, tables: Tables, *, heartbeat_s: float = HEARTBEAT_S, presence_grace_s: float = GRACE_S) -> None:
        self._tables = tables
        self._changes: Changes | None = None
        self._heartbeat_s = heartbeat_s
        self._channels: dict[TableId, Channel] = {}
        self._opening = SingleFlight[TableId, None]()
        self._news: dict[TableId, bool] = {}
        """By table that is read in order to open its channel: whether something was heard of it meanwhile."""
        self._presences = Presences(tables, self._is_watched, presence_grace_s)
        self._last: tuple[Change, Update] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._draining = False
        tables.on_change = self.committed
        tables.on_settled = self.settled

    def start(self, changes: Changes) -> None:
        """Begin to listen and to send signs of life."""
        self._changes = changes
        self._beating = asyncio.create_task(self._beat())

    async def aclose(self) -> None:
        """Stop all that goes on in the background."""
        tasks = [channel.catching_up for channel in self._channels.values()] + [self._beating]
        for task in filter(None, tasks):
            task.cancel()
        await asyncio.gather(*filter(None, tasks), return_exceptions=True)
        await self._presences.aclose()

    @property
    def watchers(self) -> int:
        """How many streams are open."""
        return sum(len(channel.watchers) for channel in self._channels.values())

    def drain(self) -> None:
        """End all streams, and those that are opened from now on: another process will answer."""
        self._draining = True
        for channel in self._channels.values():
            channel.end(tables_pb2.END_REASON_DRAINING)

    def update_of(self, change: Change) -> Update:
        """Return the update of a change, the very one that the watchers got if it is the last."""
        if self._last is None or self._last[0] is not change:
            self._last = (change, update(change))
        return self._last[1]

    # --- what is committed

    def committed(self, change: Change) -> None:
        """Pass on what this process has committed."""
        channel = self._heard_of(change.table.table_id)
        if channel is None:
            return
        if channel.table.version == change.table.version - 1:
            self._advance(channel, change)
        elif channel.table.version < change.table.version:
            self._catch_up(channel, change.table.version)

    def changed(self, table_id: TableId, version: int) -> None:
        """Take the notice that a table is at a version; 0: it was removed."""
        channel = self._heard_of(table_id)
        if channel is None:
            return
        if version == 0:
            self._remove(channel)
        elif channel.table.version < version:
            if self._tables.is_committing(table_id):
                # It is likely this process's own, whose answer is on its way: then there is nothing to read.
                channel.wanted_version = max(channel.wanted_version, version)
            else:
                faultpoints.at(Point.NOTICED)
                self._catch_up(channel, version)

    def settled(self, table_id: TableId) -> None:
        """Read what others committed while commits of this process were under way."""
        channel = self._channels.get(table_id)
        if channel is not None and channel.table.version < channel.wanted_version:
            self._catch_up(channel, channel.wanted_version)

    def missed(self) -> None:
        """Take the notice that notices may have been lost."""
        self._news = dict.fromkeys(self._news, True)
        for channel in self._channels.values():
            self._catch_up(channel, None)

    def _heard_of(self, table_id: TableId) -> Channel | None:
        """Return the channel of a table of which there is news; an answer that is awaited may be older than that."""
        channel = self._channels.get(table_id)
        if channel is not None and channel.is_asked_for:
            channel.is_doubtful = True
        elif channel is None and table_id in self._news:
            self._news[table_id] = True
        return channel

    def _advance(self, channel: Channel, change: Change) -> None:
        channel.advance(change, self.update_of(change))
        if change.before is None or change.before.seats is not change.table.seats:
            self._presences.look(channel.table, channel.watchers)

    def _remove(self, channel: Channel) -> None:
        channel.end(tables_pb2.END_REASON_TABLE_REMOVED)
        self._channels.pop(channel.table.table_id, None)

    def _catch_up(self, channel: Channel, version: int | None) -> None:
        """Read what others committed; None: whatever there is, and whether what is known is still true."""
        if version is None:
            channel.is_doubtful = True
        else:
            channel.wanted_version = max(channel.wanted_version, version)
        if channel.catching_up is None:
            channel.catching_up = asyncio.create_task(self._follow(channel))

    async def _follow(self, channel: Channel) -> None:
        pauses = itertools.chain((0.05, 0.1, 0.2, 0.5), itertools.repeat(1.0))
        try:
            while channel.is_doubtful or channel.table.version < channel.wanted_version:
                try:
                    await self._read_on(channel)
                except StoreError as problem:
                    _log.info("table not read", table=channel.table.table_id, problem=str(problem))
                    await asyncio.sleep(next(pauses))
        except TableNotFound:
            self._remove(channel)
        except SnapshotError as problem:
            _log.warning("table not readable", table=channel.table.table_id, problem=str(problem))
            channel.end(tables_pb2.END_REASON_DRAINING)
        finally:
            channel.catching_up = None

    async def _read_on(self, channel: Channel) -> None:
        base = channel.table
        if channel.is_doubtful:
            stored = await self._ask(channel)
            channel.wanted_version = stored.version
            if stored.version < base.version or (stored.version == base.version and stored != base):
                channel.replace(stored)
                return
        try:
            found = await changes_since(self._tables.store, base, channel.wanted_version)
        except (LogGone, BrokenLog, ForeignEntry) as problem:
            _log.info("gap bridged by a full view", table=base.table_id, problem=str(problem))
            channel.replace(await self._ask(channel))
            return
        for change in found:
            if channel.table.version == change.table.version - 1:
                self._advance(channel, change)
                self._tables.learn(change.table)

    async def _ask(self, channel: Channel) -> Table:
        """Return a channel's table as it is stored; if there is news before the answer, it stays doubtful."""
        channel.is_doubtful, channel.is_asked_for = False, True
        stored: Table | None = None
        try:
            stored = await self._tables.get(channel.table.table_id)
            return stored
        finally:
            channel.is_asked_for = False
            channel.is_doubtful |= stored is None

    # --- who watches

    async def watch(
        self, table_id: TableId, player: PlayerId, after_version: int | None, *, views: bool, token_s: float
    ) -> AsyncGenerator[Raw, None]:
        """Yield the messages of a stream; `token_s` is how long its token is still good.

        Raises:
            Fault: there is nothing to watch, or the table cannot be read.
        """
        with refusals():
            channel = await self._channel(table_id)
            if after_version is not None and after_version > channel.table.version:
                channel = await self._caught_up(channel)
            if not may_watch(channel.table, player):
                raise NotAllowed("only its players may watch this table")
        watcher = Watcher(player, viewer(channel.table, player), views=views)
        for other in channel.watchers:
            if other.player == player:
                other.end(tables_pb2.END_REASON_SUPERSEDED)
        channel.watchers.add(watcher)
        token = asyncio.get_running_loop().call_later(token_s, watcher.end, tables_pb2.END_REASON_TOKEN_EXPIRED)
        try:
            self._presences.arrived(channel.table, watcher)
            if self._draining:
                watcher.end(tables_pb2.END_REASON_DRAINING)
            elif channel.table.status is Status.CLOSED:
                watcher.end(tables_pb2.END_REASON_MATCH_OVER)
            with refusals():
                first = await self._first(channel, watcher, after_version, views=views)
            for message in first:
                yield Raw(message)
            while True:
                if (told := watcher.take(channel.scene.view)) is not None:
                    yield Raw(told)
                if (beat := watcher.take_beat(channel.table.version, self._tables.now_ms)) is not None:
                    yield Raw(beat)
                if (last := watcher.last_word(channel.table.version)) is not None:
                    yield Raw(last)
                    return
                await watcher.wait()
        finally:
            token.cancel()
            self._leave(channel, watcher)

    async def _first(
        self, channel: Channel, watcher: Watcher, after_version: int | None, *, views: bool
    ) -> list[bytes]:
        table = channel.table
        if after_version is not None and 0 <= table.version - after_version <= LONGEST_RESUME:
            with suppress(LogGone, BrokenLog, ForeignEntry, SnapshotError):
                seat = watcher.viewer
                missed = merged(await changes_after(self._tables.store, table, after_version))
                resumed = [watch_resumed(table.version)]
                if missed is not None:
                    resumed.append(watch_update(missed.for_viewer(seat, views=views)))
                return resumed
        if channel.table is not table:
            watcher.renew(watcher.viewer)
            return []
        return [watch_full(channel.scene.view(watcher.viewer))]

    async def _channel(self, table_id: TableId) -> Channel:
        while (channel := self._channels.get(table_id)) is None:
            await self._opening.join(table_id, lambda: self._open(table_id))
        return channel

    async def _open(self, table_id: TableId) -> None:
        assert self._changes is not None, "the hub is not started"
        # First listen, then read: so nothing can happen unheard in between. What is heard before the answer is there
        # may be newer than it.
        await self._changes.want([self._tables.store.keyspace.shard_of(table_id)])
        self._news[table_id] = False
        try:
            channel = self._channels[table_id] = Channel(await self._tables.get(table_id))
        finally:
            has_news = self._news.pop(table_id)
        if has_news:
            self._catch_up(channel, None)

    async def _caught_up(self, channel: Channel) -> Channel:
        """Return a channel once it has read what its watcher has seen elsewhere, and this process not heard of yet."""
        table_id = channel.table.table_id
        self._catch_up(channel, (await self._tables.get(table_id)).version)
        if channel.catching_up is not None:
            await asyncio.wait({channel.catching_up}, timeout=LONGEST_WAIT_S)
        return await self._channel(table_id)

    def _leave(self, channel: Channel, watcher: Watcher) -> None:
        channel.watchers.discard(watcher)
        if not self._draining and watcher.viewer is not None and not channel.is_watched_by(watcher.player):
            self._presences.left(channel.table.table_id, watcher.player)
        if not channel.watchers and self._channels.get(channel.table.table_id) is channel:
            del self._channels[channel.table.table_id]

    def _is_watched(self, table_id: TableId, player: PlayerId) -> bool:
        channel = self._channels.get(table_id)
        return channel is not None and channel.is_watched_by(player)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_s)
            for channel in list(self._channels.values()):
                for watcher in channel.watchers:
                    watcher.beat()
                if not channel.watchers:  # who opened it went away before watching
                    del self._channels[channel.table.table_id]

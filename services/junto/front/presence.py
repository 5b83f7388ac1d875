"""Who is there: a player's streams coming and going become `Presence` commands.

A stream that breaks is usually back in a moment, so a player counts as gone only after a grace. Fronts do not
know of each other's streams: one that sees a player marked as gone whom it has a stream of says so again. A
front that dies says nothing at all; then the player counts as present, and the clock runs all the same.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable
from typing import Final

import structlog

from junto.front.watchers import Watcher
from junto.table.aggregate import Table
from junto.table.commands import Presence
from junto.table.errors import Conflict, NotSeated, TableError
from junto.table.seats import PlayerId, Seat, TableId
from junto.table.service import Tables
from junto.table.snapshot import SnapshotError
from junto.table.store_errors import StoreError

GRACE_S: Final = 2.0
"""How long a player whose stream broke counts as present."""

_log = structlog.get_logger(__name__)


class Presences:
    """Says who is there.

    Args:
        tables: where it is said.
        is_watched: tells whether a stream of a player is open at a table.
        grace_s: how long a player whose stream broke counts as present.
    """

    def __init__(self, tables: Tables, is_watched: Callable[[TableId, PlayerId], bool], grace_s: float) -> None:
        self._tables = tables
        self._is_watched = is_watched
        self._grace_s = grace_s
        self._saying: dict[tuple[TableId, PlayerId], asyncio.Task[None]] = {}
        self._is_closed = False

    def look(self, table: Table, watchers: Iterable[Watcher]) -> None:
        """See to it that those who watch from a seat are marked as present."""
        for watcher in watchers:
            seat = self._seat(table, watcher)
            if seat is not None and not seat.connected:
                self._come(table.table_id, watcher.player)

    def arrived(self, table: Table, watcher: Watcher) -> None:
        """Note a new stream: its player is present, and takes the seat back from a stand-in."""
        seat = self._seat(table, watcher)
        if seat is not None and (seat.stand_in or not seat.connected):
            self._come(table.table_id, watcher.player)

    def left(self, table_id: TableId, player: PlayerId) -> None:
        """Note that the last stream of a player is gone."""
        self._start(table_id, player, connected=False)

    async def aclose(self) -> None:
        """Stop saying anything."""
        self._is_closed = True
        tasks = list(self._saying.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _seat(self, table: Table, watcher: Watcher) -> Seat | None:
        if watcher.viewer is None or watcher.is_over:
            return None
        seat = table.seats[watcher.viewer]
        return seat if seat.is_manned else None

    def _come(self, table_id: TableId, player: PlayerId) -> None:
        self._start(table_id, player, connected=True)

    def _start(self, table_id: TableId, player: PlayerId, *, connected: bool) -> None:
        """Begin to follow a player; who is being followed will be seen to have come or gone."""
        key = (table_id, player)
        if not self._is_closed and key not in self._saying:
            self._saying[key] = asyncio.create_task(self._follow(table_id, player, connected=connected))

    async def _follow(self, table_id: TableId, player: PlayerId, *, connected: bool) -> None:
        """Say that a player is there or gone, until what was said last is still so once it is stored."""
        pauses = itertools.chain((0.1, 0.2, 0.5), itertools.repeat(1.0))
        try:
            while True:
                if not connected:
                    await asyncio.sleep(self._grace_s)
                    connected = self._is_watched(table_id, player)
                is_stored = await self._say(table_id, player, connected=connected)
                if is_stored and connected == self._is_watched(table_id, player):
                    return
                if not is_stored:
                    await asyncio.sleep(next(pauses))
                connected = self._is_watched(table_id, player)
        finally:
            del self._saying[table_id, player]

    async def _say(self, table_id: TableId, player: PlayerId, *, connected: bool) -> bool:
        """Return whether it is stored, or need not be; if not, it must be said again: nobody else will."""

        def decide(table: Table) -> Presence:
            number = table.seat_of(player)
            if number is None:
                raise NotSeated("the player has no seat")
            return Presence(number, connected)

        try:
            await self._tables.submit(table_id, decide)
        except (StoreError, Conflict) as problem:
            _log.info("presence not stored", table=table_id, problem=str(problem))
            return False
        except (TableError, SnapshotError):
            pass  # the seat or the table is gone, and with it the presence
        return True

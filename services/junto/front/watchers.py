"""One watcher of a table: what waits to be sent to them, bounded, and merged when it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from junto.table.seats import PlayerId
from junto.v1 import tables_pb2
from junto.wire.updates import Update, watch_end, watch_full, watch_heartbeat, watch_update

QUEUE: Final = 128
"""How many updates may wait for a watcher before they are too slow. A deal has about half as many."""


class Watcher:
    """A stream's end in the server.

    Updates are shared objects: what waits costs a watcher one pointer each. Several that wait go out as one.

    Args:
        player: who watches.
        viewer: the seat that they see the table from; None: a spectator.
        views: whether updates carry the view of the deal.
        capacity: how many updates may wait.
    """

    def __init__(self, player: PlayerId, viewer: int | None, *, views: bool, capacity: int = QUEUE) -> None:
        self.player = player
        self.viewer = viewer
        self._views = views
        self._capacity = capacity
        self._updates: list[Update] = []
        self._full = False
        self._beat = False
        self._end: tables_pb2.EndReason.ValueType | None = None
        self._awake = asyncio.Event()
        self.is_quiet = False

    @property
    def is_over(self) -> bool:
        """Whether the stream ends once what waits is sent."""
        return self._end is not None

    def tell(self, update: Update) -> None:
        """Let an update go out, after those that wait."""
        if self.is_over or self._full:
            return
        if len(self._updates) >= self._capacity:
            self.end(tables_pb2.END_REASON_TOO_SLOW)
            return
        self._updates.append(update)
        self._awake.set()

    def renew(self, viewer: int | None) -> None:
        """Let the whole table go out instead of what waits, as that viewer may see it."""
        self.viewer = viewer
        self._full = True
        self._updates.clear()
        self._awake.set()

    def beat(self) -> None:
        """Let a sign of life go out if nothing else did since the last one."""
        if self.is_quiet:
            self._beat = True
            self._awake.set()
        self.is_quiet = True

    def end(self, reason: tables_pb2.EndReason.ValueType) -> None:
        """End the stream. Those who are too slow get nothing more than that."""
        if self.is_over:
            return
        self._end = reason
        if reason == tables_pb2.END_REASON_TOO_SLOW:
            self._updates.clear()
        self._awake.set()

    async def wait(self) -> None:
        """Return once there is something to send."""
        await self._awake.wait()
        self._awake.clear()
        self.is_quiet = False

    def take(self, view: Callable[[int | None], bytes]) -> bytes | None:
        """Return the next message with what happened, serialised; None: nothing waits."""
        if self._full:
            self._full = False
            return watch_full(view(self.viewer))
        if not self._updates:
            return None
        first, *others = self._updates
        self._updates.clear()
        for later in others:
            first = first.then(later)
        return watch_update(first.for_viewer(self.viewer, views=self._views))

    def take_beat(self, version: int, now_ms: Callable[[], int]) -> bytes | None:
        """Return a sign of life, serialised, if one is due."""
        if not self._beat:
            return None
        self._beat = False
        return watch_heartbeat(version, now_ms())

    def last_word(self, version: int) -> bytes | None:
        """Return the last message, serialised; None: the stream goes on."""
        return None if self._end is None else watch_end(self._end, version)

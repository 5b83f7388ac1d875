"""The table service of one front process, put together: tables, hub, hints, and the subscription that wakes them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from junto.front.hints import Hints
from junto.front.presence import GRACE_S
from junto.front.tables import Offers, TableService
from junto.front.watch import HEARTBEAT_S, Hub
from junto.table.changes import Changes
from junto.table.keys import Shard
from junto.table.seats import TableId
from junto.table.service import Tables, keep_of
from junto.table.settings import Settings
from junto.table.store import Store


@dataclass(frozen=True, slots=True)
class Serving:
    """The table service and its hub. On drain call `hub.drain`."""

    service: TableService
    hub: Hub
    tables: Tables


class _Ears:
    """Passes each notice on to whom it concerns."""

    def __init__(self, hub: Hub, hints: Hints) -> None:
        self._hub = hub
        self._hints = hints

    def changed(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """See `junto.table.changes.Listener`."""
        del due_ms
        self._hub.changed(table_id, version)

    def asked(self, shard: Shard) -> None:
        """See `junto.table.changes.Listener`; a front gives no hints."""

    def answered(self, payload: bytes) -> None:
        """See `junto.table.changes.Listener`."""
        self._hints.answered(payload)

    def missed(self) -> None:
        """See `junto.table.changes.Listener`."""
        self._hub.missed()


@asynccontextmanager
async def serving(
    store: Store,
    settings: Settings,
    now_ms: Callable[[], int],
    offers: Offers,
    draw_secret: Callable[[], bytes] | None = None,
    *,
    heartbeat_s: float = HEARTBEAT_S,
    presence_grace_s: float = GRACE_S,
) -> AsyncIterator[Serving]:
    """Provide the table service of this process.

    Args:
        store: where the tables are.
        settings: see there.
        now_ms: the store's time.
        offers: which bots there are.
        draw_secret: 32 fresh bytes for each deal; the system's randomness by default.
        heartbeat_s: how often quiet streams get a sign of life.
        presence_grace_s: how long a player whose stream broke counts as present.
    """
    tables = Tables(store, keep_of(settings), now_ms)
    hub = Hub(tables, heartbeat_s=heartbeat_s, presence_grace_s=presence_grace_s)
    hints = Hints(
        store,
        now_ms,
        time_ms=int(settings.hint_time_seconds * 1000),
        grace_ms=int(settings.bot_grace_seconds * 1000),
    )
    async with Changes(store.connection, store.keyspace, _Ears(hub, hints)) as changes:
        hub.start(changes)
        hints.start(changes.private_channel)
        service = TableService(tables, hub, hints, offers, draw_secret=draw_secret)
        try:
            yield Serving(service, hub, tables)
        finally:
            await hub.aclose()

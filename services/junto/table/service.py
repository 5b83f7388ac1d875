"""Tables as their users want them: read one, let a command happen to one. For the front and the steward alike.

A command goes through the same steps wherever it comes from: the table (cached, or loaded) handles it, one
atomic commit stores it, and then those who listen are told. Commits compare versions, so any number of
processes may do this for the same table: who comes second decides again on what is there now. Nothing is kept
here that the store does not have; a cached table that turns out to be old costs a reload, never an error.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from junto.table import faultpoints
from junto.table.aggregate import Change, Table
from junto.table.commands import Command, CreateTable
from junto.table.duties import Duty, Keep, duty
from junto.table.entries import pack_entry
from junto.table.errors import Conflict, NotNow, RequestIdReused, TableError, TableNotFound
from junto.table.faultpoints import Point
from junto.table.handling import create, handle
from junto.table.history import CHECKPOINT_EVERY, LogGone, changes_after
from junto.table.seats import SERVER, PlayerId, Status, TableId, Visibility
from junto.table.settings import Settings
from junto.table.snapshot import SCHEMA, Packed, pack, unpack
from junto.table.store import (
    Commit,
    Committed,
    Duplicate,
    Listed,
    Outcome,
    Players,
    Request,
    Reused,
    Stale,
    Store,
    Stored,
)

ATTEMPTS: Final = 8
"""How often a command is decided anew because others were faster."""

CAPACITY: Final = 10_000
"""How many tables a process remembers."""

Decide = Callable[[Table], Command]
"""Decides what to ask of a table, given how it stands; a `TableError` that it raises refuses it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as this process last knew it, with its snapshot in parts, and the connection it came over."""

    table: Table
    packed: Packed
    breaks: int


class Tables:
    """The tables of a store.

    Args:
        store: where they are.
        keep: how long those stay on which nothing happens.
        now_ms: the store's time, milliseconds since 1970.
        on_change: is told each change that this process commits, in the order of versions.
        capacity: how many tables are remembered.
    """

    def __init__(
        self,
        store: Store,
        keep: Keep,
        now_ms: Callable[[], int],
        on_change: Callable[[Change], None] = lambda _: None,
        capacity: int = CAPACITY,
    ) -> None:
        self.store = store
        self.keep = keep
        self.now_ms = now_ms
        self.on_change = on_change
        self._capacity = capacity
        self._kept: OrderedDict[TableId, Kept] = OrderedDict()
        self._committing: dict[TableId, int] = {}
        self.on_settled: Callable[[TableId], None] = lambda _: None
        """Is told when no commit of this process's to a table is under way any more, whatever came of them."""

    async def get(self, table_id: TableId) -> Table:
        """Return a table as it is now.

        Raises:
            TableNotFound: there is none.
            NewerSchema: a newer process wrote it.
            StoreUnavailable: Redis cannot be reached.
        """
        return (await self._load(table_id)).table

    async def create(self, command: CreateTable, by: PlayerId, request: Request | None = None) -> Change:
        """Open a table. Who asks for the same one again gets the first answer.

        Raises:
            RequestIdReused: it was opened by a request with other content.
            StoreUnavailable: it may be open or not.
        """
        change = create(command, by, self.now_ms())
        outcome = await self._commit(change, None, request)
        match outcome:
            case Committed():
                return change
            case Reused():
                raise _reused()
            case Duplicate() | Stale():
                first = await self._change_at(command.table_id, 1)
                if first.entry.command != command:
                    raise _reused()
                return first

    async def submit(
        self, table_id: TableId, decide: Decide, by: PlayerId = SERVER, request: Request | None = None
    ) -> Change | None:
        """Let a command happen; None: nothing had to change. A repeated request gives what it did the first time.

        Raises:
            TableError: the table refuses it, or there is no such table, or others were faster all the time.
            NewerSchema: a newer process wrote the table.
            StoreUnavailable: it may have happened or not.
        """
        kept = self._known(table_id)
        is_fresh = kept is None
        kept = kept or await self._load(table_id)
        for _ in range(ATTEMPTS):
            try:
                change = handle(kept.table, decide(kept.table), by, self.now_ms())
            except TableError:
                # What this process knew may be old, and a retry of what was accepted must not be refused.
                if request is not None and (first := await self._first_time(table_id, request)):
                    return first
                if is_fresh:
                    raise
                change = None
            if change is not None:
                outcome = await self._commit(change, kept, request)
                match outcome:
                    case Committed():
                        return change
                    case Duplicate(version):
                        return await self._change_at(table_id, version)
                    case Reused():
                        raise _reused()
                    case Stale(0):
                        self._kept.pop(table_id, None)
                        raise _not_found()
                    case Stale():
                        pass
            elif is_fresh:
                return None
            kept, is_fresh = await self._load(table_id), True
        raise Conflict(kept.table.version)

    async def remove(self, table: Table) -> bool:
        """Remove a table from the store, if nothing happened to it since; tell whether that was so.

        Raises:
            StoreUnavailable: it may have happened or not.
        """
        outcome = await self.store.remove(table.table_id, table.version)
        if isinstance(outcome, Committed):
            self._kept.pop(table.table_id, None)
            return True
        return False

    def duty(self, table: Table) -> Duty:
        """Return what the server has to do at the table next."""
        return duty(table, self.keep)

    def is_committing(self, table_id: TableId) -> bool:
        """Tell whether a commit of this process's to the table is under way: its notice may come before its answer."""
        return table_id in self._committing

    def learn(self, table: Table) -> None:
        """Remember a newer table that was folded from its log elsewhere in this process."""
        kept = self._known(table.table_id)
        if kept is not None and kept.table.version < table.version:
            self._remember(Kept(table, pack(table, kept.packed), kept.breaks))

    def _known(self, table_id: TableId) -> Kept | None:
        kept = self._kept.get(table_id)
        if kept is None:
            return None
        if kept.breaks != self.store.connection.breaks:
            # The store was away and may have come back without its last commits: versions would lie.
            del self._kept[table_id]
            return None
        self._kept.move_to_end(table_id)
        return kept

    def _remember(self, kept: Kept) -> None:
        self._kept[kept.table.table_id] = kept
        self._kept.move_to_end(kept.table.table_id)
        if len(self._kept) > self._capacity:
            self._kept.popitem(last=False)

    async def _load(self, table_id: TableId) -> Kept:
        breaks = self.store.connection.breaks
        stored = await self.store.load(table_id)
        if stored is None:
            self._kept.pop(table_id, None)
            raise _not_found()
        return self._read(table_id, stored, breaks)

    def _read(self, table_id: TableId, stored: Stored, breaks: int) -> Kept:
        known = self._known(table_id)
        if known is not None and known.table.version == stored.version:
            return known
        if known is not None and known.table.version > stored.version:
            known = None
        table = unpack(stored.snapshot, known.table if known else None)
        kept = Kept(table, pack(table, known.packed if known else None), breaks)
        self._remember(kept)
        return kept

    async def _commit(self, change: Change, kept: Kept | None, request: Request | None) -> Outcome:
        packed = pack(change.table, kept.packed if kept else None)
        breaks = self.store.connection.breaks
        faultpoints.at(Point.ACCEPTED)
        table_id = change.table.table_id
        self._committing[table_id] = self._committing.get(table_id, 0) + 1
        try:
            outcome = await self.store.commit(_commit_of(change, packed.data, self.duty(change.table), request))
            if isinstance(outcome, Committed):
                faultpoints.at(Point.COMMITTED)
                self._remember(Kept(change.table, packed, breaks))
                self.on_change(change)
                faultpoints.at(Point.TOLD)
        finally:
            self._settle(table_id)
        return outcome

    def _settle(self, table_id: TableId) -> None:
        under_way = self._committing[table_id] - 1
        if under_way:
            self._committing[table_id] = under_way
        else:
            del self._committing[table_id]
            self.on_settled(table_id)

    async def _first_time(self, table_id: TableId, request: Request) -> Change | None:
        match await self.store.lookup_request(table_id, request.id, request.content_hash):
            case None:
                return None
            case Reused():
                raise _reused()
            case Duplicate(version):
                return await self._change_at(table_id, version)

    async def _change_at(self, table_id: TableId, version: int) -> Change:
        try:
            return (await changes_after(self.store, await self.get(table_id), version - 1))[0]
        except LogGone:
            raise NotNow("this was done so long ago that it is not known any more how") from None


def _commit_of(change: Change, snapshot: bytes, due: Duty, request: Request | None) -> Commit:
    table, before = change.table, change.before
    starts_log = table.starts_log
    has_checkpoint = starts_log or not change.entry.version % CHECKPOINT_EVERY
    status_changed = before is None or before.status is not table.status
    return Commit(
        table_id=table.table_id,
        expected_version=change.entry.version - 1,
        snapshot=snapshot,
        schema=SCHEMA,
        deal=table.log.log,
        entry=pack_entry(change.entry, snapshot if has_checkpoint else None),
        due_ms=due.at_ms,
        request=request,
        retired=(table.log.log - 1,) if starts_log and table.log.log > 1 else (),
        listing=Listed(table.header.create_ms, listing_label(table.status, table.game.id))
        if status_changed and table.settings.visibility is Visibility.PUBLIC
        else None,
        players=None if before is not None and before.seats is table.seats else _players_change(before, table),
    )


def keep_of(settings: Settings) -> Keep:
    """Return how long tables are kept on which nothing happens, by the settings."""
    return Keep(over_ms=settings.finished_table_seconds * 1000, idle_ms=settings.idle_table_seconds * 1000)


def listing_label(status: Status, game_id: str) -> bytes:
    """Return the label by which a table is chosen from the listing."""
    return b"%d %b" % (status, game_id.encode())


def read_label(label: bytes) -> tuple[int, str]:
    """Return the status and the game's id of a label."""
    status, _, game_id = label.partition(b" ")
    return int(status), game_id.decode()


def _players_change(before: Table | None, table: Table) -> Players | None:
    was, now = _players(before) if before else frozenset(), _players(table)
    return None if was == now else Players(table.header.create_ms, was, now)


def _players(table: Table) -> frozenset[PlayerId]:
    seated = {seat.player.id for seat in table.seats if seat.player is not None}
    return frozenset(seated | {table.header.host.id} if table.header.host else seated)


def _not_found() -> TableNotFound:
    return TableNotFound("there is no such table, or it was removed")


def _reused() -> RequestIdReused:
    return RequestIdReused("this request id was used for something else: take a fresh one for each intent")

"""What happened at a table, from its logs: each log begins with the whole table, and the rest is folded onto it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from junto.table.aggregate import Change, LogStart, Table
from junto.table.entries import read_entry, read_log_message
from junto.table.handling import fold
from junto.table.snapshot import unpack
from junto.table.store import Store


class LogGone(Exception):
    """The logs that were asked for are not kept any more."""


async def changes_after(store: Store, table: Table, version: int) -> list[Change]:
    """Return what happened after a version, up to the table's own.

    Raises:
        LogGone: it is too long ago.
        StoreUnavailable: Redis cannot be reached.
        BrokenLog, ForeignEntry, NewerSchema: another process wrote what this one cannot read.
    """
    found = []
    first = max((index for index, start in enumerate(table.logs) if start.version <= max(version, 1)), default=None)
    if first is None:
        raise LogGone(f"what happened after version {version} is not kept any more")
    known: Table | None = None
    for start in table.logs[first:]:
        async for change in _changes_in(store, table, start, known):
            known = change.table
            if version < known.version <= table.version:
                found.append(change)
    if len(found) != table.version - version:
        raise LogGone(f"what happened after version {version} is not kept any more")
    return found


async def changes_since(store: Store, table: Table, upto: int) -> list[Change]:
    """Return what happened at a known table after its version, up to another, read from where it stands.

    Raises:
        LogGone, StoreUnavailable, BrokenLog, ForeignEntry, NewerSchema: as `changes_after`.
    """
    found: list[Change] = []
    known, log = table, table.log.log
    while known.version < upto:
        entries = await store.read_log(table.table_id, log, known.version)
        for stored in entries:
            change = fold(known, read_entry(read_log_message(stored.entry)))
            found.append(change)
            known = change.table
        if log > known.log.log:
            raise LogGone(f"what happened after version {known.version} is not kept any more")
        log += 1
    return found


async def changes_of(store: Store, table: Table, start: LogStart) -> list[Change]:
    """Return what happened in one log, the first as a change that tells the table alone.

    Raises:
        LogGone, StoreUnavailable, BrokenLog, ForeignEntry, NewerSchema: as `changes_after`.
    """
    found = [change async for change in _changes_in(store, table, start, None)]
    if not found:
        raise LogGone(f"deal {start.deal_number} is not kept any more")
    return found


async def _changes_in(store: Store, table: Table, start: LogStart, known: Table | None) -> AsyncIterator[Change]:
    for stored in await store.read_log(table.table_id, start.log):
        message = read_log_message(stored.entry)
        entry = read_entry(message)
        if known is None and entry.version == 1:
            change = fold(None, entry)
        elif known is None:
            if entry.version != start.version or not message.HasField("checkpoint"):
                raise LogGone(f"deal {start.deal_number} is not kept any more")
            change = Change(None, unpack(message.checkpoint.SerializeToString()), entry)
        else:
            change = fold(known, entry)
        known = change.table
        yield change

"""What happened at a table, from its logs: each log begins with the whole table, and the rest is folded onto it.

A log can be as long as its players like: whoever comes and goes all day writes entries all day. So long ones hold
the whole table again now and then, and are read in portions: no question costs more than its answer is worth.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from junto.table.aggregate import Change, LogStart, Table
from junto.table.entries import read_entry, read_log_message
from junto.table.handling import fold
from junto.table.snapshot import unpack
from junto.table.store import Entry as Stored
from junto.table.store import Store

CHECKPOINT_EVERY: Final = 256
"""The entry of every version that this divides holds the whole table, like the first one of a log."""

PORTION: Final = 512
"""How many entries are read at a time; the event loop turns in between."""


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
        async for change in _changes_in(store, table, start, known, after=version):
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
    """Return what happened in one log until its deal was over, the first as a change that tells the table alone.

    Raises:
        LogGone, StoreUnavailable, BrokenLog, ForeignEntry, NewerSchema: as `changes_after`.
    """
    found = []
    async for change in _changes_in(store, table, start, None):
        found.append(change)
        if change.table.deal is not None and change.table.deal.is_over:
            break
    if not found:
        raise LogGone(f"deal {start.deal_number} is not kept any more")
    return found


async def _changes_in(
    store: Store, table: Table, start: LogStart, known: Table | None, after: int = 0
) -> AsyncIterator[Change]:
    """Yield the changes of one log: all, or from the last checkpoint on that stands at or before `after`."""
    first = start.version if known else max(start.version, after - after % CHECKPOINT_EVERY)
    async for stored in _entries(store, table, start.log, first):
        message = read_log_message(stored.entry)
        entry = read_entry(message)
        if known is None and entry.version == 1:
            change = fold(None, entry)
        elif known is None:
            if entry.version != first or not message.HasField("checkpoint"):
                raise LogGone(f"deal {start.deal_number} is not kept any more")
            change = Change(None, unpack(message.checkpoint.SerializeToString()), entry)
        else:
            change = fold(known, entry)
        known = change.table
        yield change


async def _entries(store: Store, table: Table, log: int, first: int) -> AsyncIterator[Stored]:
    after = first - 1
    while portion := await store.read_log(table.table_id, log, after, most=PORTION):
        for stored in portion:
            yield stored
        if len(portion) < PORTION:
            return
        after = portion[-1].version

"""Lists of tables, newest first, a page at a time.

Every shard keeps a list of its own, since a commit can touch no other; a page is merged from all of them. That is one
command per shard in one pipeline: some milliseconds, for a call that is made when somebody looks for a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from junto.table.seats import PlayerId, TableId
from junto.table.store import Store

TIME_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Listing:
    """A table in a list: when it was opened, and its label in the listing (empty in a player's list)."""

    table_id: TableId
    create_ms: int
    label: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """Some tables, newest first, and where the next page begins (empty: there is none)."""

    tables: tuple[Listing, ...]
    next_cursor: bytes


def everything(_: Listing) -> bool:
    """Choose every table."""
    return True


async def list_tables(
    store: Store,
    *,
    limit: int,
    cursor: bytes = b"",
    player: PlayerId | None = None,
    wanted: Callable[[Listing], bool] = everything,
) -> Page:
    """Return a page of the listing, or of one player's tables.

    Args:
        store: where.
        limit: how many at most, from 1.
        cursor: `next_cursor` of the page before; empty: from the newest on. Any bytes are safe.
        player: whose tables; None: the listed ones.
        wanted: chooses among them.

    Raises:
        StoreUnavailable: Redis cannot be reached.
    """
    found: list[Listing] = []
    while True:
        members, is_last = await _next_members(store, limit, cursor, player)
        for at, member in enumerate(members):
            listing = _listing(member)
            if wanted(listing):
                found.append(listing)
            if len(found) == limit:
                more = not is_last or at + 1 < len(members)
                return Page(tuple(found), _prefix(member) if more else b"")
        if is_last:
            return Page(tuple(found), b"")
        cursor = _prefix(members[-1])


async def _next_members(store: Store, limit: int, cursor: bytes, player: PlayerId | None) -> tuple[list[bytes], bool]:
    """Return some of the newest members before the cursor, and whether they are the last ones.

    A shard whose answer is full may have more below its last one, so what is older than that has to wait.
    """
    keyspace = store.keyspace
    each = limit // keyspace.shards + 4
    below = b"(" + cursor if cursor else b"+"
    shards = await store.connection.read_all(
        (
            keyspace.slot(shard),
            (
                "ZREVRANGEBYLEX",
                keyspace.listing(shard) if player is None else keyspace.of(shard, player),
                below,
                b"-",
                "LIMIT",
                0,
                each,
            ),
        )
        for shard in keyspace.all_shards()
    )
    full = [members[-1] for members in shards if len(members) == each]
    frontier = max(full, default=b"")
    members = sorted((member for shard in shards for member in shard if member >= frontier), reverse=True)
    return members, not full


def _prefix(member: bytes) -> bytes:
    """Time and id: less than the member itself whatever its label is, and greater than all older ones."""
    return member.partition(b"\0")[0]


def _listing(member: bytes) -> Listing:
    prefix, _, label = member.partition(b"\0")
    return Listing(TableId(prefix[TIME_DIGITS:].decode()), int(prefix[:TIME_DIGITS], 16), label)

"""Tables in Redis: loaded, committed, listed, removed. Everything is bytes: the store knows no game.

A commit is atomic and answered only when Redis has it; how durable that is depends on Redis's settings
(docs/redis.md). Commits of one turn of the event loop share a pipeline. A call that is cancelled while it waits may
still be carried out; one that raises `StoreUnavailable` may have been: both are repeated with the same request id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

from junto.table.connection import Argument, Connection
from junto.table.keys import Keyspace, TableKeys
from junto.table.pipe import Reply
from junto.table.scripts import COMMIT, PROBE, REMOVE
from junto.table.seats import PlayerId, TableId
from junto.table.store_errors import ShardsDiffer, StoreError

HASH_SIZE = 16
PROBE_LIFE_MS = 60_000


def content_hash(content: bytes) -> bytes:
    """Return the hash by which two requests with one id are compared."""
    return blake2b(content, digest_size=HASH_SIZE).digest()


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept: retired logs and request ids in milliseconds, and how many request ids a table."""

    log_ms: int = 7 * 86_400_000
    request_ms: int = 3_600_000
    requests: int = 64


@dataclass(frozen=True, slots=True)
class Request:
    """A request that must be carried out once, and what is answered when it is repeated.

    `id` is unique within the table: where several may ask, the asker is part of it. `content_hash` is what
    `content_hash()` makes of all that the request says.
    """

    id: str
    content_hash: bytes
    result: bytes

    def __post_init__(self) -> None:
        if not self.id or self.id.startswith("#"):
            raise ValueError(f"{self.id!r} cannot be a request's id")
        if len(self.content_hash) != HASH_SIZE:
            raise ValueError(f"a request's hash has {HASH_SIZE} bytes, not {len(self.content_hash)}")


@dataclass(frozen=True, slots=True)
class Listed:
    """The table is to be found in the listing. `label`: a few bytes for the lister to choose by."""

    create_ms: int
    label: bytes = b""


@dataclass(frozen=True, slots=True)
class Players:
    """Whose lists the table was in and is in now."""

    create_ms: int
    before: frozenset[PlayerId]
    after: frozenset[PlayerId]


@dataclass(frozen=True, slots=True)
class Commit:
    """One accepted command, to be stored whole or not at all.

    Args:
        table_id: the table.
        expected_version: the version it was decided on; it makes the next one. 0 opens the table.
        snapshot: the table after it.
        schema: the version of the snapshot's meaning.
        deal: the log that the entry goes to: the deal's number, 0 for the lobby. Never falls.
        entry: the log entry.
        due_ms: when the table next needs the server; None: never.
        request: who must not be answered twice; None: nobody.
        retired: deals whose logs get no more entries: their expiry begins to run.
        listing: how the listing changes; None: not.
        players: how the players' lists change; None: not.
    """

    table_id: TableId
    expected_version: int
    snapshot: bytes
    schema: int
    deal: int
    entry: bytes
    due_ms: int | None
    request: Request | None = None
    retired: tuple[int, ...] = ()
    listing: Listed | None = None
    players: Players | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """It is stored, and the table is at this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The request was carried out before: the version that it made and its result then."""

    version: int
    result: bytes


@dataclass(frozen=True, slots=True)
class Reused:
    """The request's id was used before, with other content."""


@dataclass(frozen=True, slots=True)
class Stale:
    """The table is at another version: 0 if there is no such table."""

    version: int


Outcome: TypeAlias = Committed | Duplicate | Reused | Stale


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it was last committed."""

    version: int
    schema: int
    snapshot: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log: the version that it made, and its bytes."""

    version: int
    entry: bytes


class Store:
    """The tables of one deployment. `await open_store(connection)` makes one."""

    def __init__(self, connection: Connection, keyspace: Keyspace, retention: Retention) -> None:
        self.connection = connection
        self.keyspace = keyspace
        self.retention = retention

    async def load(self, table_id: TableId) -> Stored | None:
        """Return a table; None if there is none.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        keys = self.keyspace.table(table_id)
        slot = self.keyspace.slot(keys.shard)
        return _stored(await self.connection.read(slot, "HMGET", keys.table, "version", "schema", "snapshot"))

    async def load_many(self, table_ids: Iterable[TableId]) -> list[Stored | None]:
        """Return many tables, in the order asked for.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        all_keys = [self.keyspace.table(table_id) for table_id in table_ids]
        replies = await self.connection.read_all(
            (self.keyspace.slot(keys.shard), ("HMGET", keys.table, "version", "schema", "snapshot"))
            for keys in all_keys
        )
        return [_stored(reply) for reply in replies]

    async def commit(self, commit: Commit) -> Outcome:
        """Store a command, unless its request was carried out before or the table has moved on.

        Raises:
            StoreUnwritable: Redis refuses to write; nothing is stored.
            StoreUnavailable: it may be stored or not: repeat it with the same request id.
        """
        keys = self.keyspace.table(commit.table_id)
        slot = self.keyspace.slot(keys.shard)
        version = commit.expected_version + 1
        request = commit.request
        touched = [keys.table, keys.log(commit.deal), keys.requests, keys.due]
        said: list[Argument] = [
            keys.id,
            commit.expected_version,
            version,
            commit.snapshot,
            commit.schema,
            commit.deal,
            commit.entry,
            b"" if commit.due_ms is None else commit.due_ms,
            keys.changed,
        ]
        if request is None:
            said += _NO_REQUEST
        else:
            place = b"#%d" % (version % self.retention.requests)
            said += (request.id, request.content_hash, request.result, self.retention.request_ms, place)
        if commit.retired or commit.listing or commit.players:
            self._change_lists(commit, keys, touched, said)
        return _outcome(await self.connection.run(slot, COMMIT, touched, said), version)

    def _change_lists(self, commit: Commit, keys: TableKeys, touched: list[bytes], said: list[Argument]) -> None:
        players = commit.players
        joined = sorted(players.after - players.before) if players else []
        left = sorted(players.before - players.after) if players else []
        touched.append(keys.listing)
        touched += map(keys.log, commit.retired)
        touched += map(keys.of, joined)
        touched += map(keys.of, left)
        said += (
            _listing_change(commit.listing, keys.id),
            self.retention.log_ms,
            len(commit.retired),
            len(joined),
            len(left),
            json.dumps([players.create_ms, sorted(players.after)]) if players else b"",
            listing_member(players.create_ms, keys.id) if players else b"",
        )

    async def remove(self, table_id: TableId, expected_version: int) -> Committed | Stale:
        """Remove a table and all that belongs to it, if it is at that version.

        Returns:
            `Committed(0)` or `Stale`.

        Raises:
            StoreUnwritable, StoreUnavailable: as `commit`.
        """
        keys = self.keyspace.table(table_id)
        slot = self.keyspace.slot(keys.shard)
        deal, players = await self.connection.read(slot, "HMGET", keys.table, "deal", "players")
        create_ms, names = json.loads(players or b"[0, []]")
        # The version stands for the deal and the players: if they change, the script finds another one.
        reply = await self.connection.run(
            slot,
            REMOVE,
            [
                keys.table,
                keys.requests,
                keys.due,
                keys.listing,
                *map(keys.of, names),
                *map(keys.log, range(int(deal or 0) + 1)),
            ],
            [keys.id, expected_version, keys.changed, len(names), listing_member(create_ms, keys.id)],
        )
        return Committed(0) if reply == 1 else Stale(int(reply[0]))

    async def lookup_request(self, table_id: TableId, request_id: str, hashed: bytes) -> Duplicate | Reused | None:
        """Tell whether a request was carried out before; None: it was not, or so long ago that it is forgotten.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        keys = self.keyspace.table(table_id)
        known = await self.connection.read(self.keyspace.slot(keys.shard), "HGET", keys.requests, request_id)
        if known is None:
            return None
        return _duplicate(known[HASH_SIZE:]) if known[:HASH_SIZE] == hashed else Reused()

    async def read_log(
        self, table_id: TableId, deal: int, after_version: int = 0, upto: int | None = None, most: int | None = None
    ) -> list[Entry]:
        """Return the entries of a deal's log after one version, up to another (None: to its end), `most` of them.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        keys = self.keyspace.table(table_id)
        reply = await self.connection.read(
            self.keyspace.slot(keys.shard),
            "XRANGE",
            keys.log(deal),
            b"%d-0" % (after_version + 1),
            b"+" if upto is None else b"%d-0" % upto,
            *(() if most is None else (b"COUNT", most)),
        )
        return [Entry(int(version.partition(b"-")[0]), fields[1]) for version, fields in reply]

    async def probe(self) -> int:
        """Write a key on every server that has tables, and return the time there: microseconds since 1970.

        Raises:
            StoreUnwritable: Redis answers, but refuses to write; the message says why.
            StoreUnavailable: it cannot be reached.
        """
        await self.connection.leave_old_primary()
        shards = {self.keyspace.slot(shard): shard for shard in self.keyspace.all_shards()}
        now_us = 0
        for slot in sorted(await self.connection.one_slot_per_server(sorted(shards)), reverse=True):
            shard = shards[slot]
            reply = await self.connection.run(
                slot, PROBE, [self.keyspace.probe(shard)], [PROBE_LIFE_MS, self.keyspace.asked(shard)]
            )
            now_us = int(reply[0]) * 1_000_000 + int(reply[1])
        return now_us


async def open_store(connection: Connection, keyspace: Keyspace, retention: Retention | None = None) -> Store:
    """Return the store behind a connection, once it has proved to be writable and to have as many shards.

    Raises:
        ShardsDiffer: the data were written with another number of shards.
        StoreUnwritable: Redis refuses to write.
        StoreUnavailable: it cannot be reached.
    """
    store = Store(connection, keyspace, retention or Retention())
    await store.probe()
    key, slot = keyspace.meta("shards")
    await connection.write(slot, "SET", key, keyspace.shards, "NX")
    written = int(await connection.read(slot, "GET", key))
    if written != keyspace.shards:
        raise ShardsDiffer(
            f"Redis at {connection.url} holds tables in {written} shards, and {keyspace.shards} are configured;"
            f" set JUNTO_SHARDS={written}"
        )
    return store


_NO_REQUEST: tuple[bytes, ...] = (b"",) * 5


def listing_member(create_ms: int, table_id: bytes) -> bytes:
    """Return what stands for a table in lists that are sorted by age: later ones are greater."""
    return b"%016x%b" % (create_ms, table_id)


def _listing_change(change: Listed | None, table_id: bytes) -> bytes:
    return b"" if change is None else listing_member(change.create_ms, table_id) + b"\0" + change.label


def _stored(reply: Reply) -> Stored | None:
    version, schema, snapshot = reply
    return None if version is None else Stored(int(version), int(schema), snapshot)


def _outcome(reply: Reply, version: int) -> Outcome:
    match reply:
        case 1:
            return Committed(version)
        case 0:
            return Reused()
        case [at]:
            return Stale(int(at))
        case bytes():
            return _duplicate(reply)
        case _:
            raise StoreError(f"Redis answered a commit with {reply!r}")


def _duplicate(known: bytes) -> Duplicate:
    version, _, result = known.partition(b" ")
    return Duplicate(int(version), result)

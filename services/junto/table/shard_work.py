"""What stewards share out: leases on shards, what is due in them, and the hints that fronts ask for."""

from __future__ import annotations

from dataclasses import dataclass

from junto.table.keys import Shard
from junto.table.scripts import ACQUIRE, ASK, BE_PRESENT, RELEASE
from junto.table.seats import TableId
from junto.table.store import Store

HINTS_MS = 60_000
"""How long hints that nobody takes stay."""

MOST_HINTS = 1000
"""How many hints may be asked for in a shard at a time."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work a shard until `until_ms`.

    `fence` rises whenever the lease changes hands. `pulse_ms`: when its holder, whoever that was, last took or
    renewed it before this; 0: nobody ever did. `now_ms` minus that is how long nobody was at work for sure. All times
    are Redis's.
    """

    shard: Shard
    owner: str
    fence: int
    pulse_ms: int
    now_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class Due:
    """A table, and when it needs the server."""

    table_id: TableId
    due_ms: int


class ShardWork:
    """The work of all shards of a store. Methods raise `StoreUnavailable` as the store's do."""

    def __init__(self, store: Store) -> None:
        self._connection = store.connection
        self._keyspace = store.keyspace

    async def acquire(self, shard: Shard, owner: str, life_ms: int) -> Lease | None:
        """Take a shard's lease, or prolong one's own; None: another has it."""
        reply = await self._connection.run(
            self._keyspace.slot(shard), ACQUIRE, [self._keyspace.lease(shard)], [owner, life_ms]
        )
        if reply is None:
            return None
        number, pulse_ms, now_ms = reply
        return Lease(shard, owner, number, pulse_ms, now_ms, now_ms + life_ms)

    async def release(self, lease: Lease) -> bool:
        """Give a lease back; False: another had taken it already."""
        reply = await self._connection.run(
            self._keyspace.slot(lease.shard), RELEASE, [self._keyspace.lease(lease.shard)], [lease.owner, lease.fence]
        )
        return bool(reply)

    async def be_present(self, role: str, name: str, life_ms: int) -> tuple[str, ...]:
        """Say that a process of a role is there for so long (0: it leaves); return all who are, sorted."""
        key, slot = self._keyspace.meta(f"present:{role}")
        reply = await self._connection.run(slot, BE_PRESENT, [key], [name, life_ms])
        return tuple(sorted(one.decode() for one in reply))

    async def due_before(self, shard: Shard, ms: int, limit: int) -> list[Due]:
        """Return the tables of a shard that are due at that time or before it, the longest due first."""
        reply = await self._connection.read(
            self._keyspace.slot(shard),
            *("ZRANGEBYSCORE", self._keyspace.due(shard), "-inf", ms, "WITHSCORES", "LIMIT", 0, limit),
        )
        return [Due(TableId(one.decode()), int(ms)) for one, ms in zip(reply[::2], reply[1::2], strict=True)]

    async def ask(self, shard: Shard, job: bytes) -> bool:
        """Ask whoever works a shard for a hint; False: too many are asked for already."""
        reply = await self._connection.run(
            self._keyspace.slot(shard),
            ASK,
            [self._keyspace.hints(shard)],
            [job, MOST_HINTS, HINTS_MS, self._keyspace.asked(shard)],
        )
        return bool(reply)

    async def take_hint(self, shard: Shard) -> bytes | None:
        """Take the hint that was asked for first; None: there is none."""
        job: bytes | None = await self._connection.write(
            self._keyspace.slot(shard), "LPOP", self._keyspace.hints(shard)
        )
        return job

    async def answer(self, channel: str, payload: bytes) -> None:
        """Send bytes to whoever listens on a private channel (`Changes.private_channel`)."""
        await self._connection.write(self._keyspace.slot(0), "PUBLISH", channel, payload)

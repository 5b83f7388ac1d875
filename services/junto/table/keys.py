"""The names of everything that Junto keeps in Redis.

All keys of a shard share one hash tag, `{sNN}`, so that in a Redis Cluster they live on one node and one script
may touch them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType
from zlib import crc32

from redis.crc import key_slot

from junto.table.seats import PlayerId, TableId

Shard = NewType("Shard", int)
"""A shard's number, from 0."""

DEFAULT_SHARDS = 256

TABLES_AT_HAND = 4096
"""How many tables' keys are kept ready: making them costs more than the rest of a look-up."""


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The shard of one table and the keys that each of its commits touches."""

    shard: Shard
    id: bytes
    table: bytes
    requests: bytes
    due: bytes
    changed: bytes
    tag: bytes

    def log(self, deal: int) -> bytes:
        """Return the stream of a deal's entries; deal 0 is the lobby."""
        return b"%b:log:%b:%d" % (self.tag, self.id, deal)

    @property
    def listing(self) -> bytes:
        """Return the sorted set of listed tables of the shard."""
        return self.tag + b":listing"

    def of(self, player: PlayerId) -> bytes:
        """Return the sorted set of a player's tables in the shard."""
        return b"%b:of:%b" % (self.tag, player.encode())


class Keyspace:
    """Shards and their keys. All processes of one deployment have the same number of shards and prefix."""

    __slots__ = ("_slots", "_tags", "prefix", "shards", "table")

    def __init__(self, shards: int = DEFAULT_SHARDS, prefix: str = "junto") -> None:
        if shards < 1:
            raise ValueError(f"there must be at least one shard, not {shards}")
        self.shards = shards
        self.prefix = prefix
        self._tags = [b"%b:{s%d}" % (prefix.encode(), shard) for shard in range(shards)]
        self._slots = [key_slot(tag) for tag in self._tags]
        self.table: Callable[[TableId], TableKeys] = lru_cache(TABLES_AT_HAND)(self._table)
        """Return the keys of a table."""

    def shard_of(self, table_id: TableId) -> Shard:
        """Return the shard that a table lives in."""
        return Shard(crc32(table_id.encode()) % self.shards)

    def all_shards(self) -> range:
        """Return every shard's number."""
        return range(self.shards)

    def slot(self, shard: int) -> int:
        """Return the Redis Cluster slot of a shard's keys."""
        return self._slots[shard]

    def _table(self, table_id: TableId) -> TableKeys:
        encoded = table_id.encode()
        shard = crc32(encoded) % self.shards
        tag = self._tags[shard]
        return TableKeys(
            Shard(shard),
            encoded,
            b"%b:table:%b" % (tag, encoded),
            b"%b:req:%b" % (tag, encoded),
            tag + b":due",
            tag + b":changed",
            tag,
        )

    def due(self, shard: int) -> bytes:
        """Return the sorted set of the tables that will need the server: id → ms."""
        return self._tags[shard] + b":due"

    def lease(self, shard: int) -> bytes:
        """Return the hash that says which steward works the shard."""
        return self._tags[shard] + b":lease"

    def listing(self, shard: int) -> bytes:
        """Return the sorted set of listed tables."""
        return self._tags[shard] + b":listing"

    def of(self, shard: int, player: PlayerId) -> bytes:
        """Return the sorted set of a player's tables in the shard."""
        return b"%b:of:%b" % (self._tags[shard], player.encode())

    def hints(self, shard: int) -> bytes:
        """Return the list of hints that are asked for."""
        return self._tags[shard] + b":hints"

    def probe(self, shard: int) -> bytes:
        """Return the key that the write probe writes."""
        return self._tags[shard] + b":probe"

    def changed(self, shard: int) -> bytes:
        """Return the channel that tells of each commit."""
        return self._tags[shard] + b":changed"

    def asked(self, shard: int) -> bytes:
        """Return the channel that tells of each hint that is asked for."""
        return self._tags[shard] + b":asked"

    def meta(self, name: str) -> tuple[bytes, int]:
        """Return a key that belongs to no shard, and its slot."""
        key = f"{self.prefix}:{{meta}}:{name}".encode()
        return key, key_slot(key)

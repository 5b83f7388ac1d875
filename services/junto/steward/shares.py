"""Which shards this steward works: stewards who are present share them evenly, each under a lease.

A lease saves double work and no more: commits compare versions, so two stewards on one shard do no harm. A
steward that dies leaves its leases to expire; one that stops gives them back.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from junto.table.keys import Keyspace, Shard
from junto.table.shard_work import Lease, ShardWork
from junto.table.store_errors import StoreUnavailable

ROLE = "steward"
"""As what stewards are present in the store."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Outage:
    """From when to when nobody was at work in a shard: players' clocks are credited for it."""

    start_ms: int
    end_ms: int

    def overlap_ms(self, start_ms: int) -> int:
        """Return how much of the outage lies after a time."""
        return max(0, self.end_ms - max(self.start_ms, start_ms))


@dataclass(frozen=True, slots=True)
class Shift:
    """How the shards that are held changed."""

    gained: frozenset[Shard]
    lost: frozenset[Shard]


class Shares:
    """The leases of one steward.

    Args:
        work: where leases are.
        keyspace: the shards.
        name: the steward's, unique.
        life_s: how long a lease lasts unless it is renewed.
    """

    def __init__(self, work: ShardWork, keyspace: Keyspace, name: str, life_s: float) -> None:
        self.name = name
        self.outages: dict[Shard, Outage] = {}
        self._work = work
        self._keyspace = keyspace
        self._life_ms = int(life_s * 1000)
        self._held: dict[Shard, Lease] = {}

    @property
    def held(self) -> frozenset[Shard]:
        """The shards that are this steward's now."""
        return frozenset(self._held)

    async def renew(self) -> Shift:
        """Say that this steward is here, renew its leases, give back or take what its share became.

        Raises:
            StoreUnavailable: Redis cannot be reached; leases may run out.
        """
        before = self.held
        present = await self._work.be_present(ROLE, self.name, 2 * self._life_ms)
        mine = present.index(self.name)
        share = {Shard(shard) for shard in self._keyspace.all_shards() if shard % len(present) == mine}
        await asyncio.gather(*(self._give_back(shard) for shard in before - share))
        leases = await asyncio.gather(*(self._work.acquire(shard, self.name, self._life_ms) for shard in share))
        for lease in leases:
            if lease is not None:
                self._note_outage(lease)
        self._held = {lease.shard: lease for lease in leases if lease is not None}
        return Shift(self.held - before, before - self.held)

    async def leave(self) -> None:
        """Give everything back, so that others need not wait for it to expire."""
        try:
            await self._work.be_present(ROLE, self.name, 0)
            await asyncio.gather(*(self._give_back(shard) for shard in self.held))
        except StoreUnavailable as problem:
            _log.warning("leases not given back", problem=str(problem))
        self._held.clear()

    async def _give_back(self, shard: Shard) -> None:
        lease = self._held.pop(shard)
        await self._work.release(lease)

    def _note_outage(self, lease: Lease) -> None:
        if lease.pulse_ms and lease.now_ms - lease.pulse_ms > 2 * self._life_ms:
            self.outages[lease.shard] = Outage(lease.pulse_ms, lease.now_ms)

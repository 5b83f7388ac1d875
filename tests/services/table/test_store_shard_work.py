"""What stewards share: leases, what is due, hints, the roster."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from junto.table.keys import Shard
from junto.table.seats import TableId
from junto.table.shard_work import Due, Lease, ShardWork
from junto.table.store import Store

Commits = Any
SHARD = Shard(17)


@pytest.fixture
def work(store: Store) -> ShardWork:
    """The work of the store's shards."""
    return ShardWork(store)


async def held(work: ShardWork, owner: str, life_ms: int = 60_000) -> Lease:
    """Take the lease, which must be free."""
    lease = await work.acquire(SHARD, owner, life_ms)
    assert lease
    return lease


async def expired(store: Store, lease: Lease) -> None:
    """Wait until a lease is over by Redis's clock."""
    while await store.probe() / 1000 <= lease.until_ms:
        pass


async def test_a_lease_has_one_holder(work: ShardWork) -> None:
    """Of many who want a lease at once, one gets it; another shard's is free."""
    leases = await asyncio.gather(*(work.acquire(SHARD, f"s{n}", 60_000) for n in range(20)))

    assert sum(lease is not None for lease in leases) == 1
    assert await work.acquire(Shard(18), "s0", 60_000)


async def test_the_fencing_number_rises_when_a_lease_changes_hands(store: Store, work: ShardWork) -> None:
    """One who lost a lease can neither have it again nor give it back, and has a lower number."""
    first = await held(work, "a", life_ms=1)
    await expired(store, first)
    second = await held(work, "b")

    assert second.fence == first.fence + 1
    assert await work.release(first) is False
    assert await work.acquire(SHARD, "a", 60_000) is None


async def test_a_holder_keeps_number_and_lease(work: ShardWork) -> None:
    """Taking again what one holds prolongs it with the same number."""
    first = await held(work, "a")
    renewed = await work.acquire(SHARD, "a", 60_000)

    assert renewed
    assert first.fence == renewed.fence
    assert renewed.until_ms == renewed.now_ms + 60_000
    assert renewed.until_ms >= first.until_ms


async def test_a_lease_given_back_is_free_at_once(work: ShardWork) -> None:
    """The next holder need not wait for it to expire."""
    first = await held(work, "a")

    assert await work.release(first)
    assert (await held(work, "b")).fence == first.fence + 1


async def test_a_lease_tells_how_long_nobody_was_at_work(store: Store, work: ShardWork) -> None:
    """It carries the last sign of life of whoever held it before: what seats are credited with after an outage."""
    first = await held(work, "a")
    renewed = await held(work, "a", life_ms=20)
    await expired(store, renewed)
    second = await held(work, "b")

    assert first.pulse_ms == 0
    assert renewed.pulse_ms == first.now_ms
    assert second.pulse_ms == renewed.now_ms
    assert second.now_ms - second.pulse_ms >= 20


async def test_what_is_due_comes_in_its_order(store: Store, work: ShardWork, commit: Commits) -> None:
    """Tables due by a time, the longest due first, no more than asked for; each commit moves or ends it."""
    ids = [one for one in (TableId(f"t{n}") for n in range(9999)) if store.keyspace.shard_of(one) == SHARD][:4]
    for table_id, due_ms in zip(ids, (30, 10, 20, None), strict=True):
        await store.commit(commit(0, table_id=table_id, due_ms=due_ms))

    assert await work.due_before(SHARD, 20, 10) == [Due(ids[1], 10), Due(ids[2], 20)]
    assert await work.due_before(SHARD, 99, 2) == [Due(ids[1], 10), Due(ids[2], 20)]

    await store.commit(commit(1, table_id=ids[1], due_ms=1_700_000_000_123))
    await store.commit(commit(1, table_id=ids[2], due_ms=None))

    assert await work.due_before(SHARD, 1_800_000_000_000, 10) == [Due(ids[0], 30), Due(ids[1], 1_700_000_000_123)]
    assert await work.due_before(Shard(18), 1_800_000_000_000, 10) == []


async def test_hints_are_taken_in_order_and_once(work: ShardWork) -> None:
    """Each job goes to one taker."""
    for n in range(10):
        assert await work.ask(SHARD, b"job \x00 %d" % n)

    taken = await asyncio.gather(*(work.take_hint(SHARD) for _ in range(12)))

    assert taken == [*(b"job \x00 %d" % n for n in range(10)), None, None]


async def test_hints_that_nobody_takes_are_bounded(
    work: ShardWork, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many are refused rather than kept, and all of them expire."""
    monkeypatch.setattr("junto.table.shard_work.MOST_HINTS", 3)

    assert [await work.ask(SHARD, b"job") for _ in range(4)] == [True, True, True, False]
    assert 0 < await store.connection.read(store.keyspace.slot(SHARD), "PTTL", store.keyspace.hints(SHARD)) <= 60_000


async def test_the_roster_shows_who_is_there(work: ShardWork) -> None:
    """Processes of a role see each other until they leave or fall silent."""
    assert await work.be_present("steward", "b", 60_000) == ("b",)
    assert await work.be_present("steward", "a", 60_000) == ("a", "b")
    assert await work.be_present("front", "c", 60_000) == ("c",)
    assert await work.be_present("steward", "b", 0) == ("a",)
    await work.be_present("steward", "d", 1)
    while await work.be_present("steward", "a", 60_000) != ("a",):
        pass

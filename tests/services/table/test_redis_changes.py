"""Notices: they come, they come back after a break, and a break is told."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from junto.table.changes import Changes
from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace, Shard
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import TableId
from junto.table.shard_work import ShardWork
from junto.table.store import Store
from junto.table.store_errors import StoreUnavailable

Commits = Any
Until = Any


class Notes:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.changes: list[tuple[str, int, int | None]] = []
        self.shards: list[int] = []
        self.payloads: list[bytes] = []
        self.breaks = 0

    def changed(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """Note a change."""
        self.changes.append((table_id, version, due_ms))

    def asked(self, shard: Shard) -> None:
        """Note a hint that is asked for."""
        self.shards.append(shard)

    def answered(self, payload: bytes) -> None:
        """Note an answer."""
        self.payloads.append(payload)

    def missed(self) -> None:
        """Note that notices may have been missed."""
        self.breaks += 1


@pytest.fixture
def notes() -> Notes:
    """A listener."""
    return Notes()


@pytest.fixture
async def changes(store: Store, notes: Notes) -> AsyncIterator[Changes]:
    """A subscription on each kind of Redis, hints included."""
    async with Changes(store.connection, store.keyspace, notes, hints=True) as changes:
        yield changes


async def test_every_commit_is_told(
    store: Store, changes: Changes, notes: Notes, commit: Commits, until: Until
) -> None:
    """Whoever listens to a shard hears of each commit in it, in order, and of the removal."""
    shard = store.keyspace.shard_of(commit.table_id)
    await changes.want([shard])

    await store.commit(commit(0, due_ms=1_700_000_000_123))
    await store.commit(commit(1))
    await store.remove(commit.table_id, 2)

    await until(lambda: len(notes.changes) == 3)
    assert notes.changes == [
        (commit.table_id, 1, 1_700_000_000_123),
        (commit.table_id, 2, None),
        (commit.table_id, 0, None),
    ]


async def test_only_wanted_shards_are_told(
    store: Store, changes: Changes, notes: Notes, commit: Commits, until: Until
) -> None:
    """A shard is heard from the moment `want` returns until `unwant` is called."""
    ids = [TableId(f"{commit.table_id}-{n}") for n in range(40)]
    wanted = {store.keyspace.shard_of(one) for one in ids[:20]}

    await changes.want(wanted)
    await changes.want([])
    for table_id in ids:
        await store.commit(commit(0, table_id=table_id))
    heard = {(one, 1, None) for one in ids if store.keyspace.shard_of(one) in wanted}
    await until(lambda: len(notes.changes) >= len(heard))
    assert set(notes.changes) == heard

    await changes.unwant(wanted)
    last = next(one for n in range(1000) if store.keyspace.shard_of(one := TableId(f"last-{n}")) not in wanted)
    await changes.want([store.keyspace.shard_of(last)])
    await store.commit(commit(1, table_id=ids[0]))
    await store.commit(commit(0, table_id=last))
    await until(lambda: notes.changes[-1][0] == last)
    assert len(notes.changes) == len(heard) + 1


async def test_refused_commits_are_not_told(
    store: Store, changes: Changes, notes: Notes, commit: Commits, until: Until
) -> None:
    """Stale and repeated commits wake nobody."""
    await changes.want([store.keyspace.shard_of(commit.table_id)])

    await store.commit(commit(0, request=commit.request("r1")))
    await store.commit(commit(0, request=commit.request("r1")))
    await store.commit(commit(0))
    await store.commit(commit(1))

    await until(lambda: len(notes.changes) >= 2)
    assert [version for _, version, _ in notes.changes] == [1, 2]


async def test_a_hint_is_asked_for_and_answered(store: Store, changes: Changes, notes: Notes, until: Until) -> None:
    """A steward hears that there is a job; its answer reaches the process that asked, and no other."""
    work, others = ShardWork(store), Notes()
    async with Changes(store.connection, store.keyspace, others) as bystander:
        await bystander.want([Shard(5)])
        await changes.want([Shard(5)])

        await work.ask(Shard(5), b"job")
        await until(lambda: notes.shards == [5])
        assert await work.take_hint(Shard(5)) == b"job"
        await work.answer(changes.private_channel, b"answer \x00 one")
        await until(lambda: notes.payloads == [b"answer \x00 one"])

    assert (others.shards, others.payloads) == ([], [])


async def test_the_subscription_comes_back_after_a_restart(
    own_server: EmbeddedRedis, own_store: Store, notes: Notes, commit: Commits, until: Until
) -> None:
    """After Redis was killed and is back, the listener is told to look, and hears again of every commit."""
    async with Changes(own_store.connection, own_store.keyspace, notes) as changes:
        await changes.want(map(Shard, own_store.keyspace.all_shards()))
        await until(lambda: notes.breaks == 1)
        for round_number in range(2):
            os.kill(own_server.pid, signal.SIGKILL)
            await until(lambda: not changes.is_listening and not own_server.is_running)
            own_server.start()
            await until(lambda: changes.is_listening)

            assert notes.breaks == 2 + round_number
            await own_store.commit(commit(round_number))
            await until(lambda: (commit.table_id, 1 + round_number, None) in notes.changes)  # noqa: B023


async def test_a_silent_connection_is_given_up(
    own_server: EmbeddedRedis, own_store: Store, notes: Notes, until: Until
) -> None:
    """A connection that looks alive and says nothing is replaced, and the listener is told to look."""
    async with Changes(own_store.connection, own_store.keyspace, notes, silence_s=0.2) as changes:
        await changes.want([Shard(1)])
        before = notes.breaks
        os.kill(own_server.pid, signal.SIGSTOP)
        try:
            await until(lambda: not changes.is_listening)
        finally:
            os.kill(own_server.pid, signal.SIGCONT)
        await until(lambda: changes.is_listening)
        assert notes.breaks > before


async def test_wanting_without_redis_is_told_and_comes_later(
    own_server: EmbeddedRedis, notes: Notes, commit: Commits, until: Until
) -> None:
    """`want` does not claim to listen when it cannot; once Redis is there the listener is told to look."""
    patience = Patience(connect_s=0.1, retry_s=0.1, first_pause_s=0.005, longest_pause_s=0.05)
    async with await open_connection(own_server.url, patience=patience) as connection:
        store = Store(connection, Keyspace(), None)  # type: ignore[arg-type]
        own_server.stop()
        async with Changes(connection, store.keyspace, notes) as changes:
            with pytest.raises(StoreUnavailable, match="does not confirm a subscription"):
                await changes.want([Shard(1)])
            own_server.start()
            await until(lambda: notes.breaks == 1)
            assert changes.is_listening


async def test_a_listener_that_fails_does_not_end_the_others_notices(
    store: Store, changes: Changes, notes: Notes, commit: Commits, until: Until
) -> None:
    """An error in one notice is logged, and the next one comes."""
    await changes.want([store.keyspace.shard_of(commit.table_id)])
    told = notes.changed

    def fail_once(table_id: TableId, version: int, due_ms: int | None) -> None:
        told(table_id, version, due_ms)
        assert version != 1, "a mistake"

    notes.changed = fail_once  # type: ignore[method-assign]
    await store.commit(commit(0))
    await store.commit(commit(1))

    await until(lambda: len(notes.changes) == 2)
    assert changes.is_listening

"""A Redis Cluster that changes under the store: slots that move, nodes that stop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from redis import Redis

from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace
from junto.table.seats import TableId
from junto.table.store import Committed, Store, open_store
from junto.table.store_errors import StoreUnavailable

Commits = Any
pytestmark = pytest.mark.xdist_group("redis_cluster")
PATIENCE = Patience(silence_s=0.7, first_pause_s=0.005, longest_pause_s=0.05)


@pytest.fixture
async def store(redis_cluster: Any) -> AsyncIterator[Store]:
    """A store on the Cluster."""
    redis_cluster.clear()
    async with await open_connection(redis_cluster.url, patience=PATIENCE) as connection:
        yield await open_store(connection, Keyspace())


@pytest.fixture
def nodes(redis_cluster: Any) -> Iterator[list[Redis]]:
    """A client of each node."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(redis_cluster.client(node))) for node in range(3)]


class Move:
    """The move of one slot from the node that has it to the next one."""

    def __init__(self, nodes: list[Redis], slot: int) -> None:
        self.nodes = nodes
        self.slot = slot
        self.names = [str(node.execute_command("CLUSTER", "MYID").decode()) for node in nodes]
        self.source = next(n for n, node in enumerate(nodes) if self._has(node))
        self.target = (self.source + 1) % 3

    def _has(self, node: Redis) -> bool:
        for line in node.execute_command("CLUSTER", "NODES").decode().splitlines():
            if "myself" in line:
                ranges = [word for word in line.split()[8:] if not word.startswith("[")]
                bounds = [tuple(map(int, word.split("-"))) for word in ranges]
                return any(bound[0] <= self.slot <= bound[-1] for bound in bounds)
        return False

    def begin(self) -> None:
        """Tell both: from now on, what is not at the source any more is asked of the target."""
        self._say(self.target, "IMPORTING", self.names[self.source])
        self._say(self.source, "MIGRATING", self.names[self.target])

    def finish(self) -> None:
        """Move the keys, and tell all that the slot is the target's now."""
        source, target = self.nodes[self.source], self.nodes[self.target]
        port = target.connection_pool.connection_kwargs["port"]
        if keys := source.execute_command("CLUSTER", "GETKEYSINSLOT", self.slot, 100):
            source.execute_command("MIGRATE", "127.0.0.1", port, "", 0, 5000, "KEYS", *keys)
        for node in (self.target, self.source, 3 - self.source - self.target):
            self._say(node, "NODE", self.names[self.target])

    def _say(self, node: int, *words: str) -> None:
        self.nodes[node].execute_command("CLUSTER", "SETSLOT", self.slot, *words)


async def test_a_slot_that_moves_is_followed(store: Store, nodes: list[Redis], commit: Commits) -> None:
    """Commits and reads go on while a slot moves, and nothing is lost or done twice."""
    slot = store.keyspace.slot(store.keyspace.shard_of(commit.table_id))
    move = Move(nodes, slot)

    assert await store.commit(commit(0)) == Committed(1)
    move.begin()
    assert await store.load(commit.table_id)
    another = next(
        one
        for one in (TableId(f"{commit.table_id}-{n}") for n in range(9999))
        if store.keyspace.shard_of(one) == store.keyspace.shard_of(commit.table_id)
    )
    assert await store.load(another) is None
    move.finish()
    outcomes = [await store.commit(commit(version)) for version in range(1, 4)]

    assert outcomes == [Committed(2), Committed(3), Committed(4)]
    assert [entry.version for entry in await store.read_log(commit.table_id, 0)] == [1, 2, 3, 4]


async def test_commits_in_the_middle_of_a_move_wait_for_its_end(
    store: Store, nodes: list[Redis], commit: Commits
) -> None:
    """While a shard's keys are partly here and partly there, a commit waits; it fails only after its patience."""
    slot = store.keyspace.slot(store.keyspace.shard_of(commit.table_id))
    await store.commit(commit(0))
    await store.commit(commit(1, deal=1))
    move = Move(nodes, slot)
    move.begin()
    keys = store.keyspace.table(commit.table_id)
    source, port = nodes[move.source], nodes[move.target].connection_pool.connection_kwargs["port"]
    source.execute_command("MIGRATE", "127.0.0.1", port, keys.log(0), 0, 5000)

    waiting = asyncio.create_task(store.commit(commit(2, deal=0)))
    done, _ = await asyncio.wait([waiting], timeout=0.1)
    assert not done
    move.finish()

    assert await waiting == Committed(3)
    assert [entry.version for entry in await store.read_log(commit.table_id, 0)] == [1, 3]


async def test_a_node_that_hangs_stops_only_its_own_tables(store: Store, nodes: list[Redis], commit: Commits) -> None:
    """Tables of other nodes go on; the probe fails, so that the service says that it is not ready."""
    hung = nodes[1].info("server")["process_id"]
    ids = [TableId(f"{commit.table_id}-{n}") for n in range(12)]
    slots = [store.keyspace.slot(store.keyspace.shard_of(one)) for one in ids]
    await store.load_many(ids)
    os.kill(hung, signal.SIGSTOP)
    try:
        outcomes = await asyncio.gather(*(store.commit(commit(0, table_id=one)) for one in ids), return_exceptions=True)
        with pytest.raises(StoreUnavailable):
            await store.probe()
    finally:
        os.kill(hung, signal.SIGCONT)

    third = 16384 / 3
    for slot, outcome in zip(slots, outcomes, strict=True):
        if third <= slot < 2 * third:
            assert isinstance(outcome, StoreUnavailable)
        else:
            assert outcome == Committed(1)

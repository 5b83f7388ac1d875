"""Commits: whole or not at all, once, and only on the version they were decided on."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pytest

from junto.table.seats import PlayerId, TableId
from junto.table.store import (
    Committed,
    Duplicate,
    Entry,
    Players,
    Request,
    Reused,
    Stale,
    Store,
    Stored,
    content_hash,
)

Commits = Any


async def raw(store: Store, table_id: str, *command: str | bytes | int) -> Any:
    """Ask Redis itself, on the server that has the table."""
    shard = store.keyspace.shard_of(TableId(table_id))
    return await store.connection.read(store.keyspace.slot(shard), *command)


async def everything(store: Store, commit: Commits) -> dict[bytes, Any]:
    """Return all that Redis holds of a table's shard."""
    keys = store.keyspace.table(commit.table_id)
    found: dict[bytes, Any] = {}
    for key in await raw(store, commit.table_id, "KEYS", keys.tag + b":*"):
        if not key.endswith(b":probe"):
            found[key] = await raw(store, commit.table_id, "DUMP", key)
    return found


async def test_what_was_committed_is_loaded(store: Store, commit: Commits) -> None:
    """A table comes back as it was last committed, byte for byte."""
    assert await store.load(commit.table_id) is None
    assert await store.commit(commit(0, snapshot=b"\x00\r\n\xff", schema=3)) == Committed(1)
    assert await store.load(commit.table_id) == Stored(1, 3, b"\x00\r\n\xff")
    assert await store.commit(commit(1, snapshot=b"", schema=4)) == Committed(2)
    assert await store.load(commit.table_id) == Stored(2, 4, b"")


async def test_many_are_loaded_in_the_order_asked_for(store: Store, commit: Commits) -> None:
    """`load_many` answers by position, with None for tables that do not exist."""
    ids = [TableId(f"{commit.table_id}-{n}") for n in range(20)]
    for n, table_id in enumerate(ids[:-1]):
        await store.commit(commit(0, table_id=table_id, snapshot=b"%d" % n))

    loaded = await store.load_many(reversed(ids))

    assert loaded == [None, *(Stored(1, 1, b"%d" % n) for n in range(18, -1, -1))]


async def test_a_repeated_request_gets_the_first_answer(store: Store, commit: Commits) -> None:
    """Whatever happened since, the second time changes nothing and answers as the first did."""
    request = commit.request("r1", result=b"first \x00 result")
    await store.commit(commit(0, request=request))
    await store.commit(commit(1))
    before = await everything(store, commit)

    again = commit(0, snapshot=b"other", request=Request("r1", request.content_hash, b"other"))

    assert await store.commit(again) == Duplicate(1, b"first \x00 result")
    assert await store.lookup_request(commit.table_id, "r1", request.content_hash) == Duplicate(1, b"first \x00 result")
    assert await everything(store, commit) == before


async def test_a_request_id_with_other_content_is_refused(store: Store, commit: Commits) -> None:
    """The same id with other content is told so, even if the version would be right."""
    await store.commit(commit(0, request=commit.request("r1")))
    before = await everything(store, commit)

    assert await store.commit(commit(1, request=commit.request("r1", content=b"other"))) == Reused()
    assert await store.lookup_request(commit.table_id, "r1", content_hash(b"other")) == Reused()
    assert await everything(store, commit) == before


async def test_an_unknown_request_is_unknown(store: Store, commit: Commits) -> None:
    """Nothing is known of a request before it was carried out."""
    await store.commit(commit(0, request=commit.request("r1")))

    assert await store.lookup_request(commit.table_id, "r2", content_hash(b"content")) is None


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
async def test_a_stale_version_changes_nothing(store: Store, commit: Commits, expected: int) -> None:
    """A commit on any version but the current one is told the current one."""
    await store.commit(commit(0))
    await store.commit(commit(1, due_ms=5))
    before = await everything(store, commit)

    assert await store.commit(commit(expected, due_ms=7, request=commit.request("r1"))) == Stale(2)
    assert await everything(store, commit) == before


async def test_a_table_that_does_not_exist_is_stale_at_zero(store: Store, commit: Commits) -> None:
    """Only version 0 opens a table."""
    assert await store.commit(commit(1)) == Stale(0)
    assert await store.load(commit.table_id) is None


async def test_of_fifty_commits_on_one_version_one_wins(store: Store, commit: Commits) -> None:
    """A race has one winner, whose snapshot and entry stand; the others learn the new version."""
    await store.commit(commit(0))

    outcomes = await asyncio.gather(*(store.commit(commit(1, snapshot=b"%d" % n, entry=b"%d" % n)) for n in range(50)))

    assert Counter(outcomes) == {Committed(2): 1, Stale(2): 49}
    winner = b"%d" % outcomes.index(Committed(2))
    assert await store.load(commit.table_id) == Stored(2, 1, winner)
    assert await store.read_log(commit.table_id, 0, after_version=1) == [Entry(2, winner)]


async def test_fifty_repeats_at_once_are_carried_out_once(store: Store, commit: Commits) -> None:
    """A client that repeats before it is answered gets the same answer every time."""
    outcomes = await asyncio.gather(*(store.commit(commit(0, request=commit.request("r1"))) for _ in range(50)))

    assert Counter(outcomes) == {Committed(1): 1, Duplicate(1, b"result"): 49}
    assert len(await store.read_log(commit.table_id, 0)) == 1


async def test_commits_go_on_after_the_scripts_were_forgotten(store: Store, commit: Commits) -> None:
    """A Redis that has lost its scripts is taught them again, in the middle of many commits."""
    await store.commit(commit(0))
    await raw(store, commit.table_id, "SCRIPT", "FLUSH")

    outcomes = await asyncio.gather(*(store.commit(commit(1)) for _ in range(20)))

    assert Counter(outcomes) == {Committed(2): 1, Stale(2): 19}


async def test_the_log_of_each_deal_is_read_by_version(store: Store, commit: Commits) -> None:
    """Entries come in order, after one version and up to another, from the log that they were put in."""
    for version in range(4):
        await store.commit(commit(version, deal=0 if version < 2 else 1))

    assert await store.read_log(commit.table_id, 0) == [Entry(n + 1, b"entry \x00 after %d" % n) for n in range(2)]
    assert await store.read_log(commit.table_id, 1) == [Entry(n + 1, b"entry \x00 after %d" % n) for n in range(2, 4)]
    assert [entry.version for entry in await store.read_log(commit.table_id, 1, after_version=3)] == [4]
    assert [entry.version for entry in await store.read_log(commit.table_id, 1, upto=3)] == [3]
    assert await store.read_log(commit.table_id, 2) == []


async def test_a_retired_log_begins_to_expire(store: Store, commit: Commits) -> None:
    """Only the logs named as retired get an expiry, that of the configuration."""
    await store.commit(commit(0))
    await store.commit(commit(1, deal=1, retired=(0,)))
    keys = store.keyspace.table(commit.table_id)

    assert 0 < await raw(store, commit.table_id, "PTTL", keys.log(0)) <= store.retention.log_ms
    assert await raw(store, commit.table_id, "PTTL", keys.log(1)) == -1
    assert await raw(store, commit.table_id, "PTTL", keys.table) == -1


async def test_remembered_requests_are_bounded_and_expire(store: Store, commit: Commits) -> None:
    """The last few request ids are remembered, older ones make room, and all of them expire."""
    kept = store.retention.requests
    for version in range(3 * kept):
        await store.commit(commit(version, request=commit.request(f"r{version}")))
    keys = store.keyspace.table(commit.table_id)

    known = [
        await store.lookup_request(commit.table_id, f"r{version}", content_hash(b"content"))
        for version in range(3 * kept)
    ]

    assert known == [None] * (2 * kept) + [Duplicate(version + 1, b"result") for version in range(2 * kept, 3 * kept)]
    assert await raw(store, commit.table_id, "HLEN", keys.requests) == 2 * kept
    assert 0 < await raw(store, commit.table_id, "PTTL", keys.requests) <= store.retention.request_ms


@pytest.mark.parametrize("bad", ["", "#1"])
def test_a_request_id_that_could_be_mistaken_is_refused(bad: str) -> None:
    """Ids that the store uses for itself are a caller's mistake."""
    with pytest.raises(ValueError, match="cannot be a request's id"):
        Request(bad, content_hash(b""), b"")


async def test_a_removed_table_leaves_nothing(store: Store, commit: Commits) -> None:
    """Snapshot, logs, requests, due entry and list entries go together."""
    await store.commit(
        commit(
            0,
            due_ms=9,
            request=commit.request("r1"),
            players=Players(5, frozenset(), frozenset({PlayerId("ann"), PlayerId("bob")})),
        )
    )
    await store.commit(commit(1, deal=1, retired=(0,), due_ms=9))
    await store.commit(commit(2, deal=2, retired=(1,), due_ms=9))

    assert await store.remove(commit.table_id, 2) == Stale(3)
    assert await store.load(commit.table_id)
    assert await store.remove(commit.table_id, 3) == Committed(0)
    assert await everything(store, commit) == {}
    assert await store.remove(commit.table_id, 3) == Stale(0)


async def test_a_probe_tells_the_time(store: Store) -> None:
    """The write probe answers with Redis's time, which is this machine's here."""
    assert abs(await store.probe() / 1e6 - time.time()) < 5

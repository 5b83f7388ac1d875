"""Lists of tables: newest first, page by page, without gaps or repeats."""

from __future__ import annotations

import random
from typing import Any

from junto.table.listing import Listing, list_tables
from junto.table.seats import PlayerId, TableId
from junto.table.store import Listed, Players, Store

Commits = Any


async def fill(store: Store, commit: Commits, times: list[int]) -> list[Listing]:
    """Open tables at these times; return them newest first."""
    listings = [
        Listing(TableId(f"{n:03}-{commit.table_id}"), ms, b"even" if n % 2 == 0 else b"odd \x00")
        for n, ms in enumerate(times)
    ]
    for one in listings:
        await store.commit(commit(0, table_id=one.table_id, listing=Listed(one.create_ms, one.label)))
    return sorted(listings, key=lambda one: (one.create_ms, one.table_id), reverse=True)


async def pages(store: Store, limit: int, **what: Any) -> list[Listing]:
    """Read all pages, each of which holds what it should."""
    found: list[Listing] = []
    cursor = b""
    while True:
        page = await list_tables(store, limit=limit, cursor=cursor, **what)
        found += page.tables
        assert len(page.tables) <= limit
        if not page.next_cursor:
            return found
        assert len(page.tables) == limit
        cursor = page.next_cursor


async def test_pages_are_newest_first_without_gaps_or_repeats(store: Store, commit: Commits) -> None:
    """All tables are found once, in order, whatever the page's size, also those opened in the same millisecond."""
    numbers = random.Random(7)
    expected = await fill(store, commit, [numbers.randrange(1_700_000_000_000, 1_700_000_000_050) for _ in range(40)])

    for limit in (1, 7, 40, 100):
        assert await pages(store, limit) == expected


async def test_pages_are_whole_when_all_tables_are_in_one_shard(store: Store, commit: Commits) -> None:
    """A shard with more tables than it is asked for at once hides none of them."""
    crowded = store.keyspace.shard_of(TableId("x"))
    ids = [TableId(f"t{n}") for n in range(20_000)]
    chosen = [one for one in ids if store.keyspace.shard_of(one) == crowded][:40]
    for n, table_id in enumerate(chosen):
        await store.commit(commit(0, table_id=table_id, listing=Listed(n)))

    assert [one.table_id for one in await pages(store, 10)] == chosen[::-1]


async def test_a_choice_is_made_by_label(store: Store, commit: Commits) -> None:
    """Pages of chosen tables are full ones as long as there are any."""
    expected = await fill(store, commit, list(range(40)))

    chosen = await pages(store, 3, wanted=lambda one: one.label == b"even")

    assert chosen == [one for one in expected if one.label == b"even"]


async def test_a_table_is_listed_once_and_by_its_last_label(store: Store, commit: Commits) -> None:
    """A new label replaces the old one; a commit that says nothing of it leaves it; removed is gone."""

    async def labels() -> list[bytes]:
        return [one.label for one in await pages(store, 10)]

    await store.commit(commit(0, listing=Listed(5, b"open")))
    await store.commit(commit(1))
    assert await labels() == [b"open"]
    await store.commit(commit(2, listing=Listed(5, b"playing")))
    assert await labels() == [b"playing"]
    await store.remove(commit.table_id, 3)
    assert await labels() == []


async def test_a_player_finds_the_tables_they_are_at(store: Store, commit: Commits) -> None:
    """A table is in the lists of those who are at it, listed or not, until they leave or it is removed."""
    ann, bob = PlayerId("ann"), PlayerId("bob 中")

    async def of(player: PlayerId) -> list[str]:
        return [one.table_id for one in await pages(store, 2, player=player)]

    await store.commit(commit(0, players=Players(5, frozenset(), frozenset({ann, bob}))))
    assert await of(ann) == await of(bob) == [commit.table_id]
    await store.commit(commit(1, players=Players(5, frozenset({ann, bob}), frozenset({bob}))))
    assert (await of(ann), await of(bob)) == ([], [commit.table_id])
    assert await pages(store, 10) == []
    await store.remove(commit.table_id, 2)
    assert await of(bob) == []


async def test_a_strange_cursor_does_no_harm(store: Store, commit: Commits) -> None:
    """Whatever bytes come as a cursor, the answer is a page."""
    await fill(store, commit, [1, 2, 3])

    for cursor in (b"\xff\xff", b"+", b"-", b"(", b"\x00", b"zzz"):
        page = await list_tables(store, limit=10, cursor=cursor)
        assert len(page.tables) in {0, 3}

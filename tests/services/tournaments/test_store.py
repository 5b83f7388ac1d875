"""Tournaments in Redis, on one server and on a Cluster: who holds them, what is kept once, what is kept at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from junto.internal.v1 import store_pb2
from junto.table.keys import Keyspace
from junto.table.seats import PlayerId
from junto.tournaments import scripts
from junto.tournaments.errors import JournalBehind, LeaseLost, NewerTournament
from junto.tournaments.keys import TournamentId, desk_keys, new_id, tournament_keys
from junto.tournaments.store import MOST_KEPT, Room, Tournaments
from junto.tournaments.work import STRAY_MS, Hold, Work
from junto.v1 import tournaments_pb2

from .conftest import Hall, spec

FINISHED = tournaments_pb2.TOURNAMENT_STATUS_FINISHED


def entry(*numbers: int) -> store_pb2.PlayedSittings:
    """Return an entry of a journal: sittings of these deals."""
    sittings = [store_pb2.PlayedSitting(deal=number, record=b"\x00%d" % number) for number in numbers]
    return store_pb2.PlayedSittings(sittings=sittings)


async def taken(hall: Hall, work: Work) -> Hold:
    """Create a tournament and take it up."""
    created = await hall.create(await hall.player())
    found = await work.tournaments.get(TournamentId(created.id))
    hold = await work.take(found, "code")
    assert hold is not None
    return hold


async def journal(work: Work, hold: Hold) -> list[int]:
    """Return the deals of a journal."""
    return [one.deal async for each in work.journal(hold.tournament.id) for one in each.sittings]


def test_the_scripts_speak_of_the_statuses_of_the_api() -> None:
    """Numbers that stand in Lua are those of the enum."""
    assert scripts.RUNNING == tournaments_pb2.TOURNAMENT_STATUS_RUNNING
    assert scripts.CANCELLED == tournaments_pb2.TOURNAMENT_STATUS_CANCELLED


async def test_only_one_holds_a_tournament(any_hall: Hall) -> None:
    """Whoever comes second gets nothing until the lease runs out; then the first one changes nothing any more."""
    first, second = any_hall.work("first", 300), any_hall.work("second")
    hold = await taken(any_hall, first)
    assert await second.take(hold.tournament, "code") is None
    assert await second.unheld(any_hall.clock.now_ms()) == []

    async with asyncio.timeout(10):
        while (later := await second.take(hold.tournament, "other code")) is None:
            await asyncio.sleep(0.02)  # the lease is Redis's

    assert (later.fence, later.tries, later.code) == (hold.fence + 1, 2, "code")
    for late in (
        first.tell(hold),
        first.add(hold, 0, entry(1)),
        first.end(hold, FINISHED),
    ):
        with pytest.raises(LeaseLost):
            await late
    assert await journal(second, later) == []
    assert (await second.tournaments.get(later.tournament.id)).is_running


async def test_an_entry_that_is_kept_twice_is_there_once(any_hall: Hall) -> None:
    """An answer that was lost is asked for again; entries stay in order, and tries are forgotten with each."""
    work = any_hall.work()
    hold = await taken(any_hall, work)

    await work.add(hold, 0, entry(1, 2))
    await work.add(hold, 0, entry(1, 2))
    await work.add(hold, 1, entry(3))

    assert await journal(work, hold) == [1, 2, 3]
    with pytest.raises(JournalBehind):
        await work.add(hold, 7, entry(9))
    await work.give_back(hold, any_hall.clock.now_ms(), failed=True)
    again = await work.take(hold.tournament, "code")
    assert again is not None
    assert again.tries == 1
    assert await journal(work, again) == [1, 2, 3]


async def test_a_long_journal_is_read_to_its_end(any_hall: Hall) -> None:
    """Page after page."""
    work = any_hall.work()
    hold = await taken(any_hall, work)
    for number in range(70):
        await work.add(hold, number, entry(number))

    assert await journal(work, hold) == list(range(70))


async def test_what_is_over_is_kept_without_its_journal_and_off_the_desk(any_hall: Hall) -> None:
    """The result stays for the player to read; nobody is asked to play it."""
    work = any_hall.work()
    hold = await taken(any_hall, work)
    await work.add(hold, 0, entry(1))

    await work.end(hold, FINISHED, store_pb2.TournamentProgress(deals_played=12))

    over = await work.tournaments.get(hold.tournament.id)
    assert (over.status, over.progress.deals_played, over.end_ms > 0) == (FINISHED, 12, True)
    assert await journal(work, hold) == []
    assert await work.to_be_played() == []
    assert await work.take(over, "code") is None
    keys = tournament_keys(any_hall.store.keyspace, over.id)
    life_ms = await any_hall.store.connection.read(keys.slot, "PTTL", keys.tournament)
    assert 0 < life_ms <= any_hall.terms.room.keep_ms


async def test_lists_are_told_without_standings(any_hall: Hall) -> None:
    """They may be large, and a list of a hundred tournaments shows none; one tournament has its own."""
    work = any_hall.work()
    hold = await taken(any_hall, work)
    lines = [tournaments_pb2.Standing(entrant=name) for name in "ab"]
    await work.tell(hold, store_pb2.TournamentProgress(standings=lines))
    await work.tell(hold)

    one = await work.tournaments.get(hold.tournament.id)
    (listed,) = await work.tournaments.find_all([hold.tournament.id])

    assert listed is not None
    assert [line.entrant for line in one.progress.standings] == ["a", "b"]
    assert not listed.progress.standings
    await work.end(hold, FINISHED, store_pb2.TournamentProgress(deals_played=12, standings=lines[:1]))
    over = await work.tournaments.get(hold.tournament.id)
    assert (over.progress.deals_played, list(over.progress.standings)) == (12, lines[:1])


async def test_a_cancelled_tournament_takes_no_more(any_hall: Hall) -> None:
    """Whoever plays it learns so from the next thing that it wants to keep."""
    work = any_hall.work()
    hold = await taken(any_hall, work)
    await work.tell(hold, store_pb2.TournamentProgress(deals_played=3))

    stopped = await work.tournaments.cancel(hold.tournament)

    assert stopped.status == tournaments_pb2.TOURNAMENT_STATUS_CANCELLED
    assert stopped.progress.deals_played == 3
    with pytest.raises(LeaseLost):
        await work.add(hold, 0, entry(1))
    assert await journal(work, hold) == []


async def test_turns_go_round(any_hall: Hall) -> None:
    """What was given back waits behind those that have not had their turn."""
    work, player = any_hall.work(), await any_hall.player()
    first, second = [(await any_hall.create(player)).id for _ in range(2)]
    now_ms = any_hall.clock.now_ms
    waiting = await work.unheld(now_ms())
    hold = await work.take(waiting[0], "code")
    assert hold is not None

    await work.give_back(hold, now_ms() + 1)

    assert {one.id for one in waiting} == {first, second}
    assert [one.id for one in await work.unheld(now_ms())] == [waiting[1].id, waiting[0].id]


async def test_a_name_without_a_tournament_is_cleared_away(any_hall: Hall) -> None:
    """A front that died between desk and store leaves nothing behind for long, and its client may ask again."""
    work, keyspace = any_hall.work(), any_hall.store.keyspace
    desk = desk_keys(keyspace)
    await any_hall.store.connection.write(desk.slot, "ZADD", desk.open, any_hall.clock.now_ms(), "stray")

    assert await work.unheld(any_hall.clock.now_ms()) == []
    assert [name for name, _ in await work.to_be_played()] == ["stray"]
    assert await work.unheld(any_hall.clock.now_ms() + STRAY_MS + 1000) == []
    assert await work.to_be_played() == []


async def test_a_name_that_is_asked_for_again_is_not_cleared_away(any_hall: Hall) -> None:
    """A front died between desk and store, and its client asks again minutes later: the tournament is to be played.

    It stays so although an organiser had seen the name without a tournament just before.
    """
    work, record = any_hall.work(), store_pb2.TournamentRecord(spec=spec(), create_ms=STRAY_MS + 2)
    record.creator.id = "ada"
    asked, desk = new_id(PlayerId("ada"), "request"), desk_keys(any_hall.store.keyspace)
    await any_hall.store.connection.write(desk.slot, "ZADD", desk.open, 1, asked)

    created = await work.tournaments.create("request", record)
    await work.tournaments.clear_stray(asked, 1)

    assert [one.id for one in await work.unheld(any_hall.clock.now_ms())] == [created.id] == [asked]


async def test_who_asks_again_puts_it_back_on_the_desk(any_hall: Hall) -> None:
    """A front that was frozen before it stored what it was asked for comes back to a desk without it."""
    work, record = any_hall.work(), store_pb2.TournamentRecord(spec=spec(), create_ms=any_hall.clock.now_ms())
    record.creator.id = "ada"
    created = await work.tournaments.create("request", record)
    desk = desk_keys(any_hall.store.keyspace)
    await any_hall.store.connection.write(desk.slot, "ZREM", desk.open, created.id)

    again = await work.tournaments.create("request", record)

    assert [one.id for one in await work.unheld(any_hall.clock.now_ms())] == [again.id] == [created.id]


async def test_who_lost_a_lease_does_not_change_whose_turn_it_is(any_hall: Hall) -> None:
    """One that was frozen for too long gives nothing back: neither the lease nor the turn."""
    work, other = any_hall.work(), any_hall.work("other")
    hold = await taken(any_hall, work)
    keys = tournament_keys(any_hall.store.keyspace, hold.tournament.id)
    await any_hall.store.connection.write(keys.slot, "HSET", keys.tournament, "until", 0)
    assert await other.take(hold.tournament, "code") is not None
    turns = await other.to_be_played()

    await work.give_back(hold, any_hall.clock.now_ms() + 5)

    assert await other.to_be_played() == turns
    assert await other.unheld(any_hall.clock.now_ms()) == []


async def test_of_too_many_that_are_over_the_oldest_are_forgotten(any_hall: Hall) -> None:
    """What one player can leave in Redis is bounded; what is running is never forgotten."""
    tournaments = Tournaments(any_hall.store, Room(of_player=2, in_all=1000, keep_ms=60_000))

    async def created(number: int) -> Any:
        record = store_pb2.TournamentRecord(spec=spec(), create_ms=number + 1)
        record.creator.id = "busy"
        return await tournaments.create(f"request {number}", record)

    running = await created(0)
    over = [await tournaments.cancel(await created(number)) for number in range(1, MOST_KEPT + 2)]

    assert await tournaments.find(running.id) is not None
    assert await tournaments.find_all([one.id for one in over[:2]]) == [None, None]
    assert await tournaments.find(over[2].id) is not None
    found, more = await tournaments.of_player(PlayerId("busy"), 1000)
    assert (len(found), more) == (MOST_KEPT, b"")


async def test_a_tournament_of_a_newer_process_is_left_alone(hall: Hall) -> None:
    """It is neither misread nor played, nor does it keep others from being played."""
    work = hall.work()
    hold = await taken(hall, work)
    keys = tournament_keys(hall.store.keyspace, hold.tournament.id)
    record = store_pb2.TournamentRecord()
    record.CopyFrom(hold.tournament.record)
    record.schema += 1
    await hall.store.connection.write(keys.slot, "HSET", keys.tournament, "record", record.SerializeToString())

    with pytest.raises(NewerTournament):
        await work.tournaments.get(hold.tournament.id)
    await work.give_back(hold, hall.clock.now_ms())
    older = await hall.create(await hall.player(name="Bob"))
    assert [one.id for one in await work.unheld(hall.clock.now_ms() + STRAY_MS + 1000)] == [older.id]
    assert hold.tournament.id in [one for one, _ in await work.to_be_played()]


def test_the_keys_of_a_tournament_are_in_one_slot() -> None:
    """Its scripts may touch all of them in a Cluster; those of the desk have another."""
    keyspace = Keyspace(prefix="p")
    keys = tournament_keys(keyspace, TournamentId("abc"))

    assert keys.tournament.startswith(b"p:{s%d}:" % keys.shard)
    assert keys.sittings.startswith(b"p:{s%d}:" % keys.shard)
    desk = desk_keys(keyspace, PlayerId("ada"))
    assert (desk.open, desk.of) == (b"p:{meta}:tournaments", b"p:{meta}:tournaments-of:ada")

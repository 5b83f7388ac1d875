"""WatchTournament: the state first, then each change, not too often, and an end."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Any

import pytest

from junto.client import CallError, Client
from junto.front import tournament_watch
from junto.front.tournament_watch import APART_S
from junto.internal.v1 import store_pb2
from junto.tournaments.keys import TournamentId, tournament_keys
from junto.tournaments.work import Hold, Work
from junto.v1 import errors_pb2, tournaments_pb2

from .conftest import Hall

FINISHED = tournaments_pb2.TOURNAMENT_STATUS_FINISHED


def watch(client: Client, tournament_id: str) -> Any:
    """Open a stream."""
    return client.tournaments.watch_tournament(tournaments_pb2.WatchTournamentRequest(tournament_id=tournament_id))


async def taken(work: Work, tournament_id: str) -> Hold:
    """Take a tournament up."""
    hold = await work.take(await work.tournaments.get(TournamentId(tournament_id)), "code")
    assert hold is not None
    return hold


def progress(deals: int) -> store_pb2.TournamentProgress:
    """Return progress of so many deals, with many standings."""
    lines = [tournaments_pb2.Standing(entrant=f"e{number}") for number in range(12)]
    return store_pb2.TournamentProgress(deals_played=deals, deals_per_second=5.0, left_ms=1500, standings=lines)


async def test_a_watcher_sees_it_from_waiting_to_its_end(hall: Hall, transport: str) -> None:
    """Waiting, taken up, coming on, over; with the message that says so the stream ends."""
    player, work = await hall.player(transport), hall.work()
    created = await hall.create(player)
    seen = []

    async with asyncio.timeout(20), aclosing(watch(player, created.id)) as stream:
        seen.append((await anext(stream)).tournament)
        hold = await taken(work, created.id)
        seen.append((await anext(stream)).tournament)
        await work.tell(hold, progress(5))
        message = await anext(stream)
        seen.append(message.tournament)
        assert [line.entrant for line in message.leaders] == [f"e{number}" for number in range(10)]
        await work.end(hold, FINISHED, progress(12))
        seen += [message.tournament async for message in stream]

    assert [(one.waiting, one.deals_played) for one in seen] == [(True, 0), (False, 0), (False, 5), (False, 12)]
    assert seen[2].time_left.ToMilliseconds() == 1500
    assert [one.status == FINISHED for one in seen] == [False, False, False, True]
    assert not seen[3].HasField("time_left")


async def test_who_comes_after_the_end_gets_one_message(hall: Hall, transport: str) -> None:
    """A stream of what is over is over at once."""
    player = await hall.player(transport)
    created = await hall.create(player)
    await player.tournaments.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id=created.id))

    async with asyncio.timeout(10):
        messages = [message async for message in watch(player, created.id)]

    assert [one.tournament.status for one in messages] == [tournaments_pb2.TOURNAMENT_STATUS_CANCELLED]


async def test_changes_that_come_fast_are_told_together(hall: Hall) -> None:
    """A few messages a second, the last of which has everything; other fronts tell the same."""
    player, work = await hall.player(), hall.work()
    *_, other = await hall.another_front()
    elsewhere = await hall.player(front=other)
    created = await hall.create(player)
    hold = await taken(work, created.id)

    async def last(client: Client) -> tuple[int, int, float]:
        began, count, deals = time.monotonic(), 0, 0
        async for message in watch(client, created.id):
            count, deals = count + 1, message.tournament.deals_played
        return count, deals, time.monotonic() - began

    async with asyncio.timeout(30):
        watching = [asyncio.create_task(last(client)) for client in (player, elsewhere)]
        for deals in range(1, 100):
            await work.tell(hold, progress(deals))
            await asyncio.sleep(0.005)  # so that some of it goes on while they watch
        await work.end(hold, FINISHED, progress(200))
        for count, deals, seconds in await asyncio.gather(*watching):
            assert deals == 200
            assert count <= seconds / APART_S + 2


async def test_it_says_that_nobody_plays_it_any_more(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """An organiser that died says nothing: that its lease ran out is seen by looking."""
    monkeypatch.setattr(tournament_watch, "ANYWAY_S", 0.1)
    player, work = await hall.player(), hall.work(life_ms=400)
    created = await hall.create(player)
    await taken(work, created.id)

    async with asyncio.timeout(10), aclosing(watch(player, created.id)) as stream:
        states = [(await anext(stream)).tournament.waiting, (await anext(stream)).tournament.waiting]

    assert states == [False, True]


async def test_one_that_is_removed_meanwhile_is_told(hall: Hall, transport: str) -> None:
    """As when nobody has played it for so long that it was forgotten: each stream ends with the reason."""
    player = await hall.player(transport)
    created = await hall.create(player)
    keys = tournament_keys(hall.store.keyspace, TournamentId(created.id))

    async with asyncio.timeout(20):
        streams = [watch(player, created.id) for _ in range(3)]
        for stream in streams:
            await anext(stream)
        await hall.store.connection.write(keys.slot, "UNLINK", keys.tournament)
        for stream in streams:
            with pytest.raises(CallError) as caught:
                await anext(stream)
            assert caught.value.reason == errors_pb2.ERROR_REASON_TOURNAMENT_NOT_FOUND


async def test_a_front_that_drains_ends_its_streams(hall: Hall, transport: str) -> None:
    """With DRAINING, which means: watch again, another one will answer."""
    player = await hall.player(transport)
    created = await hall.create(player)

    async with asyncio.timeout(20):
        stream = watch(player, created.id)
        await anext(stream)
        draining = asyncio.create_task(hall.front.drain(5.0))
        with pytest.raises(CallError) as caught:
            await anext(stream)
        await draining

    assert caught.value.reason == errors_pb2.ERROR_REASON_DRAINING


async def test_a_stream_does_not_outlive_its_token(hall: Hall) -> None:
    """Whoever watches for long refreshes the token and watches again."""
    player = await hall.player()
    created = await hall.create(player)

    with pytest.raises(Exception, match="token has ended"):
        async for _ in hall.organised.watch.watch(TournamentId(created.id), 0.1):
            pass


async def test_nobody_is_read_for_when_the_last_has_left(hall: Hall) -> None:
    """Readers end with their watchers."""
    player = await hall.player()
    created = await hall.create(player)
    watched = hall.organised.watch
    first, second = (watched.watch(TournamentId(created.id), 60.0) for _ in range(2))
    await anext(first)
    await anext(second)
    assert len(watched._channels) == 1

    await first.aclose()
    assert len(watched._channels) == 1
    await second.aclose()
    assert not watched._channels

"""Watching a table through real channels: what a stream begins with, what it sends, how it ends, how it goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any

import pytest
import structlog

from junto.client import Client
from junto.front.call import Player, PlayerId
from junto.front.server import token_issuer
from junto.front.tokens import SpentInMemory
from junto.front.watch import Hub
from junto.front.watchers import QUEUE, Watcher
from junto.games.actions import Bid, Pass
from junto.table.aggregate import Table
from junto.table.commands import Presence
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import Status, TableId
from junto.table.settings import Settings
from junto.v1 import tables_pb2

from .conftest import until
from .house import House, act, house, own_house, own_redis, transport

__all__ = ["house", "own_house", "own_redis", "transport"]

Message = tables_pb2.WatchTableResponse


class Seen:
    """What came of a stream so far, read in the background."""

    def __init__(self, stream: AsyncGenerator[Message, None]) -> None:
        self.messages: list[Message] = []
        self.view = tables_pb2.TableView()
        self.version = 0
        self.end = tables_pb2.END_REASON_UNSPECIFIED
        self._reading = asyncio.create_task(self._read(stream))

    async def _read(self, stream: AsyncGenerator[Message, None]) -> None:
        async with aclosing(stream) as messages:
            async for message in messages:
                assert not self.end, "end is the last message"
                self.take(message)

    def take(self, message: Message) -> None:
        """Follow a message as a client does."""
        match message.WhichOneof("kind"):
            case "full":
                self.view.CopyFrom(message.full)
                self.version = message.full.table.version
            case "resumed":
                assert not self.messages, "resumed comes first"
            case "update":
                update = message.update
                assert self.version in {0, update.from_version}, "an update starts where the last one ended"
                self.follow(update)
            case "heartbeat":
                return
            case "end":
                self.end = message.end.reason
        self.messages.append(message)

    def follow(self, update: tables_pb2.TableUpdate) -> None:
        """Bring the view up to date."""
        self.version = update.version
        if update.HasField("table"):
            self.view.table.CopyFrom(update.table)
        self.view.table.version = update.version
        for field in ("deal", "prompt", "clock"):
            self.view.ClearField(field)
            if update.HasField(field):
                getattr(self.view, field).CopyFrom(getattr(update, field))

    @property
    def updates(self) -> list[tables_pb2.TableUpdate]:
        """All updates so far."""
        return [message.update for message in self.messages if message.HasField("update")]

    @property
    def events(self) -> list[Any]:
        """All events so far."""
        return [event for update in self.updates for event in update.events]

    async def has(self, condition: Callable[[Seen], bool]) -> None:
        """Wait until something has come."""
        await until(lambda: self._reading.done() or condition(self))
        if not condition(self):
            self._reading.result()
            raise AssertionError(f"the stream is over and it did not come: {self.messages[-3:]}")

    async def reached(self, table: Table) -> None:
        """Wait until the stream has told all up to that version."""
        await self.has(lambda seen: seen.version >= table.version)

    async def ended(self) -> tables_pb2.EndReason.ValueType:
        """Wait for the end and return why."""
        await asyncio.wait_for(self._reading, 5)
        return self.end

    async def stop(self) -> None:
        """Go away."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


def request(table_id: str, after: int | None = None, **fields: Any) -> tables_pb2.WatchTableRequest:
    """Return the request that watches a table."""
    return tables_pb2.WatchTableRequest(table_id=table_id, after_version=after, **fields)


@asynccontextmanager
async def watching(client: Client, table_id: str, after: int | None = None, **fields: Any) -> AsyncIterator[Seen]:
    """Watch a table meanwhile."""
    seen = Seen(client.tables.watch_table(request(table_id, after, **fields)))
    try:
        await seen.has(lambda one: bool(one.messages))
        yield seen
    finally:
        await seen.stop()


async def view_of(client: Client, table_id: str) -> tables_pb2.TableView:
    """Return the table as that player sees it."""
    return (await client.tables.get_table(tables_pb2.GetTableRequest(table_id=table_id))).view


def watchers(house: House, table_id: str) -> set[Watcher]:
    """Return the streams of a table, in the server."""
    return house.serving.hub._channels[TableId(table_id)].watchers


async def test_a_stream_tells_a_whole_deal(house: House, transport: str) -> None:
    """First the full view, then updates without a gap; the view followed is always the one that GetTable shows."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, humans=1, deals=1)
    async with watching(ada, table_id) as mine, watching(eve, table_id) as theirs:
        assert [seen.messages[0].WhichOneof("kind") for seen in (mine, theirs)] == ["full", "full"]
        while (table := await house.let_bots_act(table_id)).to_act is not None or table.status is Status.PLAYING:
            if table.to_act is None:
                await house.open_deal(table_id)
                continue
            await mine.reached(table)
            assert await view_of(ada, table_id) == mine.view
            await ada.tables.act(act(table_id, table.version, next(iter(table.playable.legal_actions()))))
        for client, seen in ((ada, mine), (eve, theirs)):
            await seen.reached(table)
            assert await view_of(client, table_id) == seen.view
            assert sum(e.HasField("deal_ended") for e in seen.events if e.deal_ended.result.outcome != 4) == 1


async def test_each_gets_the_events_for_their_eyes(house: House, transport: str) -> None:
    """The seat is dealt its cards by name, a spectator sees how many; neither sees another's."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, humans=1, start=False)
    await house.fill(ada, table_id)
    async with watching(ada, table_id) as mine, watching(eve, table_id) as theirs:
        await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        table = await house.now(table_id)
        for seen, named in ((mine, [10, 0, 0, 0, 0]), (theirs, [0, 0, 0, 0, 0])):
            await seen.reached(table)
            dealt = sorted(
                (e.cards_moved for e in seen.events if e.cards_moved.to.seat or e.cards_moved.count == 10),
                key=lambda m: m.to.seat,
            )
            assert [move.count for move in dealt] == [10] * 5
            assert named == [len(move.cards) for move in dealt]


async def test_a_stream_resumes_after_any_version(house: House, transport: str) -> None:
    """From each version of a match on, what was missed comes as one update, and the view is the one there is."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1, deals=1, start=False)
    async with watching(ada, table_id) as live:
        first = live.version
        await house.fill(ada, table_id)
        await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        table = await house.play_match(table_id, ada)
        await live.reached(table)
        now = await view_of(ada, table_id)
        told = {update.version: list(update.events) for update in live.updates}
    stand = (await house.now(table_id)).version

    for version in [*range(first, stand + 1, 7), stand - 1, stand]:
        async with watching(ada, table_id, version) as seen:
            assert seen.messages[0].WhichOneof("kind") == "resumed"
            assert seen.messages[0].resumed.version >= stand
            if version < stand:
                await seen.has(lambda one: bool(one.updates))
                assert version == seen.updates[0].from_version
                missed = [event for at, events in sorted(told.items()) if at > version for event in events]
                assert missed == seen.events[: len(missed)]
                assert now.deal == seen.view.deal


@pytest.mark.parametrize("after", [10_000, -1])
async def test_what_cannot_be_resumed_begins_anew(house: House, transport: str, after: int) -> None:
    """A client that is ahead of the server, or missed too much, gets the full view."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    if after < 0:
        after = 1
        keys = house.store.keyspace.table(TableId(table_id))
        await house.store.connection.write(house.store.keyspace.slot(keys.shard), "DEL", keys.log(0))
    async with watching(ada, table_id, after) as seen:
        full = seen.messages[0].full
        assert (await view_of(ada, table_id)).deal == full.deal
        assert table_id == full.table.id


async def test_events_alone_for_those_who_keep_the_state(house: House, transport: str) -> None:
    """With WATCH_DETAIL_EVENTS updates have events and prompts, and the view comes at the start alone."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id, detail=tables_pb2.WATCH_DETAIL_EVENTS) as seen:
        assert seen.messages[0].full.HasField("deal")
        table = await house.let_bots_act(table_id, lambda _: Pass())
        await ada.tables.act(act(table_id, table.version, Bid(12)))
        await seen.has(lambda one: any(event.action_taken.text == "bid 12" for event in one.events))
        assert not any(update.HasField("deal") for update in seen.updates)


async def test_quiet_streams_show_that_they_live(house: House, transport: str) -> None:
    """A heartbeat tells the version and the time."""
    ada = await house.player(transport)
    table_id = await house.table(ada, start=False)
    async with aclosing(ada.tables.watch_table(request(table_id))) as stream:
        await anext(stream)
        beat = (await asyncio.wait_for(anext(stream), 5)).heartbeat
    assert beat.version == 1
    assert abs(beat.time.ToSeconds() - time.time()) < 60


async def test_updates_that_wait_come_as_one(house: House, transport: str) -> None:
    """Who is behind gets one update that leads to the newest version, with all events in order."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    table = await house.let_bots_act(table_id, lambda _: Pass())
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
        held = [watcher for watcher in watchers(house, table_id) if not watcher.is_over]
        wait, go = Watcher.wait, asyncio.Event()

        async def slow(self: Watcher) -> None:
            await wait(self)
            await go.wait()

        for watcher in held:
            assert watcher.viewer == 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Watcher, "wait", slow)
            await asyncio.sleep(0.15)  # the heartbeat lets the stream wait anew
            await ada.tables.act(act(table_id, seen.version, Bid(12)))
            table = await house.let_bots_act(table_id, lambda _: Pass())
            before = len(seen.updates)
            go.set()
            await seen.reached(table)
        assert before + 1 == len(seen.updates)
        update = seen.updates[-1]
        assert update.version - update.from_version == len([e for e in update.events if e.HasField("action_taken")])
        assert await view_of(ada, table_id) == seen.view


async def test_a_slow_watcher_is_cut_off_and_can_resume(house: House, transport: str) -> None:
    """Too much waiting ends the stream with TOO_SLOW; resumed, nothing is missing."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
        (watcher,) = watchers(house, table_id)
        change = await house.tables.submit(TableId(table_id), lambda _: Presence(0, connected=False))
        assert change is not None
        for _ in range(QUEUE + 1):
            watcher.tell(house.serving.hub.update_of(change))
        assert await seen.ended() == tables_pb2.END_REASON_TOO_SLOW
        version = seen.version
    table = await house.let_bots_act(table_id, lambda _: Pass())
    async with watching(ada, table_id, version) as again:
        await again.reached(table)
        assert again.updates
        assert (await view_of(ada, table_id)).deal == again.view.deal


async def test_a_new_stream_supersedes_the_old_one(house: House, transport: str) -> None:
    """The same player's older stream ends with SUPERSEDED, the new one goes on, and other players' do too."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as old, watching(eve, table_id) as other, watching(ada, table_id) as new:
        assert await old.ended() == tables_pb2.END_REASON_SUPERSEDED
        table = await house.let_bots_act(table_id, lambda _: Pass())
        await new.reached(table)
        await other.reached(table)
        assert (await house.now(table_id)).seats[0].connected


async def test_a_token_that_ends_ends_the_stream(house: House, transport: str) -> None:
    """TOKEN_EXPIRED, at that moment."""
    ada = await house.player(transport)
    table_id = await house.table(ada)
    issuer = token_issuer(Settings(data_dir=house.stage.folder), lambda: time.time() - 3599, SpentInMemory())
    token = issuer.issue(Player(PlayerId("g-late"), "Late")).access
    late = await house.stage.client(house.front, transport, name=None, token=token)
    async with watching(late, table_id) as seen:
        assert await seen.ended() == tables_pb2.END_REASON_TOKEN_EXPIRED


async def test_draining_ends_all_streams(house: House, transport: str) -> None:
    """DRAINING as the last word, for streams that are open; players do not count as gone for that."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
        await house.front.drain(1.0)
        assert await seen.ended() == tables_pb2.END_REASON_DRAINING
    await asyncio.sleep(0.2)  # longer than the grace
    assert (await house.now(table_id)).seats[0].connected


async def test_a_closed_table_says_that_nothing_will_follow(house: House, transport: str) -> None:
    """The closing update comes, then MATCH_OVER; a new stream gets the full view and the same end."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await ada.tables.close_table(tables_pb2.CloseTableRequest(table_id=table_id))
        assert await seen.ended() == tables_pb2.END_REASON_MATCH_OVER
        assert seen.view.table.status == tables_pb2.TABLE_STATUS_CLOSED
    async with watching(ada, table_id) as again:
        assert await again.ended() == tables_pb2.END_REASON_MATCH_OVER
        assert again.messages[0].HasField("full")


async def test_a_finished_match_keeps_its_streams_for_a_rematch(house: House, transport: str) -> None:
    """After the last deal the stream goes on, and tells the rematch."""
    ada = await house.player(transport)
    table_id = await house.table(ada, deals=1)
    async with watching(ada, table_id) as seen:
        await house.play_match(table_id)
        await seen.has(lambda one: one.view.table.status == tables_pb2.TABLE_STATUS_FINISHED)
        await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        await seen.has(lambda one: one.view.table.status == tables_pb2.TABLE_STATUS_PLAYING)
        assert await view_of(ada, table_id) == seen.view


async def test_a_removed_table_says_so(house: House, transport: str) -> None:
    """TABLE_REMOVED, wherever it was removed."""
    ada = await house.player(transport)
    table_id = await house.table(ada, start=False)
    async with watching(ada, table_id) as seen:
        assert await house.tables.remove(await house.now(table_id))
        assert await seen.ended() == tables_pb2.END_REASON_TABLE_REMOVED


async def test_who_sits_down_sees_the_seat(house: House, transport: str) -> None:
    """A spectator who joins gets a full view in mid-stream, as the seat; who leaves a private table is shown out."""
    ada, bob = await house.player(transport, "Ada"), await house.player(transport, "Bob")
    table_id = await house.table(ada, start=False)
    async with watching(bob, table_id) as seen:
        await bob.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, seat=3))
        await seen.has(lambda one: len([m for m in one.messages if m.HasField("full")]) == 2)
        await house.fill(ada, table_id)
        await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        await seen.has(lambda one: one.view.deal.own.seat == 3)
    private = await house.table(ada, start=False, visibility=tables_pb2.VISIBILITY_PRIVATE)
    await bob.tables.join_table(tables_pb2.JoinTableRequest(table_id=private))
    async with watching(bob, private) as seen:
        await bob.tables.leave_table(tables_pb2.LeaveTableRequest(table_id=private))
        assert await seen.ended() == tables_pb2.END_REASON_NOT_ALLOWED


async def test_what_another_front_commits_is_told(house: House, transport: str) -> None:
    """Watchers of one front see what comes in by the other, deal after deal, without a gap."""
    _, second, other = await house.another_front()
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve", front=other)
    table_id = await house.table(ada, humans=1, deals=2)
    async with watching(eve, table_id) as seen, watching(ada, table_id) as mine:
        table = await house.play_match(table_id, ada)
        await seen.reached(table)
        await mine.reached(table)
        assert await view_of(eve, table_id) == seen.view
        assert sum(message.HasField("full") for message in seen.messages) == 1
        assert table.version == second.hub._channels[TableId(table_id)].table.version


async def test_a_gap_is_bridged_by_a_full_view(house: House, transport: str) -> None:
    """If the log does not tell what was missed, the watcher starts anew in mid-stream."""
    store, _, other = await house.another_front()
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve", front=other)
    table_id = await house.table(ada, humans=1)

    async def nothing(*_: Any, **__: Any) -> list[Any]:
        return []

    async with watching(eve, table_id) as seen:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "read_log", nothing)
            table = await house.let_bots_act(table_id, lambda now: next(iter(now.playable.legal_actions())))
            await ada.tables.act(act(table_id, table.version, next(iter(table.playable.legal_actions()))))
            await seen.has(lambda one: one.version > table.version)
        assert seen.messages[-1].HasField("full")


@asynccontextmanager
async def late_answer(hub: Hub, table_id: str, meanwhile: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Let something happen after a table was read for a hub, and let it be heard of before the answer is there."""
    real_get, heard, is_first = hub._tables.get, asyncio.Event(), True

    async def get(which: TableId) -> Table:
        nonlocal is_first
        table = await real_get(which)
        if is_first:
            is_first = False
            await meanwhile()
            await heard.wait()
        return table

    def changed(which: TableId, version: int) -> None:
        Hub.changed(hub, which, version)
        if which == table_id:
            heard.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub._tables, "get", get)
        patch.setattr(hub, "changed", changed)
        yield


async def test_news_that_overtakes_the_answer_is_told(house: House, transport: str) -> None:
    """What happens while a stream is opened, or while a front looks whether it has missed something, is told."""
    _, second, other = await house.another_front()
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve", front=other)
    table_id = await house.table(ada, humans=1)
    table = await house.now(table_id)

    async def come_or_go() -> None:
        await house.tables.submit(TableId(table_id), lambda now: Presence(0, not now.seats[0].connected))

    async with AsyncExitStack() as stack:
        async with late_answer(second.hub, table_id, come_or_go):
            seen = await stack.enter_async_context(watching(eve, table_id))
            await seen.has(lambda one: one.version == table.version + 1)
        async with late_answer(second.hub, table_id, come_or_go):
            second.hub.missed()
            await seen.has(lambda one: one.version == table.version + 2)


async def test_who_has_seen_more_than_this_front_is_not_set_back(house: House, transport: str) -> None:
    """A stream that goes on at another front goes on from there, also if that front has not heard so much yet."""
    _, second, other = await house.another_front()
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve", front=other)
    table_id = await house.table(ada, humans=1)
    async with watching(eve, table_id):
        channel = second.hub._channels[TableId(table_id)]
        before = channel.table
        table = await house.let_bots_act(table_id, lambda _: Pass())
        await ada.tables.act(act(table_id, table.version, Pass()))
        table = await house.now(table_id)
        await until(lambda: channel.table.version == table.version)
        channel.table = before
        bob = await house.player(transport, "Bob", front=other)
        async with watching(bob, table_id, table.version) as seen:
            assert seen.messages[0].WhichOneof("kind") == "resumed"
            assert seen.messages[0].resumed.version == table.version


async def test_streams_outlive_redis(own_house: House, own_redis: EmbeddedRedis, transport: str) -> None:
    """While Redis is away the streams stay open; afterwards they tell what happens, here and elsewhere."""
    _, _, other = await own_house.another_front()
    ada, eve = await own_house.player(transport, "Ada"), await own_house.player(transport, "Eve", front=other)
    table_id = await own_house.table(ada, humans=1)
    async with watching(ada, table_id) as mine, watching(eve, table_id) as theirs:
        await mine.has(lambda one: one.view.table.seats[0].connected)
        own_redis.stop()
        own_redis.start()
        table = await own_house.let_bots_act(table_id, lambda _: Pass())
        await ada.tables.act(act(table_id, table.version, Bid(12)))
        table = await own_house.now(table_id)
        await mine.reached(table)
        await theirs.reached(table)
        assert await view_of(eve, table_id) == theirs.view


# --- presence


async def test_a_player_who_watches_is_there(house: House, transport: str) -> None:
    """The seat is marked as connected with the first stream, and not any more a while after the last one ended."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
    async with asyncio.timeout(5):
        while (await house.now(table_id)).seats[0].connected:
            await asyncio.sleep(0.01)


async def test_a_stream_that_is_back_at_once_was_never_gone(house: House, transport: str) -> None:
    """Within the grace a new stream changes nothing at the table."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
    version = (await house.now(table_id)).version
    async with watching(ada, table_id):
        await asyncio.sleep(0.2)  # longer than the grace
        assert version == (await house.now(table_id)).version


async def test_a_front_that_loses_a_stream_does_not_speak_for_another(house: House, transport: str) -> None:
    """A player with a stream at one front stays connected when the stream at another front breaks."""
    _, _, other = await house.another_front()
    ada = await house.player(transport)
    twin = await house.stage.client(other, transport, name=None, token=ada.tokens.access_token)
    table_id = await house.table(ada, humans=1)
    async with watching(twin, table_id) as kept:
        async with watching(ada, table_id) as seen:
            await seen.has(lambda one: one.view.table.seats[0].connected)
        await kept.has(lambda one: any(not u.table.seats[0].connected for u in one.updates if u.HasField("table")))
        await kept.has(lambda one: one.view.table.seats[0].connected)
    assert any(update.table.seats[0].connected for update in kept.updates if update.HasField("table"))


async def test_who_is_gone_before_it_was_stored_that_they_came_counts_as_gone(house: House) -> None:
    """However short a visit is, it ends: a table without a clock would wait for that player for ever."""
    ada, eve = await house.player("grpc", "Ada"), await house.player("grpc", "Eve")
    table_id = await house.table(ada, humans=1, start=False)
    assert eve.player is not None
    joined = await eve.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id))
    visit = house.serving.hub.watch(TableId(table_id), PlayerId(eve.player.id), None, views=True, token_s=60)
    before = await house.now(table_id)

    await anext(visit)
    await visit.aclose()  # the answer of Redis to "Eve came" cannot be there yet

    async with asyncio.timeout(5):
        while (table := await house.now(table_id)).version < before.version + 2:
            await asyncio.sleep(0.01)
    seat = table.seats[joined.seat]
    assert not seat.connected
    assert seat.gone_ms


async def test_who_goes_while_redis_is_away_is_gone_when_it_is_back(
    own_house: House, own_redis: EmbeddedRedis, transport: str
) -> None:
    """What could not be stored is said again: nobody else tells a table without a clock that its player is gone."""
    ada = await own_house.player(transport)
    table_id = await own_house.table(ada, humans=1)
    async with watching(ada, table_id) as seen:
        await seen.has(lambda one: one.view.table.seats[0].connected)
        own_redis.stop()
    with structlog.testing.capture_logs() as logs:
        await until(lambda: any(entry["event"] == "presence not stored" for entry in logs))
    own_redis.start()

    async with asyncio.timeout(20):
        while (await own_house.now(table_id)).seats[0].connected:
            await asyncio.sleep(0.01)

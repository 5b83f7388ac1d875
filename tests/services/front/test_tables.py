"""The table service through real channels: what players can do, and what others then see."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from junto.client import Client
from junto.games.actions import Bid, Pass, Play, PlayCards
from junto.games.cards import parse_cards
from junto.internal.v1 import store_pb2
from junto.table.commands import Join
from junto.table.keys import Shard
from junto.table.replays import finished_deals
from junto.table.seats import Player, PlayerId, Status, TableId
from junto.table.shard_work import ShardWork
from junto.v1 import cards_pb2, catalog_pb2, strategies_pb2, tables_pb2, views_pb2
from junto.v1 import errors_pb2 as errors
from junto.wire.actions import write_action

from .house import House, act, house, refused, rules, transport

__all__ = ["house", "transport"]

Code = grpc.StatusCode


async def view_of(client: Client, table_id: str) -> tables_pb2.TableView:
    """Return the table as that player sees it."""
    return (await client.tables.get_table(tables_pb2.GetTableRequest(table_id=table_id))).view


async def test_a_table_is_opened_with_defaults_filled_in(house: House, transport: str) -> None:
    """CreateTable tells every option and setting that holds, and the caller is the host without a seat."""
    ada = await house.player(transport)

    reply = await ada.tables.create_table(tables_pb2.CreateTableRequest(rules=rules(min_bid=12)))

    table = reply.table
    assert ada.player is not None
    assert (1, tables_pb2.TABLE_STATUS_OPEN, ada.player.id) == (table.version, table.status, table.host_player_id)
    assert {"min_bid": 12, "players": 5}.items() <= {o.name: o.value.number for o in table.rules.options}.items()
    assert (
        table.settings.deals,
        table.settings.visibility,
        table.settings.hints,
    ) == (10, tables_pb2.VISIBILITY_PUBLIC, True)
    assert not any(seat.WhichOneof("occupant") for seat in table.seats)
    assert table == (await view_of(ada, table.id)).table


async def test_a_whole_match_is_played(house: House, transport: str) -> None:
    """From the empty table to the result of the second deal: seats, bots, decisions, scores, replay."""
    ada, bob = await house.player(transport, "Ada"), await house.player(transport, "Bob")
    table_id = await house.table(ada, humans=1, start=False, deals=2)
    joined = await bob.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id))
    assert joined.seat == 1
    await house.fill(ada, table_id)
    started = await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
    assert started.view.table.status == tables_pb2.TABLE_STATUS_PLAYING
    assert started.view.deal.own.seat == 0
    assert len(started.view.deal.own.hand) == 10

    table = await house.play_match(table_id, ada, bob)

    view = await view_of(bob, table_id)
    assert Status.FINISHED is table.status
    assert view.table.match.deals_done == 2
    assert sum(score.score for score in view.table.match.scores) == 0
    assert view.deal.shared.result.reveal.seed
    replay = (await bob.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id))).replay
    assert sum(deal.result.outcome != views_pb2.OUTCOME_VOID for deal in replay.deals) == 2
    assert list(replay.seat_names[:3]) == ["Ada", "Bob", "greedy"]


async def test_each_sees_the_table_from_the_own_seat(house: House, transport: str) -> None:
    """Players see their own hand and prompt, a spectator neither, and all the same shared view."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, humans=1)
    await house.let_bots_act(table_id, lambda _: Pass())

    mine, theirs = await view_of(ada, table_id), await view_of(eve, table_id)

    assert mine.deal.shared == theirs.deal.shared
    assert (len(mine.deal.own.hand), len(theirs.deal.own.hand)) == (10, 0)
    assert mine.HasField("prompt")
    assert not theirs.HasField("prompt")
    assert not theirs.deal.HasField("own")


async def test_an_act_answers_with_what_it_did(house: House, transport: str) -> None:
    """The update leads from the version before to the one after, with the event and the new view."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version

    reply = await ada.tables.act(act(table_id, version, Bid(13), seat=0))

    update = reply.update
    assert (version, version + 1) == (update.from_version, update.version)
    assert [event.action_taken.text for event in update.events if event.HasField("action_taken")] == ["bid 13"]
    assert update.deal == (await view_of(ada, table_id)).deal
    assert not update.HasField("prompt")


async def test_check_action_tells_what_act_would_say(house: House, transport: str) -> None:
    """Legal, illegal and out of turn are told apart in Act's own words, and nothing changes."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    before = await house.let_bots_act(table_id, lambda _: Pass())

    async def check(action: Any) -> tables_pb2.CheckActionResponse:
        request = tables_pb2.CheckActionRequest(table_id=table_id, action=write_action(action))
        return await ada.tables.check_action(request)

    good, bad = await check(Bid(12)), await check(Play(3))
    assert (True, 0, "", "bid 12", before.version) == (good.legal, good.reason, good.message, good.text, good.version)
    assert (bad.legal, bad.reason) == (False, errors.ERROR_REASON_ILLEGAL_ACTION)
    error = await refused(
        ada.tables.act(act(table_id, before.version, Play(3))),
        errors.ERROR_REASON_ILLEGAL_ACTION,
        Code.FAILED_PRECONDITION,
    )
    assert bad.message == error.message
    assert before == await house.now(table_id)
    await ada.tables.act(act(table_id, before.version, Bid(12)))
    assert (await check(Pass())).reason == errors.ERROR_REASON_NOT_YOUR_TURN


async def test_check_action_tells_how_cards_are_read(house: House, transport: str) -> None:
    """A selection of cards in a climbing game is read, legal or not; one that is no combination is not."""
    ada, bob, eve = [await house.player(transport, name) for name in ("Ada", "Bob", "Eve")]
    dou_dizhu = catalog_pb2.RuleSet(game_id="dou-dizhu")
    table_id = (await ada.tables.create_table(tables_pb2.CreateTableRequest(rules=dou_dizhu))).table.id
    for seat, client in enumerate((ada, bob, eve)):
        await client.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, seat=seat))
    await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))

    async def read(cards: str) -> tables_pb2.CheckActionResponse:
        action = write_action(PlayCards(parse_cards(cards)))
        return await ada.tables.check_action(tables_pb2.CheckActionRequest(table_id=table_id, action=action))

    plane = await read("S3 H3 D3 S4 H4 D4 S9 RJ")
    assert not plane.legal
    assert plane.combination.kind == cards_pb2.COMBINATION_KIND_PLANE_SINGLE
    assert (plane.combination.key, plane.combination.length) == (cards_pb2.RANK_FOUR, 2)
    assert not (await read("S3 H5")).HasField("combination")
    assert not (await read("S3 S3")).HasField("combination"), "there is one of it in the pack"


async def test_a_leaver_is_a_spectator_until_they_join_again(house: House, transport: str) -> None:
    """Who left during the match sees no cards of the seat, and all of it again after joining."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    await ada.tables.leave_table(tables_pb2.LeaveTableRequest(table_id=table_id))
    assert not (await view_of(ada, table_id)).deal.HasField("own")

    joined = await ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id))

    assert joined.seat == 0
    assert len(joined.view.deal.own.hand) == 10


async def test_entropy_is_added_and_revealed_after_the_deal(house: House, transport: str) -> None:
    """The promise stands before the entropy, the only player's entropy starts the deal, and the replay tells it."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1, deals=1, entropy_time={"seconds": 30})
    promise = (await view_of(ada, table_id)).deal.shared.commitment
    assert promise.HasField("entropy_deadline")

    reply = await ada.tables.add_entropy(
        tables_pb2.AddEntropyRequest(table_id=table_id, deal_number=1, entropy="c0ffee")
    )

    view = await view_of(ada, table_id)
    assert reply.version == view.table.version
    assert len(view.deal.own.hand) == 10
    await house.play_match(table_id, ada)
    deal = (await ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id))).replay.deals[0]
    assert promise.seed_sha256 == deal.commitment.seed_sha256
    assert deal.reveal.entropy[0] == "c0ffee"


async def test_replays_come_in_pages(house: House, transport: str) -> None:
    """Each finished deal of the match comes once, in order, whatever the size of the page."""
    ada = await house.player(transport)
    table_id = await house.table(ada, deals=3)
    await house.play_match(table_id)
    whole = (await ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id))).replay

    found, token = [], ""
    while True:
        request = tables_pb2.GetReplayRequest(table_id=table_id, page_size=2, page_token=token)
        page = await ada.tables.get_replay(request)
        found += page.replay.deals
        token = page.next_page_token
        if not token:
            break

    assert list(range(1, len(found) + 1)) == [deal.number for deal in found]
    assert list(whole.deals) == found
    assert found[0].actions[0].text == "pass" or found[0].actions[0].text.startswith("bid")


async def test_a_log_that_does_not_fold_is_no_incident(house: House, transport: str) -> None:
    """A deal with an entry that is not there cannot be read: the call may be repeated, at another front or later."""
    ada = await house.player(transport)
    table_id = await house.table(ada, deals=1)
    table = await house.play_match(table_id)
    keys, log = house.store.keyspace.table(TableId(table_id)), finished_deals(table)[0]
    gone = f"{log.version + 2}-0"
    await house.store.connection.write(house.store.keyspace.slot(keys.shard), "XDEL", keys.log(log.log), gone)

    error = await refused(
        ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id)),
        errors.ERROR_REASON_DRAINING,
        Code.UNAVAILABLE,
    )

    assert "cannot read the table's log" in error.message


async def test_a_replay_of_a_rematch_is_of_the_last_match(house: House, transport: str) -> None:
    """After a rematch began, the deals of the match before are not in the replay."""
    ada = await house.player(transport)
    table_id = await house.table(ada, deals=1)
    await house.play_match(table_id)
    await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
    await refused(
        ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id)),
        errors.ERROR_REASON_DEAL_NOT_OVER,
        Code.FAILED_PRECONDITION,
    )
    await house.play_match(table_id)

    replay = (await ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id))).replay

    assert replay.deals[0].number == 1
    assert replay.match.deals_done == 1


async def test_tables_are_listed_for_those_who_may_see_them(house: House, transport: str) -> None:
    """Public tables are for all, by status and game, newest first and in pages; one's own include private ones."""
    ada, bob = await house.player(transport, "Ada"), await house.player(transport, "Bob")
    public = [await house.table(ada, start=False) for _ in range(3)]
    unlisted = await house.table(ada, start=False, visibility=tables_pb2.VISIBILITY_UNLISTED)
    private = await house.table(ada, start=False, visibility=tables_pb2.VISIBILITY_PRIVATE)
    await house.fill(ada, public[0])
    await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=public[0]))

    async def listed(client: Client, **fields: Any) -> list[str]:
        found, token = [], ""
        while True:
            request = tables_pb2.ListTablesRequest(page_token=token, **fields)
            page = await client.tables.list_tables(request)
            found += [table.id for table in page.tables]
            token = page.next_page_token
            if not token:
                return found

    assert set(public) == set(await listed(bob))
    assert await listed(bob) == await listed(bob, page_size=1)
    assert set(public[1:]) == set(await listed(bob, status=tables_pb2.TABLE_STATUS_OPEN))
    assert public[:1] == await listed(bob, status=tables_pb2.TABLE_STATUS_PLAYING, page_size=1)
    assert await listed(bob, game_id="bridge") == []
    assert {*public, unlisted, private} == set(await listed(ada, mine=True, page_size=2))
    assert await listed(bob, mine=True) == []
    await bob.tables.join_table(tables_pb2.JoinTableRequest(table_id=private))
    assert [private] == await listed(bob, mine=True)
    await refused(
        bob.tables.list_tables(tables_pb2.ListTablesRequest(page_token="bGlzdA", page_size=1)),
        errors.ERROR_REASON_INVALID_PAGE_TOKEN,
        Code.INVALID_ARGUMENT,
    )


async def test_a_listed_table_looks_as_it_is(house: House, transport: str) -> None:
    """A table in a list is the table that GetTable tells, in play and after the match."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1, deals=1)
    await house.play_match(table_id, ada)

    page = await ada.tables.list_tables(tables_pb2.ListTablesRequest(mine=True))

    assert [(await view_of(ada, table_id)).table] == list(page.tables)


async def test_a_private_table_is_shown_to_its_own_alone(house: House, transport: str) -> None:
    """Who has the id may join, and sees nothing before that."""
    ada, bob = await house.player(transport, "Ada"), await house.player(transport, "Bob")
    table_id = await house.table(ada, start=False, visibility=tables_pb2.VISIBILITY_PRIVATE)
    for call in (
        bob.tables.get_table(tables_pb2.GetTableRequest(table_id=table_id)),
        bob.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id)),
        anext(bob.tables.watch_table(tables_pb2.WatchTableRequest(table_id=table_id))),
    ):
        await refused(call, errors.ERROR_REASON_NOT_ALLOWED, Code.PERMISSION_DENIED)

    await bob.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id))

    assert table_id == (await view_of(bob, table_id)).table.id


# --- hints


async def steward(house: House, table_id: str, answer: bytes | None) -> store_pb2.HintJob:
    """Take the hint that is asked for, as a steward does, and answer it."""
    work = ShardWork(house.store)
    shard = Shard(house.store.keyspace.shard_of(TableId(table_id)))
    while (payload := await work.take_hint(shard)) is None:
        await asyncio.sleep(0.002)
    job = store_pb2.HintJob.FromString(payload)
    reply = store_pb2.HintReply(id=job.id, error="" if answer else "no strategy")
    if answer:
        reply.decision.MergeFromString(answer)
    await work.answer(job.reply_channel, b"no reply at all")
    await work.answer(job.reply_channel, reply.SerializeToString())
    return job


async def test_a_hint_is_asked_of_a_steward(house: House, transport: str) -> None:
    """The steward gets the caller's own view and the prompt, and its decision comes back whole."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    table = await house.let_bots_act(table_id, lambda _: Pass())
    thought = strategies_pb2.Decision(action=write_action(Bid(12)), worlds=7)

    asked = tables_pb2.SuggestActionRequest(
        table_id=table_id,
        expected_version=table.version,
        bot=tables_pb2.Bot(strategy_id="greedy", budget=strategies_pb2.Budget(iterations=5)),
    )
    job, reply = await asyncio.gather(
        steward(house, table_id, thought.SerializeToString()), ada.tables.suggest_action(asked)
    )

    assert thought == reply.decision
    assert (job.bot.strategy_id, job.request.budget.iterations) == ("greedy", 5)
    view = await view_of(ada, table_id)
    assert view.deal.own == job.request.view.own
    assert view.prompt.choices == job.request.prompt.choices


@pytest.mark.parametrize("steward_is_there", [True, False])
async def test_a_hint_that_fails_is_a_busy_pool(house: House, transport: str, steward_is_there: bool) -> None:
    """A steward that says why not, and none at all, are both UNAVAILABLE with a delay."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    table = await house.let_bots_act(table_id, lambda _: Pass())
    request = tables_pb2.SuggestActionRequest(table_id=table_id, expected_version=table.version)
    helper = asyncio.create_task(steward(house, table_id, None)) if steward_is_there else None

    error = await refused(ada.tables.suggest_action(request), errors.ERROR_REASON_POOL_BUSY, Code.UNAVAILABLE)

    assert error.retry_delay_s == 1.0
    if helper:
        await helper


async def test_hints_are_for_the_own_turn_and_where_they_are_allowed(house: House, transport: str) -> None:
    """Strangers, other turns, old prompts, unknown bots and tables without hints get none."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, humans=1)
    table = await house.let_bots_act(table_id, lambda _: Pass())

    def hint(version: int, **fields: Any) -> tables_pb2.SuggestActionRequest:
        return tables_pb2.SuggestActionRequest(table_id=table_id, expected_version=version, **fields)

    now = table.version
    await refused(eve.tables.suggest_action(hint(now)), errors.ERROR_REASON_NOT_SEATED, Code.PERMISSION_DENIED)
    await refused(ada.tables.suggest_action(hint(now - 1)), errors.ERROR_REASON_STALE_VERSION, Code.ABORTED)
    await refused(
        ada.tables.suggest_action(hint(now, bot=tables_pb2.Bot(strategy_id="deep-thought"))),
        errors.ERROR_REASON_STRATEGY_NOT_FOUND,
        Code.NOT_FOUND,
    )
    await ada.tables.act(act(table_id, now, Bid(12)))
    await refused(ada.tables.suggest_action(hint(now + 1)), errors.ERROR_REASON_NOT_YOUR_TURN, Code.FAILED_PRECONDITION)
    strict = await house.table(ada, humans=1, hints=False)
    version = (await house.now(strict)).version
    await refused(
        ada.tables.suggest_action(tables_pb2.SuggestActionRequest(table_id=strict, expected_version=version)),
        errors.ERROR_REASON_NO_HINTS,
        Code.PERMISSION_DENIED,
    )


# --- two fronts


async def test_any_front_serves_any_table(house: House, transport: str) -> None:
    """What one front committed the other knows at once, though it had the table in memory before."""
    _, _, other = await house.another_front()
    ada = await house.player(transport, "Ada")
    bob = await house.player(transport, "Bob", front=other)
    table_id = await house.table(ada, humans=1, start=False)
    for number in range(1, 5):
        client = bob if number % 2 else ada
        assert number == len([s for s in (await view_of(client, table_id)).table.seats if s.WhichOneof("occupant")])
        await house.tables.submit(
            TableId(table_id), lambda _, n=number: Join(Player(PlayerId(f"p{n}"), "P")), PlayerId(f"p{number}")
        )
    reply = await bob.tables.get_table(tables_pb2.GetTableRequest(table_id=table_id))
    assert len([seat for seat in reply.view.table.seats if seat.HasField("player")]) == 5

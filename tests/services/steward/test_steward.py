"""Stewards keep every table going: bots, clocks, stand-ins, deals, hints, removal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import structlog
from tests.services.steward.harness import Behaviour, babbling, crashing, lying, passing, silent, start_match

from junto.internal.v1 import store_pb2
from junto.search.decisions import UnplayableGame
from junto.steward.steward import Steward
from junto.table.aggregate import Table
from junto.table.changes import Changes
from junto.table.commands import Act
from junto.table.errors import TableNotFound
from junto.table.history import changes_of
from junto.table.messages import write_bot
from junto.table.playing import MAX_VOID_DEALS
from junto.table.seats import Actor, Bot, PlayerId, Status, TableId
from junto.table.service import Tables
from junto.v1 import strategies_pb2
from junto.wire.requests import request_bytes

Office = Any
TableUntil = Callable[[Steward, TableId, Callable[[Table], bool]], Awaitable[Table]]


def is_finished(table: Table) -> bool:
    """Tell whether the match is over."""
    return table.status is Status.FINISHED


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds; fail if it does not in time."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def actors(office: Office, table: Table) -> set[Actor]:
    """Return who decided in the last deal."""
    return {change.actor for change in await changes_of(office.store, table, table.log) if change.actor}


async def test_bots_play_a_match_to_its_end(office: Office, table_until: TableUntil) -> None:
    """Bots are asked for every decision, void deals are dealt again, the match ends after its deals."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, deals=2)

    table = await table_until(steward, table_id, is_finished)

    assert table.standing is not None
    assert table.standing.deals_done == 2
    assert await actors(office, table) == {Actor.BOT}
    assert {strategy for strategy, _ in office.thinkers.asked} == {"random"}
    assert office.count("junto_fallbacks_total") == 0


@pytest.mark.parametrize("behaviour", [lying, babbling, crashing, silent])
async def test_a_bad_bot_does_not_stop_a_table(office: Office, table_until: TableUntil, behaviour: Behaviour) -> None:
    """Where a bot lies, babbles, crashes or says nothing, the rule of thumb plays, and that is counted."""
    office.thinkers.behaviour = behaviour
    steward = await office.hire()
    table_id = await start_match(steward.tables)

    await table_until(steward, table_id, is_finished)

    assert office.count("junto_fallbacks_total") == len(office.thinkers.asked)


async def test_a_bad_rule_of_thumb_does_not_stop_a_table_either(office: Office, table_until: TableUntil) -> None:
    """Where neither the bot nor the rule of thumb can decide, the default action is taken."""

    def clueless(_: str, __: bytes) -> bytes:
        raise UnplayableGame("nobody knows this game")

    office.thinkers.behaviour = crashing
    office.rule_of_thumb = clueless
    steward = await office.hire()
    table_id = await start_match(steward.tables)

    table = await table_until(steward, table_id, lambda table: table.deal is not None and table.deal.number > 1)

    assert table.status is Status.PLAYING
    assert office.count("junto_fallbacks_total") >= 5


async def test_the_log_of_a_bad_decision_names_no_card(office: Office, table_until: TableUntil) -> None:
    """That a bot broke a rule is logged, not which one: the sentence can name cards of its hand."""
    office.thinkers.behaviour = lying
    with structlog.testing.capture_logs() as logs:
        steward = await office.hire()
        await table_until(steward, await start_match(steward.tables), is_finished)

    problems = {entry["problem"] for entry in logs if entry["event"] == "rule of thumb"}
    assert problems == {"the action is not legal"}


async def test_a_bot_whose_turn_was_not_heard_of_plays(office: Office, table_until: TableUntil) -> None:
    """The steward heard that a player is on turn, and not that the player has acted: the next sweep tells it."""
    office.thinkers.behaviour = passing
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=1)
    elsewhere = Tables(office.store, steward.tables.keep, office.clock.now_ms)
    table = await table_until(steward, table_id, lambda table: table.to_act == 0)
    await until(lambda: office.count("junto_agenda_tables") == 1)

    await office.store.connection.write(0, "CLIENT", "KILL", "TYPE", "pubsub")
    await elsewhere.submit(table_id, lambda now: Act(0, Actor.PLAYER, now.playable.default_action()), PlayerId("p0"))

    await table_until(steward, table_id, lambda now: now.version > table.version + 1)


async def test_stewards_share_the_shards(office: Office, table_until: TableUntil) -> None:
    """Two stewards hold half the shards each, and every table is worked by one of them."""
    first, second = await office.hire("a"), await office.hire("b")
    await until(lambda: len(first.held) == len(second.held) == 4)

    ids = [await start_match(first.tables) for _ in range(4)]

    assert not first.held & second.held
    for table_id in ids:
        await table_until(first, table_id, is_finished)


async def test_who_stops_gives_its_shards_to_the_others(office: Office) -> None:
    """When one steward leaves, the other has everything at its next renewal."""
    steward = await office.hire("a")
    async with contextlib.AsyncExitStack() as stack:
        office.stewards, kept = stack, office.stewards
        await office.hire("b")
        office.stewards = kept
        await until(lambda: len(steward.held) == 4)

    await until(lambda: len(steward.held) == 8)


async def test_the_default_action_is_taken_when_time_is_up(office: Office, table_until: TableUntil) -> None:
    """Players who say nothing have the default action taken, by the clock: all pass, and one deal follows the other."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=5, turn_ms=10, pause_ms=0)

    table = await table_until(steward, table_id, lambda table: table.log.log == 3)

    assert await actors(office, table) <= {Actor.CLOCK}
    assert table.deal is not None
    assert table.deal.number == 3


async def test_a_match_of_void_deals_ends(office: Office, table_until: TableUntil) -> None:
    """Where everybody always passes, the match is over after many void deals instead of never."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=5, turn_ms=1, pause_ms=0)

    table = await table_until(steward, table_id, is_finished)

    assert table.deal is not None
    assert table.deal.number == MAX_VOID_DEALS


async def test_a_stand_in_plays_for_an_absent_player(office: Office, table_until: TableUntil) -> None:
    """When time is up the stand-in takes over, is recorded as such, and needs no clock any more."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=5, turn_ms=10, stand_in=Bot("random"))

    table = await table_until(steward, table_id, is_finished)

    assert await actors(office, table) == {Actor.STAND_IN}


async def test_cards_are_dealt_when_the_time_for_entropy_is_over(office: Office, table_until: TableUntil) -> None:
    """The steward deals at the promised moment, and not before."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=1, entropy_ms=300, turn_ms=20)
    waiting = await steward.tables.get(table_id)

    table = await table_until(steward, table_id, lambda table: table.deal is not None and table.deal.state is not None)

    assert waiting.deal is not None
    assert waiting.deal.state is None
    dealt = (await changes_of(office.store, table, table.log))[1]
    assert dealt.entry.time_ms >= waiting.deal.entropy_until_ms


async def test_a_finished_table_is_removed(office: Office, table_until: TableUntil) -> None:
    """Once it has been there for as long as finished tables are kept, nothing of it is left."""
    steward = await office.hire(finished_table_seconds=1)
    table_id = await start_match(steward.tables)
    await table_until(steward, table_id, is_finished)

    with pytest.raises(TableNotFound):
        await table_until(steward, table_id, lambda _: False)


async def test_an_outage_is_credited(office: Office, table_until: TableUntil) -> None:
    """When nobody was at work in a shard, a clock that ran gets that time back, once."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=5, turn_ms=1500)
    before = await steward.tables.get(table_id)
    await office.stewards.aclose()
    shard = office.store.keyspace.shard_of(table_id)
    await asyncio.sleep(1.2)  # four times a lease: the outage itself

    again = await office.hire("b")
    table = await table_until(again, table_id, lambda table: table.version > before.version)

    assert before.clock is not None
    assert table.clock is not None
    outage = again._shares.outages[shard]
    assert table.clock.deadline_ms - before.clock.deadline_ms == outage.overlap_ms(before.clock.start_ms) > 0
    await table_until(again, table_id, lambda now: now.deal is not None and bool(now.deal.moves))


async def test_a_hint_is_answered(office: Office) -> None:
    """A front gets what the bot would do, on its own channel."""
    steward = await office.hire()
    table_id = await start_match(steward.tables, players=5)
    table = await steward.tables.get(table_id)
    assert table.to_act is not None
    heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    class Front:
        def changed(self, *_: object) -> None: ...
        def asked(self, *_: object) -> None: ...
        def missed(self) -> None: ...
        def answered(self, payload: bytes) -> None:
            heard.set_result(payload)

    async with Changes(office.store.connection, office.store.keyspace, Front()) as changes:
        await changes.want([])
        job = store_pb2.HintJob(
            id="1", reply_channel=changes.private_channel, expire_ms=office.clock.now_ms() + 9000,
            bot=write_bot(Bot("random")),
        )  # fmt: skip
        view = table.playable.view(table.to_act, table.match_view)
        job.request.MergeFromString(
            request_bytes(view, "00000000-0000-0000-0000-000000000001", strategies_pb2.Budget())
        )
        await steward._work.ask(office.store.keyspace.shard_of(table_id), job.SerializeToString())
        reply = store_pb2.HintReply.FromString(await asyncio.wait_for(heard, 10))

    assert reply.id == "1"
    assert reply.decision.action.WhichOneof("kind") in {"bid", "pass"}

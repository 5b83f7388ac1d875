"""Calls that are repeated, that race, or that lose their answer: carried out once, answered alike."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from junto.client.errors import CallError
from junto.games.actions import Bid, Pass
from junto.table.commands import Presence
from junto.table.errors import Conflict
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import TableId
from junto.table.store import Request, content_hash
from junto.v1 import errors_pb2 as errors
from junto.v1 import tables_pb2

from .house import House, act, house, own_house, own_redis, refused, request_id, rules, transport

__all__ = ["house", "own_house", "own_redis", "transport"]

Code = grpc.StatusCode


async def test_every_mutation_repeated_gets_the_first_answer(house: House, transport: str) -> None:
    """Also when the table has moved on since, and through another front, the answer is the same to the byte."""
    _, _, second = await house.another_front()
    ada = await house.player(transport)
    elsewhere = await house.stage.client(second, transport, name=None, token=ada.tokens.access_token)
    create = tables_pb2.CreateTableRequest(
        request_id=request_id(), rules=rules(), settings=tables_pb2.TableSettings(entropy_time={"seconds": 30}, deals=1)
    )
    table_id = (await ada.tables.create_table(create)).table.id
    named: dict[str, Any] = {"table_id": table_id}
    calls: list[tuple[str, Any]] = [
        ("create_table", create),
        ("join_table", tables_pb2.JoinTableRequest(request_id=request_id(), seat=2, **named)),
        ("leave_table", tables_pb2.LeaveTableRequest(request_id=request_id(), **named)),
        ("join_table", tables_pb2.JoinTableRequest(request_id=request_id(), seat=0, **named)),
        (
            "seat_bot",
            tables_pb2.SeatBotRequest(request_id=request_id(), bot=tables_pb2.Bot(strategy_id="greedy"), **named),
        ),
        ("start_match", tables_pb2.StartMatchRequest(request_id=request_id(), **named)),
        ("add_entropy", tables_pb2.AddEntropyRequest(request_id=request_id(), deal_number=1, entropy="ab", **named)),
    ]
    first = [await getattr(ada.tables, name)(request) for name, request in calls]
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version
    calls.append(("act", act(table_id, version, Bid(12), request_id=request_id())))
    first.append(await ada.tables.act(calls[-1][1]))
    await house.let_bots_act(table_id)
    calls.append(("close_table", tables_pb2.CloseTableRequest(request_id=request_id(), **named)))
    first.append(await ada.tables.close_table(calls[-1][1]))
    after = await house.now(table_id)

    for (name, request), answer in zip(calls, first, strict=True):
        assert answer == await getattr(ada.tables, name)(request), name
        assert answer == await getattr(elsewhere.tables, name)(request), name
    assert after == await house.now(table_id)


async def test_a_request_id_with_another_content_is_refused(house: House, transport: str) -> None:
    """INVALID_ARGUMENT, whether the first was a mutation of the same kind or of another; nothing changes."""
    ada = await house.player(transport)
    once = request_id()
    create = tables_pb2.CreateTableRequest(request_id=once, rules=rules())
    table_id = (await ada.tables.create_table(create)).table.id
    await refused(
        ada.tables.create_table(tables_pb2.CreateTableRequest(request_id=once, rules=rules(min_bid=12))),
        errors.ERROR_REASON_REQUEST_ID_REUSED,
        Code.INVALID_ARGUMENT,
    )
    await ada.tables.join_table(tables_pb2.JoinTableRequest(request_id=once[:-4] + "0000", table_id=table_id, seat=1))
    before = await house.now(table_id)
    for call in (
        ada.tables.join_table(tables_pb2.JoinTableRequest(request_id=once[:-4] + "0000", table_id=table_id, seat=2)),
        ada.tables.leave_table(tables_pb2.LeaveTableRequest(request_id=once[:-4] + "0000", table_id=table_id)),
        ada.tables.act(act(table_id, 2, Pass(), request_id=once[:-4] + "0000")),
    ):
        await refused(call, errors.ERROR_REASON_REQUEST_ID_REUSED, Code.INVALID_ARGUMENT)
    assert before == await house.now(table_id)


async def test_a_request_id_is_its_players_own(house: House, transport: str) -> None:
    """Two players who happen to use the same id do not get in each other's way, nor see each other's answers."""
    ada, bob = await house.player(transport, "Ada"), await house.player(transport, "Bob")
    once = request_id()
    create = tables_pb2.CreateTableRequest(request_id=once, rules=rules())
    assert (await ada.tables.create_table(create)).table.id != (await bob.tables.create_table(create)).table.id
    table_id = await house.table(ada, start=False)
    join = tables_pb2.JoinTableRequest(request_id=once, table_id=table_id)

    assert [(await client.tables.join_table(join)).seat for client in (ada, bob)] == [0, 1]


async def test_of_fifty_decisions_at_once_one_is_made(house: House, transport: str) -> None:
    """One wins, the others are told that they are stale, through two fronts; the table is one version further."""
    _, _, second = await house.another_front()
    ada = await house.player(transport)
    elsewhere = await house.stage.client(second, transport, name=None, token=ada.tokens.access_token)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version

    replies = await asyncio.gather(
        *((ada, elsewhere)[n % 2].tables.act(act(table_id, version, Bid(11 + n % 5))) for n in range(50)),
        return_exceptions=True,
    )

    won = [reply for reply in replies if not isinstance(reply, BaseException)]
    lost = [reply for reply in replies if isinstance(reply, CallError)]
    assert (len(won), len(lost)) == (1, 49)
    told = Counter(errors.ErrorReason.Name(error.reason) for error in lost)
    assert set(told) <= {"ERROR_REASON_STALE_VERSION", "ERROR_REASON_TOO_MANY"}, told
    assert version + 1 == (await house.now(table_id)).version


async def test_the_same_call_fifty_times_at_once_is_made_once(house: House, transport: str) -> None:
    """All get the one answer."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version
    request = act(table_id, version, Bid(12), request_id=request_id())

    replies = await asyncio.gather(*(ada.tables.act(request) for _ in range(30)))

    assert all(reply == replies[0] for reply in replies)
    assert version + 1 == (await house.now(table_id)).version


async def test_seats_taken_at_once_are_taken_by_one_each(house: House, transport: str) -> None:
    """Five of eight players who join at once get a seat, each another; the rest are told that it is full."""
    ada = await house.player(transport)
    table_id = await house.table(ada, start=False)
    players = [await house.player(transport, f"P{n}") for n in range(8)]

    join = tables_pb2.JoinTableRequest(table_id=table_id)
    replies = await asyncio.gather(*(one.tables.join_table(join) for one in players), return_exceptions=True)

    seats = sorted(reply.seat for reply in replies if isinstance(reply, tables_pb2.JoinTableResponse))
    refusals = [reply.reason for reply in replies if isinstance(reply, CallError)]
    assert seats == [0, 1, 2, 3, 4]
    assert refusals == [errors.ERROR_REASON_SEAT_TAKEN] * 3


async def test_a_decision_stands_while_others_come_and_go(house: House, transport: str) -> None:
    """A version made by somebody's connection between prompt and decision makes the decision no less good."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version
    for connected in (True, False, True):
        await house.tables.submit(TableId(table_id), lambda _, now=connected: Presence(0, now))

    reply = await ada.tables.act(act(table_id, version, Bid(12)))

    assert version + 4 == reply.update.version


async def test_a_client_that_gives_up_leaves_nothing_half_done(house: House, transport: str) -> None:
    """A call whose client goes away is carried out or not, and repeated with its id it is carried out once."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version
    request = act(table_id, version, Bid(12), request_id=request_id())
    for pause_s in (0.0, 0.0005, 0.001, 0.002, 0.004):
        call = asyncio.ensure_future(ada.tables.act(request))
        await asyncio.sleep(pause_s)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)

    reply = await ada.tables.act(request)

    assert version + 1 == reply.update.version
    assert version + 1 == (await house.now(table_id)).version


async def patient(call: Callable[[], Awaitable[Any]]) -> Any:
    """Repeat a call while the store is away."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await call()
            except CallError as error:
                if error.reason != errors.ERROR_REASON_STORE_UNAVAILABLE:
                    raise


async def test_a_store_that_is_away_is_unavailable(own_house: House, own_redis: EmbeddedRedis, transport: str) -> None:
    """UNAVAILABLE with a delay while Redis is down; when it is back the same call is carried out, once."""
    ada = await own_house.player(transport)
    table_id = await own_house.table(ada, humans=1)
    version = (await own_house.let_bots_act(table_id, lambda _: Pass())).version
    request = act(table_id, version, Bid(12), request_id=request_id())
    own_redis.stop()
    for call in (
        ada.tables.act(request),
        ada.tables.get_table(tables_pb2.GetTableRequest(table_id=table_id)),
        ada.tables.list_tables(tables_pb2.ListTablesRequest()),
    ):
        error = await refused(call, errors.ERROR_REASON_STORE_UNAVAILABLE, Code.UNAVAILABLE)
        assert error.retry_delay_s
    own_redis.start()

    reply = await patient(lambda: ada.tables.act(request))

    assert version + 1 == reply.update.version
    assert reply == await ada.tables.act(request)


async def test_others_who_are_always_faster_are_a_conflict(house: House) -> None:
    """Who loses the race again and again is told so with the version, and may repeat the call."""
    ada = await house.player("connect")
    table_id = TableId(await house.table(ada, humans=1, start=False))
    store = house.store
    commit = store.commit

    async def overtaken(what: Any) -> Any:
        store.commit = commit  # type: ignore[method-assign]
        try:
            table = await house.now(table_id)
            await house.tables.submit(table_id, lambda _: Presence(0, not table.seats[0].connected))
        finally:
            store.commit = overtaken  # type: ignore[method-assign]
        return await commit(what)

    store.commit = overtaken  # type: ignore[method-assign]
    request = Request("r1", content_hash(b"x"), b"")
    with pytest.raises(Conflict) as caught:
        await house.tables.submit(table_id, lambda t: Presence(0, not t.seats[0].connected), request=request)
    store.commit = commit  # type: ignore[method-assign]
    assert caught.value.metadata == {"version": str((await house.now(table_id)).version)}

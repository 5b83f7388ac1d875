"""What bad input gets: each through a real channel, and each leaves the table as it was."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from junto.client import Client
from junto.client.errors import CallError
from junto.front.call import Player, PlayerId
from junto.front.hints import MOST_OF_A_PLAYER
from junto.front.server import token_issuer
from junto.front.tokens import SpentInMemory
from junto.games.actions import Bid, Pass, Play
from junto.table.keys import TableKeys
from junto.table.seats import TableId
from junto.table.settings import Settings
from junto.v1 import actions_pb2, catalog_pb2, tables_pb2
from junto.v1 import errors_pb2 as errors
from junto.wire.actions import write_action

from .house import House, act, house, refused, rules, transport

__all__ = ["house", "transport"]

Code = grpc.StatusCode


async def stored(house: House, table_id: str) -> tuple[Any, ...]:
    """Return everything that is stored of a table."""
    keys: TableKeys = house.store.keyspace.table(TableId(table_id))
    slot = house.store.keyspace.slot(keys.shard)
    commands: list[tuple[Any, ...]] = [
        ("HGETALL", keys.table),
        ("HGETALL", keys.requests),
        ("ZSCORE", keys.due, keys.id),
        *(("XRANGE", keys.log(number), "-", "+") for number in range(4)),
    ]
    table, requests, *others = await house.store.connection.read_all((slot, command) for command in commands)
    return sorted(table), sorted(requests), *others


@asynccontextmanager
async def unchanged(house: House, table_id: str) -> AsyncIterator[None]:
    """Check that nothing of a table changes meanwhile."""
    before = await stored(house, table_id)
    yield
    assert before == await stored(house, table_id)


async def at_turn(house: House, host: Client) -> tuple[str, int]:
    """Return a table where the host has to bid, and its version."""
    table_id = await house.table(host, humans=1)
    return table_id, (await house.let_bots_act(table_id, lambda _: Pass())).version


async def test_an_illegal_card_is_refused_in_words(house: House, transport: str) -> None:
    """FAILED_PRECONDITION, with the rule for a player to read."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1, players=3)
    while True:
        table = await house.let_bots_act(table_id)
        if table.to_act is None:
            await house.open_deal(table_id)
            continue
        choice = table.playable.prompt.choices.play if table.playable.prompt else None
        hand = table.playable.owns[0].hand
        forbidden = next((card for card in hand if choice and card not in choice.cards), None)
        if forbidden is not None:
            break
        legal = next(iter(table.playable.legal_actions()))
        bids = table.playable.prompt.choices.bids if table.playable.prompt else ()
        await ada.tables.act(act(table_id, table.version, bids[0] if bids else legal))

    async with unchanged(house, table_id):
        error = await refused(
            ada.tables.act(act(table_id, table.version, Play(forbidden))),
            errors.ERROR_REASON_ILLEGAL_ACTION,
            Code.FAILED_PRECONDITION,
        )
    assert len(error.message.split()) >= 3
    assert "Error" not in error.message


async def test_not_your_turn(house: House, transport: str) -> None:
    """FAILED_PRECONDITION, and whose turn it is."""
    ada = await house.player(transport)
    table_id, version = await at_turn(house, ada)
    await ada.tables.act(act(table_id, version, Bid(12)))
    to_act = (await house.now(table_id)).to_act

    async with unchanged(house, table_id):
        error = await refused(
            ada.tables.act(act(table_id, version + 1, Bid(13))),
            errors.ERROR_REASON_NOT_YOUR_TURN,
            Code.FAILED_PRECONDITION,
        )
    assert {"to_act": str(to_act)} == error.metadata


@pytest.mark.parametrize("off_by", [-1, 1, 100])
async def test_a_stale_version(house: House, transport: str, off_by: int) -> None:
    """ABORTED with the current version, for one that is gone and for one that never was."""
    ada = await house.player(transport)
    table_id, version = await at_turn(house, ada)
    async with unchanged(house, table_id):
        error = await refused(
            ada.tables.act(act(table_id, version + off_by, Bid(12))), errors.ERROR_REASON_STALE_VERSION, Code.ABORTED
        )
    assert {"version": str(version)} == error.metadata


async def test_a_stale_version_of_the_whole_table(house: House, transport: str) -> None:
    """What is asked for at a version of the table happens at that version alone."""
    ada = await house.player(transport)
    table_id = await house.table(ada, start=False)
    bot = tables_pb2.Bot(strategy_id="greedy")
    for version, call in (
        (2, ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, expected_version=2))),
        (3, ada.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=table_id, expected_version=3, bot=bot))),
        (9, ada.tables.close_table(tables_pb2.CloseTableRequest(table_id=table_id, expected_version=9))),
        (9, ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id, expected_version=9))),
        (9, ada.tables.leave_table(tables_pb2.LeaveTableRequest(table_id=table_id, expected_version=9))),
    ):
        del version
        async with unchanged(house, table_id):
            await refused(call, errors.ERROR_REASON_STALE_VERSION, Code.ABORTED)
    reply = await ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, expected_version=1))
    assert reply.view.table.version == 2


async def test_a_seat_that_is_not_yours(house: House, transport: str) -> None:
    """PERMISSION_DENIED for another's seat, for a stranger, and for a seat to be left that is another's."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id, version = await at_turn(house, ada)
    leave = tables_pb2.LeaveTableRequest(table_id=table_id, seat=0)
    check = tables_pb2.CheckActionRequest(table_id=table_id, action=write_action(Bid(12)))
    entropy = tables_pb2.AddEntropyRequest(table_id=table_id, deal_number=1, entropy="00")
    async with unchanged(house, table_id):
        for call in (
            ada.tables.act(act(table_id, version, Bid(12), seat=1)),
            eve.tables.act(act(table_id, version, Bid(12), seat=0)),
            eve.tables.act(act(table_id, version, Bid(12))),
            eve.tables.leave_table(leave),
            eve.tables.check_action(check),
            eve.tables.add_entropy(entropy),
        ):
            await refused(call, errors.ERROR_REASON_NOT_SEATED, Code.PERMISSION_DENIED)


async def test_what_is_the_hosts_alone(house: House, transport: str) -> None:
    """PERMISSION_DENIED for anybody else who starts, closes or seats bots."""
    ada, eve = await house.player(transport, "Ada"), await house.player(transport, "Eve")
    table_id = await house.table(ada, start=False)
    bot = tables_pb2.Bot(strategy_id="greedy")
    async with unchanged(house, table_id):
        for call in (
            eve.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id)),
            eve.tables.close_table(tables_pb2.CloseTableRequest(table_id=table_id)),
            eve.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=table_id, bot=bot)),
        ):
            await refused(call, errors.ERROR_REASON_NOT_HOST, Code.PERMISSION_DENIED)


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (None, errors.ERROR_REASON_TOKEN_MISSING),
        ("forged", errors.ERROR_REASON_TOKEN_INVALID),
        ("expired", errors.ERROR_REASON_TOKEN_EXPIRED),
    ],
)
async def test_who_cannot_prove_who_they_are(
    house: House, transport: str, token: str | None, reason: errors.ErrorReason.ValueType
) -> None:
    """UNAUTHENTICATED without a token, with a forged one and with an expired one."""
    ada = await house.player(transport)
    table_id, version = await at_turn(house, ada)
    assert ada.player is not None
    if token == "forged":
        head, _, signature = ada.tokens.access_token.rpartition(".")
        token = f"{head}.{signature[:-4]}AAAA"
    elif token == "expired":
        issuer = token_issuer(Settings(data_dir=house.stage.folder), lambda: time.time() - 7200, SpentInMemory())
        token = issuer.issue(Player(PlayerId(ada.player.id), "Ada")).access
    eve = await house.stage.client(house.front, transport, name=None, token=token)
    async with unchanged(house, table_id):
        await refused(eve.tables.act(act(table_id, version, Bid(12))), reason, Code.UNAUTHENTICATED)


async def test_an_unknown_table(house: House, transport: str) -> None:
    """NOT_FOUND, whatever is asked of it."""
    ada = await house.player(transport)
    name = "nowhere"
    bot = tables_pb2.Bot(strategy_id="greedy")
    for call in (
        ada.tables.get_table(tables_pb2.GetTableRequest(table_id=name)),
        ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=name)),
        ada.tables.leave_table(tables_pb2.LeaveTableRequest(table_id=name)),
        ada.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=name, bot=bot)),
        ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=name)),
        ada.tables.close_table(tables_pb2.CloseTableRequest(table_id=name)),
        ada.tables.act(act(name, 1, Pass())),
        ada.tables.check_action(tables_pb2.CheckActionRequest(table_id=name, action=write_action(Pass()))),
        ada.tables.suggest_action(tables_pb2.SuggestActionRequest(table_id=name, expected_version=1)),
        ada.tables.get_replay(tables_pb2.GetReplayRequest(table_id=name)),
        anext(ada.tables.watch_table(tables_pb2.WatchTableRequest(table_id=name))),
    ):
        await refused(call, errors.ERROR_REASON_TABLE_NOT_FOUND, Code.NOT_FOUND)


async def test_a_full_table(house: House, transport: str) -> None:
    """FAILED_PRECONDITION for one more player; NOT_FOUND for a seat that the game does not have."""
    ada = await house.player(transport)
    table_id = await house.table(ada, start=False)
    bot = tables_pb2.Bot(strategy_id="greedy")
    await refused(
        ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, seat=6)),
        errors.ERROR_REASON_SEAT_NOT_FOUND,
        Code.NOT_FOUND,
    )
    await house.fill(ada, table_id)
    async with unchanged(house, table_id):
        for call in (
            ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id)),
            ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, seat=2)),
            ada.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=table_id, bot=bot)),
        ):
            await refused(call, errors.ERROR_REASON_SEAT_TAKEN, Code.FAILED_PRECONDITION)


async def test_the_wrong_time(house: House, transport: str) -> None:
    """FAILED_PRECONDITION that says whether it is too early or too late."""
    ada = await house.player(transport)
    table_id = await house.table(ada, humans=1, start=False, deals=1)
    start = tables_pb2.StartMatchRequest(table_id=table_id)
    replay = tables_pb2.GetReplayRequest(table_id=table_id)

    async def refuse(call: Any, reason: errors.ErrorReason.ValueType) -> None:
        async with unchanged(house, table_id):
            await refused(call, reason, Code.FAILED_PRECONDITION)

    await refuse(ada.tables.start_match(start), errors.ERROR_REASON_SEATS_FREE)
    await refuse(ada.tables.act(act(table_id, 1, Pass())), errors.ERROR_REASON_MATCH_NOT_STARTED)
    await refuse(ada.tables.get_replay(replay), errors.ERROR_REASON_MATCH_NOT_STARTED)
    await house.fill(ada, table_id)
    await ada.tables.start_match(start)
    await refuse(ada.tables.start_match(start), errors.ERROR_REASON_MATCH_STARTED)
    await refuse(ada.tables.get_replay(replay), errors.ERROR_REASON_DEAL_NOT_OVER)
    entropy = tables_pb2.AddEntropyRequest(table_id=table_id, deal_number=1, entropy="00")
    await refuse(ada.tables.add_entropy(entropy), errors.ERROR_REASON_NOT_NOW)
    table = await house.play_match(table_id, ada)
    await refuse(ada.tables.act(act(table_id, table.version, Pass())), errors.ERROR_REASON_OVER)
    await ada.tables.close_table(tables_pb2.CloseTableRequest(table_id=table_id))
    await refuse(ada.tables.start_match(start), errors.ERROR_REASON_OVER)
    await refuse(ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id)), errors.ERROR_REASON_OVER)


async def test_a_malformed_request(house: House, transport: str) -> None:
    """INVALID_ARGUMENT that names the field: no action, no card, an id that is no UUID, no version."""
    ada = await house.player(transport)
    table_id, version = await at_turn(house, ada)
    good = act(table_id, version, Bid(12))
    broken = []
    for field, change in (
        ("action", {"action": actions_pb2.Action()}),
        ("action.play_card.card", {"action": actions_pb2.Action(play_card=actions_pb2.PlayCard())}),
        ("request_id", {"request_id": "once"}),
        ("expected_version", {"expected_version": 0}),
        ("table_id", {"table_id": "x" * 65}),
        ("seat", {"seat": 7}),
    ):
        request = tables_pb2.ActRequest()
        request.CopyFrom(good)
        for name in change:
            request.ClearField(name)
        request.MergeFrom(tables_pb2.ActRequest(**change))
        broken.append((field, request))
    async with unchanged(house, table_id):
        for field, request in broken:
            error = await refused(ada.tables.act(request), errors.ERROR_REASON_INVALID_FIELD, Code.INVALID_ARGUMENT)
            assert any(violation.field.startswith(field.split(".")[0]) for violation in error.violations), field


async def test_an_oversized_request(house: House, transport: str) -> None:
    """RESOURCE_EXHAUSTED with the limit; the server goes on."""
    ada = await house.player(transport)
    table_id, version = await at_turn(house, ada)
    huge = act(table_id, version, Bid(12))
    huge.table_id = "x" * 200_000
    async with unchanged(house, table_id):
        error = await refused(ada.tables.act(huge), errors.ERROR_REASON_TOO_LARGE, Code.RESOURCE_EXHAUSTED)
    assert "limit" in error.metadata
    await ada.tables.act(act(table_id, version, Bid(12)))


async def test_rules_that_there_are_not(house: House, transport: str) -> None:
    """Unknown games, options and bots are named; an option out of range is a violation of its own field."""
    ada = await house.player(transport)

    async def open_table(rule_set: catalog_pb2.RuleSet, **settings: Any) -> None:
        request = tables_pb2.CreateTableRequest(rules=rule_set, settings=tables_pb2.TableSettings(**settings))
        await ada.tables.create_table(request)

    twice = catalog_pb2.RuleSet(game_id="napoleon-tw", options=[*rules(players=5).options] * 2)
    for rule_set, option, field in (
        (rules(min_bid=99), "min_bid", "rules.options[0].value"),
        (rules(players=5, colour="red"), "colour", "rules.options[1].name"),
        (rules(forced_solo=3), "forced_solo", "rules.options[0].value"),
        (twice, "players", "rules.options[1].name"),
    ):
        error = await refused(open_table(rule_set), errors.ERROR_REASON_INVALID_OPTION, Code.INVALID_ARGUMENT)
        assert {"option": option} == error.metadata
        assert [field] == [violation.field for violation in error.violations]
    await refused(
        open_table(catalog_pb2.RuleSet(game_id="mah-jongg")), errors.ERROR_REASON_GAME_NOT_FOUND, Code.NOT_FOUND
    )
    await refused(
        open_table(rules(), stand_in=tables_pb2.Bot(strategy_id="nobody")),
        errors.ERROR_REASON_STRATEGY_NOT_FOUND,
        Code.NOT_FOUND,
    )
    error = await refused(
        open_table(rules(), deals=0, turn_time={"seconds": 100_000}),
        errors.ERROR_REASON_INVALID_FIELD,
        Code.INVALID_ARGUMENT,
    )
    assert {"settings.deals", "settings.turn_time"} == {violation.field for violation in error.violations}


@pytest.mark.parametrize("name", ["N" * 10_000, "Na\x07me", "Na\u202eme", "  "])
async def test_names_that_are_none(house: House, transport: str, name: str) -> None:
    """INVALID_ARGUMENT for a name of 10,000 characters, and for control characters in one."""
    eve = await house.stage.client(house.front, transport, name=None)
    error = await refused(eve.sign_in_as_guest(name), errors.ERROR_REASON_INVALID_FIELD, Code.INVALID_ARGUMENT)
    assert [violation.field for violation in error.violations] == ["display_name"]


async def test_too_many_calls_of_one_player(house: House, transport: str) -> None:
    """RESOURCE_EXHAUSTED with a delay; after it calls are answered again, and other players never noticed."""
    front = await house.stage.front(toy=house.serving.service, rate_per_player=5, burst_per_player=5)
    ada = await house.player(transport, "Ada", front=front)
    bob = await house.player(transport, "Bob", front=front)
    table_id, version = await at_turn(house, await house.player(transport, "Host"))
    get = tables_pb2.GetTableRequest(table_id=table_id)

    async with unchanged(house, table_id):
        replies = await asyncio.gather(*(ada.tables.get_table(get) for _ in range(30)), return_exceptions=True)
        held_back = [reply for reply in replies if isinstance(reply, Exception)]
        assert held_back
        error = await refused(_first_error(held_back), errors.ERROR_REASON_RATE_LIMITED, Code.RESOURCE_EXHAUSTED)
        assert error.retry_delay_s
        assert version == (await bob.tables.get_table(get)).view.table.version
    await asyncio.sleep(error.retry_delay_s + 0.05)
    await ada.tables.get_table(get)


async def _first_error(found: list[Exception]) -> None:
    raise found[0]


async def test_too_many_tables_of_one_player(house: House, transport: str) -> None:
    """RESOURCE_EXHAUSTED with the limit; asking again for a table that is open is answered all the same."""
    ada = await house.player(transport)
    request = tables_pb2.CreateTableRequest(request_id=str(uuid.uuid4()), rules=rules())
    first = await ada.tables.create_table(request)
    for _ in range(house.most_tables - 1):
        await house.table(ada, start=False)

    error = await refused(house.table(ada, start=False), errors.ERROR_REASON_TOO_MANY, Code.RESOURCE_EXHAUSTED)

    assert {"limit": str(house.most_tables)} == error.metadata
    assert first == await ada.tables.create_table(request)


async def test_too_many_tables_to_join(house: House, transport: str) -> None:
    """Seats count like tables of one's own; a seat that one has can be taken again."""
    ada, eve = await house.player(transport), await house.player(transport, "Eve")
    elsewhere = await house.table(eve, start=False)
    own = [await house.table(ada, start=False) for _ in range(house.most_tables)]

    error = await refused(
        ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=elsewhere)),
        errors.ERROR_REASON_TOO_MANY,
        Code.RESOURCE_EXHAUSTED,
    )

    assert {"limit": str(house.most_tables)} == error.metadata
    assert (await house.now(elsewhere)).version == 1
    for _ in range(2):
        await ada.tables.join_table(tables_pb2.JoinTableRequest(table_id=own[0]))


async def test_too_many_hints_of_one_player(house: House, transport: str) -> None:
    """RESOURCE_EXHAUSTED for one player's fifth hint at a time; when one was answered there is room again."""
    _, _, patient = await house.another_front(hint_time_seconds=1.0)
    ada = await house.player(transport, front=patient)
    table_id = await house.table(ada, humans=1)
    version = (await house.let_bots_act(table_id, lambda _: Pass())).version
    asked = tables_pb2.SuggestActionRequest(table_id=table_id, expected_version=version)

    async def reason() -> int:
        with pytest.raises(CallError) as caught:
            await ada.tables.suggest_action(asked)
        return caught.value.reason

    told = Counter(await asyncio.gather(*(reason() for _ in range(MOST_OF_A_PLAYER + 3))))

    assert told == {errors.ERROR_REASON_POOL_BUSY: MOST_OF_A_PLAYER, errors.ERROR_REASON_TOO_MANY: 3}
    assert await reason() == errors.ERROR_REASON_POOL_BUSY

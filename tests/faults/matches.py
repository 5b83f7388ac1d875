"""Whole matches between players who are scripts and bots, from opening the table to checking what is left of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta

from google.protobuf.duration_pb2 import Duration

from junto.table.keys import Keyspace
from junto.table.seats import TableId
from junto.table.store import Store
from junto.v1 import tables_pb2
from junto.v1.catalog_pb2 import RuleSet
from junto.v1.replays_pb2 import DealRecord, Replay

from .house import SHARDS, Address, House
from .laws import check_ledgers, check_replay, check_seen, history
from .players import Guest, Seen, Tally

PLAYERS = 3
DEALS = 2


def duration(seconds: float) -> Duration:
    """Return a span of time as a message."""
    message = Duration()
    message.FromTimedelta(timedelta(seconds=seconds))
    return message


def settings(**more: object) -> tables_pb2.TableSettings:
    """Return how a table is played: without pauses, unlisted."""
    return tables_pb2.TableSettings(
        visibility=tables_pb2.VISIBILITY_UNLISTED,
        deal_pause=duration(0),
        **more,  # type: ignore[arg-type]  # the message checks them
    )


def bot(strategy_id: str) -> tables_pb2.Bot:
    """Return a bot."""
    return tables_pb2.Bot(strategy_id=strategy_id)


async def open_table(host: Guest, half: int, how: tables_pb2.TableSettings) -> str:
    """Open a table whose shard is of one half of all, which one of two stewards works; return its id."""
    while True:
        request = tables_pb2.CreateTableRequest(rules=RuleSet(game_id="napoleon-tw"), settings=how)
        table_id = str((await host.ask("create_table", request)).table.id)
        if Keyspace(SHARDS).shard_of(TableId(table_id)) % 2 == half:
            return table_id


async def sit(guest: Guest, table_id: str, seat: int) -> None:
    """Take a seat."""
    reply = await guest.ask("join_table", tables_pb2.JoinTableRequest(table_id=table_id, seat=seat))
    assert reply.seat == seat


async def replay_of(guest: Guest, table_id: str) -> Replay:
    """Return the whole replay of a match."""
    deals: list[DealRecord] = []
    token = ""
    while True:
        request = tables_pb2.GetReplayRequest(table_id=table_id, page_token=token)
        page: tables_pb2.GetReplayResponse = await guest.ask("get_replay", request)
        deals += page.replay.deals
        if not (token := page.next_page_token):
            break
    whole = Replay()
    whole.CopyFrom(page.replay)
    del whole.deals[:]
    whole.deals.extend(deals)
    return whole


def at_home(house: House, number: int) -> Sequence[Address]:
    """Return where a player calls: half of them are at home at each front, and every other speaks Connect."""
    home, other = (house.fronts[number % 2], house.fronts[(number + 1) % 2])
    transport = number // 2 % 2
    return home.addresses[transport], other.addresses[transport]


async def play_match(house: House, store: Store, half: int, chance: random.Random, tally: Tally) -> None:
    """Play a match with three players, a spectator and two bots to its end, and check all that is left of it."""
    async with AsyncExitStack() as stack:
        first = chance.randrange(4)
        guests = [
            await stack.enter_async_context(
                Guest(f"Guest {number}", at_home(house, first + number), random.Random(chance.random()), tally)
            )
            for number in range(PLAYERS + 1)
        ]
        host, spectator, players = guests[0], guests[-1], dict(enumerate(guests[:PLAYERS]))
        table_id = await open_table(host, half, settings(deals=DEALS))
        for seat, player in players.items():
            await sit(player, table_id, seat)
        for seat, strategy in ((3, "greedy"), (4, "random")):
            await host.ask("seat_bot", tables_pb2.SeatBotRequest(table_id=table_id, seat=seat, bot=bot(strategy)))
        seen: dict[int | None, Seen] = {seat: Seen() for seat in (*players, None)}
        async with asyncio.TaskGroup() as group:
            group.create_task(spectator.watch(table_id, seen[None]))
            for seat, player in players.items():
                group.create_task(player.play(table_id, seen[seat]))
            await host.ask("start_match", tables_pb2.StartMatchRequest(table_id=table_id))
        replay = await replay_of(host, table_id)
        changes = await history(store, table_id)

    check_replay(replay, DEALS)
    check_ledgers(players, replay, changes)
    for viewer, watcher in seen.items():
        check_seen(watcher, viewer, changes)
    tally.tables += 1
    tally.deals += len(replay.deals)


async def play_until(over: asyncio.Event, house: House, tables: int, chance: random.Random, tally: Tally) -> None:
    """Play match after match at several tables at once, until it is over; matches that are on are played to their end.

    Half of the tables are in shards that one of two stewards works.
    """

    async def play_on(half: int, chance: random.Random) -> None:
        while not over.is_set():
            await play_match(house, store, half, chance, tally)

    async with house.store() as store, asyncio.TaskGroup() as group:
        for number in range(tables):
            group.create_task(play_on(number % 2, random.Random(chance.random())))

"""A house of card tables for tests: a real Redis, a front with both ports, and players at it.

Bots do not think here: the test plays their turns by the same door as a steward does, `Tables.submit`.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from junto.client import Client
from junto.client.errors import CallError
from junto.client.retries import Retries
from junto.front.serving import Serving, serving
from junto.front.tables import Offers
from junto.games import jit
from junto.games.actions import Action
from junto.table.aggregate import Table
from junto.table.clock import Clock, Pulse
from junto.table.commands import Act, OpenDeal
from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import Actor, Status, TableId
from junto.table.service import Tables
from junto.table.settings import Settings
from junto.table.store import Store, open_store
from junto.v1 import catalog_pb2, errors_pb2, tables_pb2
from junto.wire.actions import write_action

from ..table.playtable import any_action  # noqa: TID252 (tests are no package)
from .conftest import Stage

NO_RETRIES = Retries(attempts=1)
_PREFIXES = itertools.count()


@pytest.fixture
async def house(stage: Stage, redis_server: EmbeddedRedis) -> AsyncIterator[House]:
    """Provide a house; everything in it is closed afterwards."""
    async with contextlib.AsyncExitStack() as stack:
        yield await House.opened(stage, redis_server.url, stack)


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    """Provide a Redis that a test may stop."""
    server = EmbeddedRedis(tmp_path / "redis")
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def own_house(stage: Stage, own_redis: EmbeddedRedis) -> AsyncIterator[House]:
    """Provide a house on that Redis."""
    async with contextlib.AsyncExitStack() as stack:
        yield await House.opened(stage, own_redis.url, stack)


@pytest.fixture(params=["grpc", "connect"])
def transport(request: pytest.FixtureRequest) -> str:
    """Go through both fronts."""
    return str(request.param)


@functools.cache
def warm_up() -> None:
    """Compile the rules, as a front does before it takes calls: a call must not wait for a compiler."""
    jit.warmup(layer="games")


def request_id() -> str:
    """Return a fresh request id."""
    return str(uuid.uuid4())


def plays(strategy_id: str, game_id: str) -> bool:
    """Tell which bots there are."""
    return strategy_id in {"greedy", "pimc"} and game_id == "napoleon-tw"


class House:
    """See the module."""

    def __init__(self, stage: Stage, url: str, stack: contextlib.AsyncExitStack) -> None:
        self.stage = stage
        self.url = url
        self.stack = stack
        self.prefix = f"test{next(_PREFIXES)}"
        self.most_tables = 8
        self.chance = random.Random(self.prefix)
        self.store: Store
        self.serving: Serving
        self.front: Any

    @classmethod
    async def opened(cls, stage: Stage, url: str, stack: contextlib.AsyncExitStack) -> House:
        """Return a house with one front."""
        warm_up()
        house = cls(stage, url, stack)
        house.store, house.serving, house.front = await house.another_front()
        return house

    async def another_front(self, **settings: Any) -> tuple[Store, Serving, Any]:
        """Open another front to the same tables: what it shares with the others is Redis alone."""
        connection = await open_connection(self.url, patience=Patience(connect_s=0.5, retry_s=0.5))
        self.stack.push_async_callback(connection.aclose)
        store = await open_store(connection, Keyspace(prefix=self.prefix))
        clock = Clock()
        await self.stack.enter_async_context(Pulse(store, clock))
        offers = Offers(plays, most_tables=self.most_tables)
        chosen = Settings(**({"hint_time_seconds": 0.05, "bot_grace_seconds": 0.05} | settings))
        served = await self.stack.enter_async_context(
            serving(store, chosen, clock.now_ms, offers, heartbeat_s=0.05, presence_grace_s=0.1)
        )
        front = await self.stage.front(toy=served.service, rate_per_player=100_000, burst_per_player=100_000)
        front.on_drain(served.hub.drain)
        return store, served, front

    @property
    def tables(self) -> Tables:
        """The tables, as a steward would drive them."""
        return self.serving.tables

    async def player(self, transport: str, name: str = "Ada", front: Any = None) -> Client:
        """Return a client of a new guest."""
        return await self.stage.client(front or self.front, transport, name=name, retries=NO_RETRIES)

    async def table(
        self, host: Client, *, humans: int = 0, players: int = 5, start: bool = True, **settings: Any
    ) -> str:
        """Open a table; the host takes seat 0 if `humans`, bots the others that are free."""
        reply = await host.tables.create_table(
            tables_pb2.CreateTableRequest(rules=rules(players=players), settings=tables_pb2.TableSettings(**settings))
        )
        table_id = reply.table.id
        if humans:
            await host.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id, seat=0))
        if start:
            await self.fill(host, table_id)
            await host.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        return table_id

    async def fill(self, host: Client, table_id: str) -> None:
        """Put bots on all free seats."""
        bot = tables_pb2.Bot(strategy_id="greedy")
        with contextlib.suppress(CallError):
            await host.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=table_id, bot=bot))

    async def now(self, table_id: str) -> Table:
        """Return the table as it is stored."""
        return await self.tables.get(TableId(table_id))

    async def let_bots_act(self, table_id: str, choose: Callable[[Table], Action] | None = None) -> Table:
        """Play bots' turns until a player has to decide, or the deal is over."""
        while True:
            table = await self.now(table_id)
            number = table.to_act
            if number is None or table.seats[number].bot is None:
                return table
            action = choose(table) if choose else any_action(table.playable, self.chance)
            await self.tables.submit(TableId(table_id), lambda _, seat=number, what=action: Act(seat, Actor.BOT, what))

    async def play_deal(self, table_id: str, *clients: Client) -> Table:
        """Play until the deal is over: players by the API, bots by the steward's door."""
        by_player = {client.player.id: client for client in clients if client.player}
        while True:
            table = await self.let_bots_act(table_id)
            if table.to_act is None:
                return table
            player = table.seats[table.to_act].player
            assert player is not None
            action = any_action(table.playable, self.chance)
            await by_player[player.id].tables.act(act(table_id, table.version, action))

    async def open_deal(self, table_id: str) -> None:
        """Open the next deal."""
        await self.tables.submit(TableId(table_id), lambda _: OpenDeal(self.chance.randbytes(32)))

    async def play_match(self, table_id: str, *clients: Client) -> Table:
        """Play until the match is over."""
        while True:
            table = await self.play_deal(table_id, *clients)
            if table.status is not Status.PLAYING:
                return table
            await self.open_deal(table_id)


def rules(**options: int | bool | str) -> catalog_pb2.RuleSet:
    """Return the rules of Taiwanese Napoleon with options."""
    settings = []
    for name, value in options.items():
        match value:
            case bool():
                chosen = catalog_pb2.OptionValue(flag=value)
            case int():
                chosen = catalog_pb2.OptionValue(number=value)
            case _:
                chosen = catalog_pb2.OptionValue(choice=value)
        settings.append(catalog_pb2.OptionSetting(name=name, value=chosen))
    return catalog_pb2.RuleSet(game_id="napoleon-tw", options=settings)


def act(table_id: str, version: int, action: Action, **fields: Any) -> tables_pb2.ActRequest:
    """Return the request that makes a decision."""
    return tables_pb2.ActRequest(table_id=table_id, expected_version=version, action=write_action(action), **fields)


async def refused(call: Awaitable[Any], reason: errors_pb2.ErrorReason.ValueType, code: grpc.StatusCode) -> CallError:
    """Return the error of a call that must be refused with this reason and code."""
    with pytest.raises(CallError) as caught:
        await call
    expected = errors_pb2.ErrorReason.Name(reason), code.name
    assert expected == (errors_pb2.ErrorReason.Name(caught.value.reason), caught.value.code.name), caught.value
    return caught.value

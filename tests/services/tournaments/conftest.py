"""A hall of tournaments for tests: a real Redis, fronts with both ports, players who ask, and an organiser's hand.

Nothing is played here: the tests write down what was, by the same door as an organiser does.
"""

from __future__ import annotations

import contextlib
import itertools
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest

from junto.client import Client, Tournaments
from junto.client.retries import Retries
from junto.front.methods import Service
from junto.front.tournaments import Organised, Terms, organised
from junto.table.clock import Clock, Pulse
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.store import Store, open_store
from junto.tournaments.specs import Bounds
from junto.tournaments.store import Room
from junto.tournaments.store import Tournaments as Stored
from junto.tournaments.work import Work
from junto.v1 import catalog_pb2, strategies_pb2, tournaments_pb2

from ..front.conftest import Stage, stage  # noqa: TID252  # tests are no package

__all__ = ["stage"]

_PREFIXES = itertools.count()
LIFE_MS = 60_000


def plays(strategy_id: str, game_id: str) -> bool:
    """Tell which bots there are."""
    return strategy_id in {"greedy", "pimc", "random"} and game_id in {"whist", "bridge", "napoleon-tw", "dou-dizhu"}


def entrant(name: str, strategy: str = "greedy", **budget: Any) -> tournaments_pb2.Entrant:
    """Return an entrant."""
    limits = strategies_pb2.Budget(**budget) if budget else None
    return tournaments_pb2.Entrant(name=name, strategy_id=strategy, budget=limits)


def spec(*entrants: tournaments_pb2.Entrant, game: str = "whist", **fields: Any) -> tournaments_pb2.TournamentSpec:
    """Return the spec of a small tournament of whist, unless it says otherwise."""
    return tournaments_pb2.TournamentSpec(
        rules=catalog_pb2.RuleSet(game_id=game),
        entrants=entrants or (entrant("a"), entrant("b", "random")),
        **({"deals": 6} | fields),
    )


class Hall:
    """See the module."""

    def __init__(self, url: str, stage: Stage, stack: contextlib.AsyncExitStack) -> None:
        self.url = url
        self.stage = stage
        self.stack = stack
        self.prefix = f"hall{next(_PREFIXES)}"
        self.terms = Terms(plays, Bounds(deals=1000), Room(of_player=2, in_all=5))
        self.store: Store
        self.organised: Organised
        self.front: Any
        self.clock: Clock

    async def another_front(self) -> tuple[Store, Clock, Organised, Any]:
        """Open one more front to the same tournaments."""
        connection = await open_connection(self.url)
        self.stack.push_async_callback(connection.aclose)
        store = await open_store(connection, Keyspace(prefix=self.prefix))
        clock = Clock()
        await self.stack.enter_async_context(Pulse(store, clock))
        served = await self.stack.enter_async_context(organised(store, clock.now_ms, self.terms))
        front = await self.stage.serve([Service(Tournaments.DESCRIPTOR, served.service)])
        front.on_drain(served.watch.drain)
        return store, clock, served, front

    async def player(self, transport: str = "grpc", name: str = "Ada", front: Any = None) -> Client:
        """Return a client of a new guest."""
        return await self.stage.client(front or self.front, transport, name=name, retries=Retries(attempts=1))

    def work(self, owner: str = "organiser", life_ms: int = LIFE_MS) -> Work:
        """Return the work as an organiser sees it."""
        return Work(Stored(self.store, self.terms.room), owner, life_ms)

    async def create(self, client: Client, wanted: tournaments_pb2.TournamentSpec | None = None) -> Any:
        """Create a tournament."""
        request = tournaments_pb2.CreateTournamentRequest(request_id=str(uuid.uuid4()), spec=wanted or spec())
        return (await client.tournaments.create_tournament(request)).tournament


@pytest.fixture(params=["one server", pytest.param("cluster", marks=pytest.mark.xdist_group("redis_cluster"))])
def any_url(request: pytest.FixtureRequest) -> str:
    """The URL of a Redis: of one server, then of a Cluster."""
    if request.param == "one server":
        return str(request.getfixturevalue("redis_server").url)
    return str(request.getfixturevalue("redis_cluster").url)


async def opened_hall(url: str, stage: Stage, stack: contextlib.AsyncExitStack) -> Hall:
    """Return a hall with one front on a Redis."""
    hall = Hall(url, stage, stack)
    hall.store, hall.clock, hall.organised, hall.front = await hall.another_front()
    return hall


@pytest.fixture
async def hall(stage: Stage, redis_server: Any) -> AsyncIterator[Hall]:
    """Provide a hall; everything in it is closed afterwards."""
    async with contextlib.AsyncExitStack() as stack:
        yield await opened_hall(redis_server.url, stage, stack)


@pytest.fixture
async def any_hall(stage: Stage, any_url: str) -> AsyncIterator[Hall]:
    """Provide a hall on each kind of Redis."""
    async with contextlib.AsyncExitStack() as stack:
        yield await opened_hall(any_url, stage, stack)


@pytest.fixture(params=["grpc", "connect", "grpc-web"])
def transport(request: pytest.FixtureRequest) -> str:
    """Go through every transport."""
    return str(request.param)

"""Tables for a steward to work on, and bots that behave as scripted: good, lying, failing, silent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

from junto.games.catalog import open_game
from junto.pool.decide import decide
from junto.pool.errors import DecisionLate, WorkFailed
from junto.table.commands import CreateTable, Join, SeatBot, StartMatch
from junto.table.seats import Bot, Player, PlayerId, TableId, TableSettings
from junto.table.service import Tables
from junto.v1 import actions_pb2, strategies_pb2

HOST = Player(PlayerId("host"), "Host")
SECRET = bytes(range(32))

Behaviour = Callable[[str, bytes], Awaitable[bytes]]


def at_random(_: str, request: bytes) -> bytes:
    """Decide at once: any legal action."""
    return decide("random", request, 1.0)


async def good(_: str, request: bytes) -> bytes:
    """Answer with a legal action."""
    return at_random("", request)


async def passing(_: str, __: bytes) -> bytes:
    """Answer that the seat passes: legal in the auction."""
    action = actions_pb2.Action()
    getattr(action, "pass").SetInParent()  # Python's own word
    return strategies_pb2.DecideResponse(decision=strategies_pb2.Decision(action=action)).SerializeToString()


async def lying(_: str, __: bytes) -> bytes:
    """Answer with an action that is never legal in this game."""
    action = actions_pb2.Action(claim=actions_pb2.Claim(tricks=3))
    return strategies_pb2.DecideResponse(decision=strategies_pb2.Decision(action=action)).SerializeToString()


async def babbling(_: str, __: bytes) -> bytes:
    """Answer with bytes that are no message."""
    return b"\xff\xff\xff"


async def crashing(_: str, __: bytes) -> bytes:
    """Die of every question."""
    raise WorkFailed("ZeroDivisionError: division by zero")


async def silent(_: str, __: bytes) -> bytes:
    """Never answer: the pool gives up."""
    raise DecisionLate("the time is up")


class ScriptedThinkers:
    """Stands where the pool stands, and does what it is told."""

    def __init__(self, behaviour: Behaviour = good) -> None:
        self.behaviour = behaviour
        self.asked: list[tuple[str, bytes]] = []
        self.ready = True

    async def decide(self, strategy_id: str, request: bytes, timeout_s: float) -> bytes:
        """See `junto.steward.thinking.Thinkers`."""
        self.asked.append((strategy_id, request))
        async with asyncio.timeout(timeout_s):
            return await self.behaviour(strategy_id, request)


async def start_match(
    tables: Tables, players: int = 0, seats: int = 5, *, bot: str = "random", **settings: object
) -> TableId:
    """Open a table with so many players, `p0` and so on, bots on the other seats, and start its match."""
    table_id = TableId(uuid4().hex)
    how = TableSettings(deals=settings.pop("deals", 1), **settings)  # type: ignore[arg-type]
    await tables.create(CreateTable(table_id, open_game("napoleon-tw", {"players": seats}), how, HOST), HOST.id)
    for number in range(players):
        player = Player(PlayerId(f"p{number}"), f"Player {number}")
        await tables.submit(table_id, lambda _, player=player: Join(player), player.id)
    if players < seats:
        await tables.submit(table_id, lambda _: SeatBot(Bot(bot)), HOST.id)
    await tables.submit(table_id, lambda _: StartMatch(SECRET), HOST.id)
    return table_id

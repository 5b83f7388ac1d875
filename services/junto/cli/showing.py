"""A demo: deals with bots, told as any client of the API can see them, and proved afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from junto.cli.console import Failure, say
from junto.cli.ephemeral import ephemeral
from junto.cli.hindsight import Hindsight
from junto.cli.proof import Unproved, prove
from junto.cli.story import Story
from junto.cli.tables import bot, find_game, hand_names, open_table, rule_set, seat_bots
from junto.cli.waits import waiting
from junto.cli.watching import follow
from junto.client import Client
from junto.v1 import replays_pb2, tables_pb2
from junto.v1.catalog_pb2 import Game
from junto.v1.tables_pb2 import WatchTableResponse
from junto.wire.replays import write_replay_file

SILENCE_S: Final = 60.0
"""How long nothing may happen at the table before the demo gives up."""
DEALS: Final = {"baohuang": 2, "shuangkou": 2}
"""How many deals are shown of the games in which a deal leaves something for the next one: tribute, the lead."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be shown."""

    game: str
    options: Sequence[str]
    strategy: str
    think_s: float
    seed: int | None
    replay: Path | None
    deals: int | None = None


async def show(wish: Wish) -> None:
    """Start everything, show what is wished for, stop everything."""
    async with ephemeral() as machine, Client(machine.grpc) as client:
        await machine.unless_it_fails(show_at(client, wish))


async def show_at(client: Client, wish: Wish) -> None:
    """Show what is wished for on a server that runs.

    Raises:
        Failure: the wish cannot be, or the deal is not what was promised.
    """
    await client.sign_in_as_guest("Demo")
    game = await find_game(client, wish.game)
    table = await open_table(client, rule_set(game, wish.options), wish.deals or DEALS.get(wish.game, 1))
    table = await seat_bots(client, table.id, bot(wish.strategy, wish.think_s, wish.seed))
    say(f"A table of {game.title} is open, {len(table.seats)} bots ({wish.strategy}) sit at it.")
    say()
    await _tell(client, table, game)
    say()
    await _prove(client, table, wish.replay)


async def _tell(client: Client, table: tables_pb2.Table, game: Game) -> None:
    """Watch from before the start until the match is over, and tell everything.

    Raises:
        Failure: nothing happened for too long.
    """
    story, hindsight = Story(hand_names(table), game), Hindsight(client, table, hand_names(table))
    try:
        async with asyncio.timeout(SILENCE_S) as silence, aclosing(follow(client, table.id)) as stream:
            await anext(stream)  # the stream is open, so that nothing can be missed
            await client.tables.start_match(tables_pb2.StartMatchRequest(table_id=table.id))
            while (message := await _next(stream)) is not None:
                silence.reschedule(asyncio.get_running_loop().time() + SILENCE_S)
                for line in story.tell_update(message.update):
                    say(line)
                for line in await hindsight.after(message.update):
                    say(line)
    except TimeoutError:
        raise Failure(f"nothing has happened at the table for {SILENCE_S:.0f} s") from None


async def _next(stream: AsyncGenerator[WatchTableResponse, None]) -> WatchTableResponse | None:
    """Return the next message of a stream but signs of life; None: it is over."""
    with waiting("the bots think"):
        async for message in stream:
            if message.WhichOneof("kind") != "heartbeat":
                return message
    return None


async def _prove(client: Client, table: tables_pb2.Table, file: Path | None) -> None:
    """Fetch the replay, keep it if it is wanted, and prove it without the server."""
    reply = await client.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table.id))
    if file is not None:
        _keep(reply.replay, file)
    try:
        for line in prove(reply.replay):
            say(line)
    except Unproved as problem:
        raise Failure(f"the deal is not what was promised: {problem}") from None


def _keep(replay: replays_pb2.Replay, file: Path) -> None:
    try:
        write_replay_file(replay, file)
    except OSError as error:
        raise Failure(f"cannot write {file}: {error.strerror}") from None
    say(f"The replay is in {file}; `junto verify {file}` proves it without a server.")

"""A person in the terminal plays one seat, bots play the others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from junto.cli.console import say
from junto.cli.ephemeral import ephemeral
from junto.cli.lines import Lines
from junto.cli.machine import Machine
from junto.cli.seat import Quit, Seat
from junto.cli.tables import bot, find_game, open_table, rule_set, seat_bots
from junto.client import Client
from junto.v1 import tables_pb2, views_pb2


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be played."""

    game: str
    options: Sequence[str]
    deals: int
    server: str | None
    tls: bool
    name: str
    strategy: str
    think_s: float


async def sit_down(wish: Wish) -> None:
    """Play what is wished for, on the server that is named or on one that is started for it."""
    async with _connected(wish) as (client, machine):
        game = _sit(client, wish)
        await (machine.unless_it_fails(game) if machine is not None else game)


@asynccontextmanager
async def _connected(wish: Wish) -> AsyncIterator[tuple[Client, Machine | None]]:
    """Connect to the server that is wished for, or to one that is started for this game."""
    async with AsyncExitStack() as stack:
        machine = None if wish.server is not None else await stack.enter_async_context(ephemeral())
        address = machine.grpc if machine is not None else wish.server
        assert address is not None
        yield await stack.enter_async_context(Client(address, tls=wish.tls)), machine


async def _sit(client: Client, wish: Wish) -> None:
    await client.sign_in_as_guest(wish.name)
    game = await find_game(client, wish.game)
    table = await open_table(client, rule_set(game, wish.options), wish.deals)
    await client.tables.join_table(tables_pb2.JoinTableRequest(table_id=table.id, seat=0))
    table = await seat_bots(client, table.id, bot(wish.strategy, wish.think_s))
    say(f"{game.title}: you have seat 0 of {len(table.seats)}; {wish.strategy} plays the others.")
    say("Type help to see what you can type.")
    seat = Seat(client, table, game, Lines())
    await client.tables.start_match(tables_pb2.StartMatchRequest(table_id=table.id))
    try:
        match = await seat.play()
    except Quit:
        say("You leave the table.")
        await client.tables.close_table(tables_pb2.CloseTableRequest(table_id=table.id))
        return
    for line in _final(match, wish):
        say(line)


def _final(match: views_pb2.MatchView, wish: Wish) -> Sequence[str]:
    if wish.deals == 1:
        return []
    scores = ", ".join(f"seat {score.seat} {score.score:+}" for score in match.scores)
    return ["", f"After {match.deals_done} deals: {scores}"]

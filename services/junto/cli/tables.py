"""What `junto demo` and `junto play` do with the API alike: find the game, open a table, name its seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from google.protobuf.duration_pb2 import Duration

from junto.cli.console import Failure
from junto.client import CallError, Client
from junto.v1 import catalog_pb2, strategies_pb2, tables_pb2
from junto.v1.catalog_pb2 import OptionSchema, OptionSetting, OptionValue, RuleSet


async def find_game(client: Client, game_id: str) -> catalog_pb2.Game:
    """Return the catalogue's entry of a game.

    Raises:
        Failure: the server does not have it.
    """
    games = (await client.catalog.list_games(catalog_pb2.ListGamesRequest())).games
    for game in games:
        if game.id == game_id:
            return game
    raise Failure(f"there is no game {game_id!r}; there are {', '.join(game.id for game in games)}", 2)


def rule_set(game: catalog_pb2.Game, options: Iterable[str]) -> RuleSet:
    """Return a game's rules with options that were written as `name=value`.

    Raises:
        Failure: the game has no such option, or the value cannot be read; the server checks the rest.
    """
    schemas = {schema.name: schema for schema in game.options}
    settings = []
    for written in options:
        name, _, value = written.partition("=")
        if name not in schemas:
            raise Failure(f"{game.id} has no option {name!r}; `junto games {game.id}` lists them", 2)
        settings.append(OptionSetting(name=name, value=option_value(schemas[name], value)))
    return RuleSet(game_id=game.id, options=settings)


def option_value(schema: OptionSchema, value: str) -> OptionValue:
    """Return the value that was written for an option.

    Raises:
        Failure: it is not of the option's type.
    """
    match schema.WhichOneof("type"):
        case "flag" if value in {"true", "false"}:
            return OptionValue(flag=value == "true")
        case "number" if value.lstrip("-").isdecimal():
            return OptionValue(number=int(value))
        case "choice":
            return OptionValue(choice=value)
        case kind:
            raise Failure(f"the option {schema.name} is a {kind}, not {value!r}", 2)


def bot(strategy: str, think_s: float, seed: int | None = None) -> tables_pb2.Bot:
    """Return a bot that thinks for so long; with a seed its own randomness is fixed."""
    budget = strategies_pb2.Budget(time=duration(think_s), seed=seed)
    return tables_pb2.Bot(strategy_id=strategy, budget=budget)


def duration(seconds: float) -> Duration:
    """Return a span of time as a message."""
    message = Duration()
    message.FromTimedelta(timedelta(seconds=seconds))
    return message


async def open_table(client: Client, rules: RuleSet, deals: int) -> tables_pb2.Table:
    """Open an unlisted table for so many deals.

    Raises:
        Failure: an option has a value that it cannot have.
        CallError: the server does not answer.
    """
    settings = tables_pb2.TableSettings(
        deals=deals, visibility=tables_pb2.VISIBILITY_UNLISTED, deal_pause=duration(0.5), hints=True
    )
    try:
        reply = await client.tables.create_table(tables_pb2.CreateTableRequest(rules=rules, settings=settings))
    except CallError as error:
        if error.violations or error.metadata.get("option"):
            raise Failure(error.message, 2) from None
        raise
    return reply.table


async def seat_bots(client: Client, table_id: str, occupant: tables_pb2.Bot) -> tables_pb2.Table:
    """Put a bot on every seat that is free.

    Raises:
        Failure: there is no such strategy.
    """
    try:
        reply = await client.tables.seat_bot(tables_pb2.SeatBotRequest(table_id=table_id, bot=occupant))
    except CallError as error:
        if error.code.name in {"NOT_FOUND", "INVALID_ARGUMENT"}:
            raise Failure(error.message, 2) from None
        raise
    return reply.table


def hand_names(table: tables_pb2.Table) -> Sequence[str]:
    """Return what the hands are called: players by their names, bots by their seats, the pile after the last seat."""
    names = [seat.player.display_name if seat.HasField("player") else f"seat {seat.number}" for seat in table.seats]
    return [*names, "the pile"]

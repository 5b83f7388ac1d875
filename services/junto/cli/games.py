"""`junto games`: what can be played."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from junto.cli.console import Failure, console, say
from junto.games.catalog import GAMES
from junto.games.core import Game
from junto.games.options import Option, value_text


def games(game: Annotated[str | None, typer.Argument(help="A game's id, to see its options.")] = None) -> None:
    """List the games, or the options of one."""
    if game is None:
        list_games()
    elif game in GAMES:
        list_options(GAMES[game])
    else:
        raise Failure(f"there is no game {game!r}; there are {', '.join(sorted(GAMES))}", 2)


def list_games() -> None:
    """Print a table of the games."""
    table = Table("game", "title", "players", "counts", "options", box=box.SIMPLE_HEAD)
    for name, game in sorted(GAMES.items()):
        low, high = game.player_range
        players = str(low) if low == high else f"{low} to {high}"
        table.add_row(name, game.title, players, game.unit, str(len(game.options_schema)))
    console().print(table)
    say("`junto games GAME` lists a game's options.")


def list_options(game: type[Game]) -> None:
    """Print a table of a game's options."""
    say(f"{game.title} ({game.id})")
    table = Table(box=box.SIMPLE_HEAD)
    for heading, narrow in (("option", True), ("default", True), ("what it means (what it can be)", False)):
        table.add_column(heading, no_wrap=narrow)
    for option in game.options_schema:
        table.add_row(option.name, value_text(option.default), f"{option.description} ({_values(option)})")
    console().print(table)


def _values(option: Option) -> str:
    return str(option.kind).removeprefix("a whole number from ").removeprefix("one of ")

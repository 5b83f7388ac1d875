"""`junto play`: a person in the terminal plays one seat, bots play the others."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from junto.cli.wishes import check_wish, table_of
from junto.games.catalog import GAMES

DEFAULT_NAME: Final = "Guest"


def play(
    *,
    game: Annotated[str, typer.Option(help="What is played; see `junto games`.")] = "napoleon-tw",
    seats: Annotated[int | None, typer.Option(help="How many play; none: what is usual.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as `min_bid=9`; repeatable.")] = None,
    deals: Annotated[int, typer.Option(help="How many deals are played.", min=1, max=1000)] = 1,
    server: Annotated[str | None, typer.Option(help="A server's gRPC address, host:port; none: start one.")] = None,
    tls: Annotated[bool, typer.Option("--tls", help="The server speaks TLS.")] = False,
    name: Annotated[str, typer.Option(help="Your name.")] = DEFAULT_NAME,
    strategy: Annotated[str, typer.Option(help="Which bot plays the other seats.")] = "pimc",
    think: Annotated[float, typer.Option(help="Seconds that a bot thinks about a decision.", min=0.01, max=10)] = 0.5,
) -> None:
    """Play a seat in the terminal against bots.

    Type `help` at any prompt to see what can be typed, `hint` to see what the search thinks of each choice.
    """
    options = [*(option or [])]
    if seats is not None and server is None and game in GAMES:
        options += table_of(GAMES[game], seats)
    elif seats is not None:
        options.append(f"players={seats}")
    if server is None:
        check_wish(game, options, strategy)  # a server has its own games
    from junto.cli.running import run  # noqa: PLC0415  # what cannot be is told before anything else is loaded
    from junto.cli.sitting import Wish, sit_down  # noqa: PLC0415

    run(sit_down(Wish(game, options, deals, server, tls, name, strategy, think)))

"""`junto demo`: deals with bots through the public API, told and proved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from junto.cli.console import say
from junto.cli.wishes import check_wish


def demo(
    *,
    game: Annotated[str, typer.Option(help="What is played; see `junto games`.")] = "napoleon-tw",
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as `min_bid=9`; repeatable.")] = None,
    strategy: Annotated[str, typer.Option(help="Which bot plays.")] = "pimc",
    think: Annotated[float, typer.Option(help="Seconds that a bot thinks about a decision.", min=0.01, max=10)] = 0.15,
    seed: Annotated[int | None, typer.Option(help="Seed of the bots' randomness; the cards are always new.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Write the deals to this file, for `junto verify`.")] = None,
    deals: Annotated[int | None, typer.Option(help="How many deals; none: as the game needs.", min=1, max=20)] = None,
) -> None:
    """Play a deal with bots through the public API and tell its story: two where one leaves something for the next.

    Redis, Ray and the table service are started for it and stopped afterwards.
    """
    check_wish(game, option or [], strategy)
    from junto.cli.running import run  # noqa: PLC0415  # what cannot be is told before anything else is loaded
    from junto.cli.showing import Wish, show  # noqa: PLC0415

    began = time.monotonic()
    run(show(Wish(game, option or [], strategy, think, seed, replay, deals)))
    say(f"That took {time.monotonic() - began:.0f} s; everything is stopped.")

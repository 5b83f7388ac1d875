"""`junto tournament`: bots against bots, many deals, with honest statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from junto.cli.console import Failure

BAD_WISH: Final = 2
"""The exit code of what was asked for in vain: nothing was played."""
INTERRUPTED: Final = 130

tournament = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Have strategies play many deals.")


@tournament.command()
def run(
    *,
    spec: Annotated[Path | None, typer.Argument(help="A TOML file; what it says can be said by flags instead.")] = None,
    game: Annotated[str | None, typer.Option(help="What is played; see `junto games`.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as `min_bid=9`; repeatable.")] = None,
    strategies: Annotated[
        str | None,
        typer.Option(help="Who plays, as `greedy,pimc:iterations=100,./my_bot.py:Careful,grpc://127.0.0.1:7000`."),
    ] = None,
    deals: Annotated[
        int | None, typer.Option(help="How many deals; each is played in every seating.", min=1, show_default="100")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all deals; none: a new one, which is told.")] = None,
    format: Annotated[  # noqa: A002  # what it is called on the command line
        str | None, typer.Option(help="round_robin, head_to_head, gauntlet or ladder.")
    ] = None,
    at_a_table: Annotated[int | None, typer.Option(help="How many entrants meet in one line-up.")] = None,
    budgets: Annotated[
        str | None, typer.Option(help="For a ladder: the second strategy's budgets, as `seconds=0.01,seconds=0.1`.")
    ] = None,
    stop_difference: Annotated[
        float | None,
        typer.Option(help="For two: stop once it is decided whether the difference per deal is 0 or this."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="The chance of finding a difference that is not there.", show_default="0.05")
    ] = None,
    beta: Annotated[float | None, typer.Option(help="The chance of missing one that is.", show_default="0.05")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder of the results, which may have been begun; none: tournament-GAME-SEED."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            help="How many processes play; none: one for each CPU; 0: this one alone, without Ray.", min=0, max=4096
        ),
    ] = None,
) -> None:
    """Play a tournament, or go on with one.

    Ray is started on this machine unless RAY_ADDRESS names a cluster.

    The folder then holds spec.toml, deals.parquet, standings.json and report.html. Exit code 0: it is over; 2: it
    cannot be played as asked; 130: it was interrupted, and can be gone on with.
    """
    from junto.cli.tournament_wishes import Flags, wished  # noqa: PLC0415  # `--help` need not load the arena

    flags = Flags(
        game=game,
        option=option or None,
        strategies=strategies,
        deals=deals,
        seed=seed,
        format=format,
        at_a_table=at_a_table,
        budgets=budgets,
        stop_difference=stop_difference,
        alpha=alpha,
        beta=beta,
    )
    asked = wished(spec, flags)
    from junto.cli.tournament_run import default_folder, play  # noqa: PLC0415  # it takes seconds to load

    raise typer.Exit(play(asked, out or default_folder(asked), workers))


@tournament.command()
def resume(
    folder: Annotated[Path, typer.Argument(help="The folder of the results.")],
    workers: Annotated[
        int | None,
        typer.Option(
            help="How many processes play; none: one for each CPU; 0: this one alone, without Ray.", min=0, max=4096
        ),
    ] = None,
) -> None:
    """Go on with a tournament that was interrupted."""
    from junto.arena.errors import ArenaError  # noqa: PLC0415
    from junto.arena.journal import read  # noqa: PLC0415
    from junto.cli.tournament_run import play  # noqa: PLC0415

    try:
        with read(folder) as (spec, _):
            asked = spec
    except ArenaError as problem:
        raise Failure(str(problem), BAD_WISH) from None
    raise typer.Exit(play(asked, folder, workers))


@tournament.command()
def show(
    folder: Annotated[Path, typer.Argument(help="The folder of the results.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """Show how a tournament stands, also while it is played."""
    from junto.cli.tournament_show import show_folder  # noqa: PLC0415

    show_folder(folder, as_json=json)


@tournament.command()
def compare(
    first: Annotated[Path, typer.Argument(help="A folder of results.")],
    second: Annotated[Path, typer.Argument(help="Another one, of the same game.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show how much better each did in a second tournament.

    It is told deal by deal, if the deals are the same.
    """
    from junto.cli.tournament_show import compare_folders  # noqa: PLC0415

    compare_folders(first, second, as_json=json)

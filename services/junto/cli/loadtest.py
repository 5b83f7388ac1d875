"""`junto loadtest`: many tables and clients through the real API, and how the server bears them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from junto.cli.console import Failure
from junto.cli.wishes import BAD_WISH, check_options, check_wish
from junto.games.catalog import GAMES
from junto.load.profile import (
    Bots,
    Profile,
    Seating,
    Think,
    Unreadable,
    check_seating,
    quoted,
    read_duration,
    read_goal,
    read_seating,
    read_think,
    read_thinking,
)

Value = TypeVar("Value")
MOST_SEED: Final = (1 << 63) - 1
_MOST_DIGITS: Final = 5


def loadtest(
    *,
    tables: Annotated[int, typer.Option(help="How many tables are played at all the time.", min=1, max=100_000)] = 20,
    game: Annotated[str, typer.Option(help="What is played; see `junto games`.")] = "napoleon-tw",
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as `players=4`; repeatable.")] = None,
    clients: Annotated[
        str | None, typer.Option(help="Who sits at a table, as `human:1,bot:4`; none: one human, and bots.")
    ] = None,
    think: Annotated[str | None, typer.Option(help="How long people think, as `50ms..500ms`.")] = None,
    rate: Annotated[
        float | None,
        typer.Option(help="Moves of people per second, over all tables.", min=0.01, max=100_000),
    ] = None,
    duration: Annotated[str, typer.Option(help="How long is measured, as `60s` or `2m`; 24h at most.")] = "60s",
    warmup: Annotated[str, typer.Option(help="How long is played before that.")] = "2s",
    server: Annotated[str | None, typer.Option(help="HOST:PORT of a gRPC front; none: one is started for it.")] = None,
    tls: Annotated[bool, typer.Option("--tls", help="That server speaks TLS.")] = False,
    metrics: Annotated[
        list[str] | None, typer.Option(help="URL of metrics of that server's processes; repeatable.")
    ] = None,
    bot: Annotated[str, typer.Option(help="Which bot has the seats that no human has.")] = "greedy",
    bot_time: Annotated[str, typer.Option(help="How long a bot may think about a move; 60s at most.")] = "10ms",
    deals: Annotated[int, typer.Option(help="Deals of a match; then a new table is opened.", min=1, max=1000)] = 1,
    spectators: Annotated[
        int, typer.Option(help="One table in so many has a spectator; 0: none.", min=0, max=100_000)
    ] = 10,
    processes: Annotated[int, typer.Option(help="How many processes generate the load.", min=1, max=64)] = 1,
    ramp: Annotated[bool, typer.Option("--ramp", help="Find the highest rate that keeps --goal.")] = False,
    goal: Annotated[str, typer.Option(help="Latency to keep, until all have seen a move.")] = "p99=100ms",
    step: Annotated[str, typer.Option(help="How long a step of the ramp is measured.")] = "10s",
    compare: Annotated[str | None, typer.Option(help="Bots to load the server with in turn, as `greedy,pimc`.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of arrivals, think times and moves.", min=0, max=MOST_SEED)] = 1,
    out: Annotated[Path | None, typer.Option(help="Write loadtest.json and loadtest.html to this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON to standard output.")] = False,
) -> None:
    """Load a server with many tables through its API, and measure how it bears it.

    People are clients of the API; each watches its table. Moves are meant for moments that do not wait for the server:
    they arrive at a --rate, or every person keeps a pace of --think. Latencies count from these moments.

    Without --server, Redis, Ray and the table service are started for it and stopped afterwards.
    """
    strategies = _strategies(compare, bot)
    for strategy in strategies:
        check_wish(game, option or [], strategy)
    options = check_options(GAMES[game], option or [])
    playing = GAMES[game](options)
    seating = Seating(1, playing.seats - 1) if clients is None else _read("--clients", read_seating, clients)
    _read("--clients", lambda seats: check_seating(seats, playing), seating)
    if rate is None and ramp:
        raise Failure("--ramp: say with --rate where to begin, as --rate 20", BAD_WISH)
    if not ramp and goal != "p99=100ms":
        raise Failure("--goal: goes with --ramp alone", BAD_WISH)
    if server is None and (tls or metrics):
        raise Failure(f"{'--tls' if tls else '--metrics'}: goes with --server alone", BAD_WISH)
    if out is not None and out.exists() and not out.is_dir():
        raise Failure(f"--out: {out} is no folder", BAD_WISH)
    usual = Think() if rate is not None else Think(0.05, 0.5)
    profile = Profile(
        game=game,
        seating=seating,
        bots=Bots(strategies[0], _read("--bot-time", read_thinking, bot_time)),
        options=options,
        tables=tables,
        deals=deals,
        think=usual if think is None else _read("--think", read_think, think),
        rate=rate,
        duration_s=_read("--duration", read_duration, duration),
        warmup_s=_read("--warmup", read_duration, warmup),
        spectator_every=spectators,
        seed=seed,
    )
    wanted_goal = _read("--goal", read_goal, goal) if ramp else None
    step_s = _read("--step", read_duration, step)
    if server is not None:
        _read("--server", check_address, server)
    from junto.cli.loading import Wish, load  # noqa: PLC0415  # what cannot be is told before the rest is loaded
    from junto.cli.running import run  # noqa: PLC0415

    wish = Wish(
        profile, strategies, server, tls, tuple(metrics or ()), processes, wanted_goal, step_s, out, as_json=as_json
    )
    raise typer.Exit(run(load(wish)))


def check_address(text: str) -> None:
    """Check that a text may be a host and a port.

    Raises:
        Unreadable: it cannot.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or len(port) > _MOST_DIGITS or not 0 < int(port) < 65536:
        raise Unreadable(f"{quoted(text)} is no HOST:PORT, as 127.0.0.1:50051")


def _read(flag: str, reader: Callable[[str], Value] | Callable[[Seating], Value], text: object) -> Value:
    try:
        return reader(text)  # type: ignore[arg-type]
    except Unreadable as problem:
        raise Failure(f"{flag}: {problem}", BAD_WISH) from None


def _strategies(compare: str | None, bot: str) -> tuple[str, ...]:
    if compare is None:
        return (bot,)
    names = tuple(name.strip() for name in compare.split(",") if name.strip())
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise Failure(f"--compare: name two bots or more, each once, as greedy,pimc, not {compare!r}", BAD_WISH)
    return names

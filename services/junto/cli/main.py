"""The entry point of `junto`: which commands there are, and how their failures are told.

`junto --help` imports none of them, and `junto serve` imports no other: a command's module is loaded only
when it is the one that was asked for.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from junto.cli.console import Failure

COMMANDS: Final = {
    "demo": "Play one deal with bots through the public API and tell its story.",
    "play": "Play a seat in the terminal against bots.",
    "up": "Serve on this machine until stopped: Redis, Ray, a front and a steward.",
    "serve": "Run a front: the API, over gRPC and over Connect.",
    "steward": "Run a steward: bots, clocks and whatever else is due.",
    "games": "List the games, or the options of one.",
    "tournament": "Have strategies play many deals, and read the results.",
    "replay": "Show one deal of a tournament, or write it as a replay.",
    "verify": "Prove from a replay that its deals were the committed ones and every action legal.",
    "beliefs": "Show from a replay who suspected whom to be the hidden partner, and when he was given away.",
    "pbn": "Check boards of bridge in PBN files and write them; tell replays as such boards.",
    "conformance": "Check the rules against files of cases.",
    "warmup": "Compile the kernels, so that nothing has to be compiled later.",
    "loadtest": "Load a server with many tables through its API and measure how it bears it.",
    "config": "List every setting: its name, its value now, what it means.",
    "bench": "Run a benchmark of a source checkout.",
    "healthcheck": "Ask a front whether it is ready; for containers.",
}
"""Every command and what it does. The command `x` is `x` of `junto.cli.x`: a function, or a group of commands."""
HIDDEN: Final = {"organise": "Play the tournaments that nobody plays, then end. A steward runs this."}
"""Commands that processes of Junto run, and nobody else needs."""


def main() -> int:
    """Run `junto` with the process's arguments; return the exit code."""
    arguments = sys.argv[1:]
    try:
        application(arguments[0] if arguments else None)(arguments, prog_name="junto")
    except Failure as failure:
        print(f"junto: {failure}", file=sys.stderr)
        return failure.code
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output went away; there is nobody to tell
        return 1
    return 0


def application(chosen: str | None) -> typer.Typer:
    """Return the command line with the `chosen` command loaded and the others as entries of the help."""
    app = typer.Typer(
        name="junto",
        help="A game server for alliance card games: gRPC tables, state in Redis, bots that search on Ray.",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # the framed help takes half a second more
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name, meaning in (COMMANDS | HIDDEN).items():
        if name == chosen and isinstance(group := _load(name), typer.Typer):
            app.add_typer(group, name=name)
        else:
            command = _load(name) if name == chosen else _entry
            app.command(name, short_help=meaning, hidden=name in HIDDEN)(command)
    return app


def _load(name: str) -> Callable[..., Any]:
    command: Callable[..., Any] = getattr(importlib.import_module(f"junto.cli.{name}"), name)
    return command


def _entry() -> None:
    """Stand in the help for a command that was not asked for."""


def _show_version(asked: bool) -> None:
    if asked:
        print(f"junto {importlib.metadata.version('junto')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    del version  # told by its callback, before a command is asked for


if __name__ == "__main__":
    sys.exit(main())

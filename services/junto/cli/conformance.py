"""`junto conformance`: the rules against files of cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from junto.cli.console import say
from junto.games.conformance import run_files


def conformance(
    files: Annotated[list[Path], typer.Argument(help="Files of cases; a file's name is its game's.")],
) -> None:
    """Check the rules against files of cases.

    Names each case that failed, with what was expected and what came. Exit code 0: all passed; 1: some failed; 2: a
    file cannot be read, or a kind of case is unknown.
    """
    raise typer.Exit(run_files(files, say))

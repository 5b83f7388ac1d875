"""`junto verify`: a replay proved offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from junto.cli.console import Failure, say
from junto.cli.proof import Unproved, prove
from junto.wire.errors import ReplayUnreadable
from junto.wire.replays import read_replay_file

UNREADABLE: Final = 2


def verify(
    replay: Annotated[Path, typer.Argument(help="A file that holds a replay: JSON or binary.")],
) -> None:
    """Prove that a replay's deals were the committed ones and that every action was legal.

    It needs no server. Exit code 0: proved; 1: something does not hold; 2: the file cannot be read. What this does not
    prove (a server in league with a player) is said in docs/shuffle.md.
    """
    try:
        proof = list(prove(read_replay_file(replay)))
    except ReplayUnreadable as problem:
        raise Failure(str(problem), UNREADABLE) from None
    except Unproved as problem:
        raise Failure(f"{replay} does not hold: {problem}") from None
    for line in proof:
        say(line)

"""`junto beliefs`: the suspicion timeline of a replay's deals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from junto.cli.climbing_words import WIDTH
from junto.cli.console import Failure, console, say
from junto.cli.proof import Unproved
from junto.cli.suspicion import AskIn, Told, seat_names, tell
from junto.cli.suspicion_table import objects, table
from junto.cli.suspicion_words import knowing, opening, verdict
from junto.cli.waits import waiting
from junto.games.core import Deal
from junto.games.view import MatchView
from junto.search.suspicion import Ask, Beliefs, NoSuspicion, check_hidden
from junto.v1.replays_pb2 import Replay
from junto.wire.catalog import read_rules
from junto.wire.errors import ReplayUnreadable
from junto.wire.replays import read_replay_file, verify

NOTHING, BAD_WISH = 1, 2
"""Exit codes: there is no timeline to be shown; it was asked for what is not there."""
WORLDS: Final = 256
MOST_WORLDS: Final = 2_048
MOST_SEED: Final = (1 << 63) - 1


def beliefs(
    *,
    replay: Annotated[Path, typer.Argument(help="A file that holds a replay: JSON or binary.")],
    deal: Annotated[int | None, typer.Option(help="The number of one deal; none: all of them.")] = None,
    observer: Annotated[int | None, typer.Option(help="What one seat believed; none: all that had to guess.")] = None,
    every: Annotated[bool, typer.Option("--all", help="A line for every move, also if it changed nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each move, one a line.")] = False,
    worlds: Annotated[
        int, typer.Option(help="From how many worlds a seat's beliefs are made.", min=1, max=MOST_WORLDS)
    ] = WORLDS,
    seed: Annotated[int, typer.Option(help="The seed of these worlds.", min=0, max=MOST_SEED)] = 0,
) -> None:
    """Show who suspected whom to be the hidden partner, after every move, and the move that gave him away.

    What bots reported with their decisions is taken as they reported it; for all other seats and moves the search is
    asked what it would believe, knowing what that seat knew. Exit code 0: shown; 1: no partner was hidden, or something
    does not hold; 2: the file cannot be read, or has no such deal or seat.
    """
    try:
        read = read_replay_file(replay)
        verify(read)
        told = _told(read, deal, observer, _asking(worlds, seed))
        shown = [_show(one, observer, every=every, as_json=as_json) for one in told]
    except ReplayUnreadable as problem:
        raise Failure(str(problem), BAD_WISH) from None
    except Unproved as problem:
        raise Failure(f"{replay} does not hold: {problem}") from None
    if not any(shown):
        raise typer.Exit(NOTHING)


def _told(replay: Replay, deal: int | None, observer: int | None, ask_in: AskIn) -> Iterator[Told | str]:
    """Yield the wanted deals of a replay, or why there is nothing to tell of one.

    Raises:
        Failure: there is no such deal or seat, or no partner is hidden in the game.
        NotVerified, WireError: a deal does not hold.
    """
    numbers = [record.number for record in replay.deals]
    if deal is not None and deal not in numbers:
        raise Failure(f"there is no deal {deal} in it; there are {', '.join(map(str, numbers)) or 'none'}", BAD_WISH)
    try:
        check_hidden(read_rules(replay.rules))
    except NoSuspicion as reason:
        raise Failure(str(reason), NOTHING) from None
    if not numbers:
        raise Failure("there is no finished deal in it", NOTHING)
    names = seat_names(replay)
    if observer is not None and observer not in range(len(names)):
        raise Failure(f"there is no seat {observer}; there are 0 to {len(names) - 1}", BAD_WISH)
    for record in replay.deals:
        if deal in (None, record.number):
            try:
                with _patience():
                    told = tell(replay, record, names, ask_in)
                yield told
            except NoSuspicion as reason:
                yield f"Deal {record.number}: {reason}."


def _patience() -> AbstractContextManager[object]:
    """Show on a terminal that the search is asked, which can take seconds; elsewhere nothing but the answer is told."""
    return waiting("asking the search what each seat believed") if console().is_terminal else nullcontext()


def _asking(worlds: int, seed: int) -> AskIn:
    """Return how what was not reported is asked for: of the search, from so many worlds."""
    from junto.search.beliefs import beliefs_of, view_of  # noqa: PLC0415  # the search takes seconds to load

    def ask_in(match: MatchView) -> Ask:
        def ask(deal: Deal, seat: int) -> Beliefs:
            return beliefs_of(view_of(deal, seat, match), worlds, seed)

        return ask

    return ask_in


def _show(told: Told | str, observer: int | None, *, every: bool, as_json: bool) -> bool:
    """Print a deal's timeline; tell whether there was one."""
    if isinstance(told, str):
        typer.echo(told, err=as_json)
        return False
    if as_json:
        for line in objects(told):
            typer.echo(line)
        return True
    say(opening(told))
    if observer is not None:
        say(f"What {told.names[observer]} believed{knowing(told, observer)}:")
    screen = Console(highlight=False, emoji=False, width=None if console().is_terminal else WIDTH)
    screen.print(table(told, observer, whole=every))
    for line in verdict(told):
        say(line)
    say()
    return True

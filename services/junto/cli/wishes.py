"""What is wished for on the command line, checked before anything is started: game, options, strategy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from junto.cli.console import Failure
from junto.cli.strategies import strategy_names
from junto.games.catalog import GAMES
from junto.games.core import Game
from junto.games.options import Flag, Number, Option, OptionError, OptionValue
from junto.search.repertoire import plays

_MOST_DIGITS: Final = 20
BAD_WISH: Final = 2
"""The exit code of what was asked for in vain: nothing is broken then."""


def check_wish(game: str, options: Sequence[str], strategy: str) -> None:
    """Check that this Junto has the game, its options with these values, and a strategy that plays it.

    Raises:
        Failure: it has not; the message names what comes nearest.
    """
    if game not in GAMES:
        raise Failure(f"there is no game {game!r}; {nearest(game, sorted(GAMES))}", BAD_WISH)
    asked = GAMES[game]
    check_options(asked, options)
    known = [name for name in strategy_names() if plays(name, asked)]
    if strategy not in known:
        raise Failure(f"there is no strategy {strategy!r} for {game}; {nearest(strategy, known)}", BAD_WISH)


def check_options(game: type[Game], written: Sequence[str]) -> dict[str, OptionValue]:
    """Return a game's options that are written as `name=value`.

    Raises:
        Failure: the game has no such option, or it cannot have that value.
    """
    options = dict(_option(game, one) for one in written)
    try:
        game(options)
    except OptionError as refusal:
        raise Failure(f"{game.id}: {refusal}", BAD_WISH) from None
    return options


def table_of(game: type[Game], seats: int) -> list[str]:
    """Return the options of a table of so many, as they are written: none if the game is never played by others.

    Raises:
        Failure: it is not played by so many.
    """
    low, high = game.player_range
    if low <= seats <= high:
        return [f"players={seats}"] if low < high else []
    span = f"{low}" if low == high else f"{low} to {high}"
    raise Failure(f"{game.id} is played by {span}, not by {seats}", BAD_WISH)


def nearest(word: str, words: Iterable[str]) -> str:
    """Return which of some words may be meant; all of them, if none is near."""
    known = list(words)
    close = get_close_matches(word, known)
    return f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"


def _option(game: type[Game], written: str) -> tuple[str, OptionValue]:
    """Return an option that is written as `name=value`.

    Raises:
        Failure: the game has no such option, or the value is not of its kind.
    """
    name, _, value = written.partition("=")
    known = {option.name: option for option in game.options_schema}
    if name not in known:
        hint = nearest(name, known)
        raise Failure(f"{game.id} has no option {name!r}; {hint} (`junto games {game.id}` lists them)", BAD_WISH)
    return name, _value(known[name], value)


def _value(option: Option, written: str) -> OptionValue:
    match option.kind:
        case Flag() if written in {"true", "false"}:
            return written == "true"
        case Number() if written.removeprefix("-").isdecimal() and len(written) <= _MOST_DIGITS:
            return int(written)
        case Flag() | Number():
            raise Failure(f"{option.name} must be {option.kind}, not {written!r}", BAD_WISH)
        case words:
            if not words.check(written):
                raise Failure(f"{option.name} cannot be {written!r}; {nearest(written, words.words)}", BAD_WISH)
            return written

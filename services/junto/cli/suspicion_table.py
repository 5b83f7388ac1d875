"""The suspicion timeline of a deal as a table, and as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from junto.cli.suspicion import Told
from junto.games.actions import text
from junto.search.suspicion import Moment, chance_of

_SHADES: Final = " ▁▂▃▄▅▆▇█"
_STYLES: Final = ((0.75, "bold red"), (0.5, "red"), (0.25, "yellow"), (0.0, "dim"))
LEAST_CHANGE: Final = 0.02
"""A move after which no column has changed by more than this since the last line has no line of its own."""
_DIGITS: Final = 4
_WIDTH: Final = 6
"""How wide a column of chances is at least."""


def table(told: Told, observer: int | None = None, *, whole: bool = False) -> Table:
    """Return the timeline as a table: a line for each move that changed something (`whole`: for every move).

    Columns are the seats as all suspect them that have to guess, on average; or as one `observer` does.
    """
    columns = _columns(told, observer)
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    drawn.add_column(told.unit, no_wrap=True)
    drawn.add_column("move")
    for seat in columns:
        name = "nobody" if seat is None else told.names[seat]
        drawn.add_column(name, no_wrap=True, justify="right", min_width=min(len(name), _WIDTH))
    drawn.add_column("", no_wrap=True)
    last, at = list[float | None](), 0
    for index, moment in enumerate(told.timeline.moments):
        chances = [_chance(told, moment, observer, seat) for seat in columns]
        marks = _marks(told, index, moment, observer)
        if whole or marks or _changed(last, chances):
            number = str(moment.round) if moment.round != at else ""
            last, at = chances, moment.round
            drawn.add_row(number, told.said(moment.done), *map(_cell, chances), marks)
        if index == told.timeline.certain and not whole:
            break
    return drawn


def _columns(told: Told, observer: int | None) -> list[int | None]:
    """Return whom a table has columns for: all that can be a partner, and None for nobody."""
    seats = range(len(told.names))
    return [*(seat for seat in seats if seat not in (told.timeline.declarer, observer)), None]


def _chance(told: Told, moment: Moment, observer: int | None, seat: int | None) -> float | None:
    if observer is None:
        return told.timeline.suspected(moment, seat)
    believed = moment.believed[observer]
    return None if believed is None else chance_of(believed, seat)


def _changed(last: Sequence[float | None], now: Sequence[float | None]) -> bool:
    return not last or any(
        (one is None) != (other is None) or (one is not None and other is not None and abs(one - other) >= LEAST_CHANGE)
        for one, other in zip(last, now, strict=True)
    )


def _cell(chance: float | None) -> Text:
    """Return a chance as a shade and per cent."""
    if chance is None:
        return Text("?")
    style = next(style for least, style in _STYLES if chance >= least)
    return Text(f"{_shade(chance)}{chance:5.0%}", style)


def _shade(chance: float) -> str:
    return _SHADES[round(chance * (len(_SHADES) - 1))] if _has_shades() else ""


@cache
def _has_shades() -> bool:
    try:
        _SHADES.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _marks(told: Told, index: int, moment: Moment, observer: int | None) -> str:
    """Return what there is to say of a moment: what it did to the secret, and whose word its numbers are."""
    marks = []
    if index == told.timeline.gave_away:
        marks.append("given away")
    if index == told.timeline.certain:
        marks.append("certain")
    if observer is not None and (believed := moment.believed[observer]) is not None and believed.recorded:
        marks.append("recorded")
    return ", ".join(marks)


def objects(told: Told) -> Iterator[str]:
    """Yield the timeline as JSON, an object for each move, see `docs/beliefs.md`."""
    for index, moment in enumerate(told.timeline.moments):
        yield json.dumps(_object(told, index, moment))


def _object(told: Told, index: int, moment: Moment) -> dict[str, Any]:
    line = told.timeline
    return {
        "deal": told.number,
        "move": moment.number,
        told.unit: moment.round,
        "seat": moment.done.seat,
        "action": text(moment.done.action),
        "partners": list(line.partners),
        "observers": [
            {
                "seat": seat,
                "guesses": seat in line.guessing,
                "recorded": believed.recorded,
                "partner": [_number(chance) for chance in believed.partner],
                "alone": _number(believed.alone),
            }
            for seat, believed in enumerate(moment.believed)
            if believed is not None
        ],
        "suspected": [_number(line.suspected(moment, seat)) for seat in range(len(told.names))],
        "alone": _number(line.suspected(moment, None)),
        "truth": _number(line.given_to_truth(moment)),
        "log_odds": _number(moment.log_odds),
        "rise": _number(moment.rise),
        "gave_away": index == line.gave_away,
        "certain": index == line.certain,
    }


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)

"""Markdown tables, and the marks in them that a line below explains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

NOTHING: Final = "Not measured yet with this code."
SEVERAL, ENDED = "†", "‡"
"""Marks: results of so many states of the code, and of a run that ended when its question was decided."""
NOTES: Final = {
    SEVERAL: "from so many states of the code",
    ENDED: "ended as soon as it was decided, so what was asked for is told a little too large",
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with the notes to its marks; without a row it says so."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    if len(lines) <= 2:
        return NOTHING
    notes = [f"{mark}: {note}." for mark, note in NOTES.items() if any(mark in line for line in lines[2:])]
    return "\n\n".join(["\n".join(lines), *notes])

"""Write the strength page: its tables, between the comments that mark their places, and its plots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bench.strength.collection import Collection
from bench.strength.errors import MeasurementError
from bench.strength.printed import PRINTED
from bench.strength.tables import ALL


class NoPlace(MeasurementError):
    """The page has no place for a table."""


def write_report(folders: Sequence[Path], docs: Path) -> list[Path]:
    """Write the tables into the page `docs`.md and the plots into the folder `docs`; return the files.

    Raises:
        MeasurementError: there are no results, or no place for them.
    """
    from bench.strength.plots import write_plots  # noqa: PLC0415  # Matplotlib is needed for a report alone

    collection, page = Collection.of(folders), docs.with_suffix(".md")
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    for name, table in ALL.items():
        text = filled(text, name, table(collection))
    for name, printed in PRINTED.items():
        text = filled(text, name, printed(collection.figures))
    page.write_text(text, encoding="utf-8")
    return [page, *write_plots(collection, docs)]


def filled(text: str, name: str, table: str) -> str:
    """Return a page with a table in its place.

    Raises:
        NoPlace: there is none.
    """
    begin, end = f"<!-- strength:{name} -->", f"<!-- /strength:{name} -->"
    place = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not place.search(text):
        raise NoPlace(f"the page has no place for its table of {name}: {begin} and {end}")
    return place.sub(lambda _: f"{begin}\n{table}\n{end}", text, count=1)

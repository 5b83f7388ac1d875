"""The files of a results folder that follow from its records. Each is written aside first and then takes its name."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from junto.arena.errors import NoTournament
from junto.arena.plan import Plan
from junto.arena.records import SittingRecord
from junto.arena.report.parquet import write_deals
from junto.arena.statistics.standings import Standings
from junto.arena.statistics.standings_json import read_standings, standings_json
from junto.arena.statistics.tally import Tally

STANDINGS: Final = "standings.json"
DEALS: Final = "deals.parquet"


def write_results(folder: Path, plan: Plan, tally: Tally, records: Iterable[SittingRecord]) -> None:
    """Write what a tournament has come to. `records` are those that were tallied, in the same order."""
    with draft(folder / DEALS) as path:
        write_deals(path, plan, records)
    write_standings(folder, tally.standings())


def write_standings(folder: Path, standings: Standings) -> None:
    """Write the standings."""
    with draft(folder / STANDINGS) as path:
        path.write_text(json.dumps(standings_json(standings), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load_standings(folder: Path) -> Standings:
    """Read the standings of a folder.

    Raises:
        NoTournament: it holds none, or they cannot be read.
    """
    path = folder / STANDINGS
    try:
        return read_standings(json.loads(path.read_text(encoding="utf-8")))
    except OSError as problem:
        raise NoTournament(f"{path} cannot be read: {problem.strerror}") from None
    except ValueError as problem:
        raise NoTournament(f"{path}: {problem}") from None


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Yield where to write; afterwards it takes the place of `path`, unless writing it failed."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)

"""The files of a results folder that follow from its records. Each is written aside first and then takes its name."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from junto.arena.errors import NoTournament, SpecError
from junto.arena.journal import SPEC
from junto.arena.plan import Plan
from junto.arena.records import SittingRecord
from junto.arena.report.html import write_report
from junto.arena.report.parquet import read_deals, write_deals
from junto.arena.spec_files import read_spec
from junto.arena.statistics.standings import Standings
from junto.arena.statistics.standings_json import read_standings, standings_json
from junto.arena.statistics.tally import Tally
from junto.arena.versions import Versions, versions_of

STANDINGS: Final = "standings.json"
DEALS: Final = "deals.parquet"
REPORT: Final = "report.html"


def write_results(
    folder: Path, plan: Plan, tally: Tally, records: Iterable[SittingRecord], versions: Versions | None = None
) -> None:
    """Write what a tournament has come to.

    `records` are those that were tallied, in the same order; `versions` are what it was played with, if that is not
    what is installed now.
    """
    played_with, standings = versions or versions_of(plan.spec), tally.standings()
    with draft(folder / DEALS) as path:
        write_deals(path, plan, records)
    with draft(folder / REPORT) as path:
        write_report(path, plan, standings, played_with, folder)
    with draft(folder / STANDINGS) as path:
        path.write_text(results_text(standings, played_with), encoding="utf-8")


def results_text(standings: Standings, versions: Versions) -> str:
    """Return standings, and what they were played with, as JSON."""
    values = {**standings_json(standings), "versions": asdict(versions)}
    return json.dumps(values, ensure_ascii=True, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class Results:
    """What a folder holds of a tournament that was played."""

    folder: Path
    plan: Plan
    standings: Standings
    versions: Versions

    def deals(self) -> Iterator[tuple[SittingRecord, ...]]:
        """Yield the sittings of each deal, in order: who sat where, and what it came to.

        Raises:
            NoTournament: they cannot be read.
        """
        return read_deals(self.folder / DEALS, self.plan)


def load_results(folder: Path) -> Results:
    """Read what a folder holds.

    Raises:
        NoTournament: it holds no results, or they cannot be read.
    """
    path = folder / STANDINGS
    if not path.exists():
        raise NoTournament(f"{folder} holds no results of a tournament")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        standings, versions = read_standings(values), Versions(**values["versions"])
        return Results(folder, Plan(read_spec(folder / SPEC, needs_strategies=False)), standings, versions)
    except OSError as problem:
        raise NoTournament(f"{path} cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError) as problem:
        raise NoTournament(f"{path} cannot be read: {problem}") from None
    except SpecError as problem:
        raise NoTournament(str(problem)) from None


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Yield where to write; afterwards it takes the place of `path`, unless writing it failed."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)

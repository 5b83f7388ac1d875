"""What `junto tournament show` and `compare` print: the results of a folder, and of two side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from junto.arena.errors import ArenaError, NoTournament
from junto.arena.journal import JOURNAL, read
from junto.arena.plan import Plan
from junto.arena.report.comparing import Change, Comparison, Side, compare, comparison_json
from junto.arena.report.folder import STANDINGS, Results, load_results, results_text
from junto.arena.report.words import duration, plain
from junto.arena.running import Course
from junto.cli.console import Failure, console, say
from junto.cli.tournament_words import (
    figure,
    named,
    pairs_table,
    remarks,
    roles_table,
    standings_table,
)

NO_RESULTS = 2
"""The exit code where there is nothing to show, or nothing to compare."""


def show_folder(folder: Path, *, as_json: bool) -> None:
    """Print how the tournament of a folder stands.

    Raises:
        Failure: it holds none.
    """
    try:
        found = results_of(folder)
    except ArenaError as problem:
        raise Failure(str(problem), NO_RESULTS) from None
    if as_json:
        print(results_text(found.standings, found.versions), end="")
    else:
        _show(found)


def results_of(folder: Path) -> Results:
    """Return what a folder holds: the results of a tournament that is over, or how far another one is.

    Raises:
        ArenaError: it holds none.
    """
    if (folder / JOURNAL).is_file() and not (folder / STANDINGS).is_file():
        return _so_far(folder)
    found = load_results(folder)
    is_over = found.standings.stopped_early or found.standings.deals == found.standings.planned
    return found if is_over or not (folder / JOURNAL).is_file() else _so_far(folder)


def _so_far(folder: Path) -> Results:
    with read(folder) as (spec, journal):
        plan = Plan(spec)
        return Results(folder, plan, Course(plan, journal).tally.standings(), journal.versions)


def _show(found: Results) -> None:
    plan, standings = found.plan, found.standings
    if not standings.deals:
        raise Failure(f"{found.folder}: no deal is finished yet", NO_RESULTS)
    say(" ".join(_about(found)))
    console().print(standings_table(plan, standings))
    tables = [roles_table(plan, standings), pairs_table(standings)]
    for table in filter(None, tables):
        console().print(table)
    for line in remarks(found.folder, plan, standings):
        say(line)


def _about(found: Results) -> Iterator[str]:
    standings, spec = found.standings, found.plan.spec
    yield f"{spec.game}, {spec.format.value.replace('_', ' ')}:"
    of = f" of {standings.planned}" if standings.deals < standings.planned else ""
    yield f"{standings.deals}{of} deals, each played {found.plan.sittings_per_deal} times (seed {spec.seed})."
    yield f"Junto {found.versions.junto}, rules {found.versions.rules}."


def compare_folders(first: Path, second: Path, *, as_json: bool) -> None:
    """Print what became of the entrants of one folder in another.

    Raises:
        Failure: they cannot be compared.
    """
    try:
        found = compare(load_results(first), load_results(second))
    except NoTournament as problem:
        raise Failure(f"{problem}; `junto tournament run` writes its results at the end", NO_RESULTS) from None
    except ArenaError as problem:
        raise Failure(str(problem), NO_RESULTS) from None
    if as_json:
        print(json.dumps(comparison_json(found), indent=1))
    else:
        _tell(found)


def _tell(found: Comparison) -> None:
    for note in found.notes:
        say(note)
    if found.changes:
        console().print(comparison_table(found))
    for names, which in ((found.only_first, "first"), (found.only_second, "second")):
        if names:
            say(f"Only in the {which}: {', '.join(map(plain, names))}.")
    for change in found.changes:
        if change.is_another:
            say(f"{plain(change.name)} changed: {_version(change.first)}, then {_version(change.second)}.")


def _version(side: Side) -> str:
    return f"{plain(side.text)} ({plain(side.version) or 'no hash'})"


def comparison_table(found: Comparison) -> Table:
    """Return by how much each entrant did better in the second tournament."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("entrant", no_wrap=True)
    for heading in ("first", "second", "better, paired" if found.is_paired else "better, unpaired", "p99", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for change in found.changes:
        table.add_row(*_change(change))
    return table


def _change(change: Change) -> Iterator[Text]:
    first, second = change.first, change.second
    yield named(change.name)
    yield Text(f"{first.mean.value:+.2f}")
    yield Text(f"{second.mean.value:+.2f}")
    yield figure(change.difference)
    yield Text(f"{duration(first.times.p99_ms)} → {duration(second.times.p99_ms)}")
    yield Text(f"{first.faults} → {second.faults}", style="red" if second.faults > first.faults else "")

"""Standings of a tournament as tables and lines for a terminal, in which no name and no reason is obeyed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from junto.arena.plan import Plan
from junto.arena.report.words import duration, percent, plain, short
from junto.arena.spec import StopRule
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.sprt import Hypothesis, Verdict
from junto.arena.statistics.standings import FaultCount, Pairing, Standing, Standings

MOST_COLUMNS: Final = 6
"""So many entrants have a column in the table of pairs; the others have only a row."""
LONGEST: Final = 20
_NONE: Final = "-"


def standings_table(plan: Plan, standings: Standings) -> Table:
    """Return who is best, with how sure that is, and what it took."""
    among_field = plan.spec.format.has_field
    table = _table("", "entrant", "over the field" if among_field else "a deal")
    for heading in ("rating", "won", "p50", "p99", "late", "faults"):
        table.add_column(heading, justify="right", overflow="fold")
    for place, entry in enumerate(standings.entries, 1):
        table.add_row(str(place), *_standing(entry))
    return table


def _standing(entry: Standing) -> Iterator[Text]:
    yield named(entry.name)
    yield figure(entry.mean)
    yield Text(f"{entry.rating.mu:.1f} ±{2 * entry.rating.sigma:.1f}")
    yield Text(percent(entry.roles[0].won.value) if entry.roles else _NONE)
    yield Text(duration(entry.times.p50_ms) if entry.decisions else _NONE)
    yield Text(duration(entry.times.p99_ms) if entry.decisions else _NONE)
    for count in (entry.late, entry.failures()):
        yield Text(str(count) if count else _NONE, style="red" if count else "dim")


def roles_table(plan: Plan, standings: Standings) -> Table | None:
    """Return how often each entrant won in each role, and what it scored; None: the game has no roles."""
    roles = [role for role in plan.game.role_names if any(_in_role(entry, role) for entry in standings.entries)]
    if not roles:
        return None
    table = _table("", *(plan.game.role_names[role] for role in roles))
    for entry in standings.entries:
        table.add_row(named(entry.name), *(Text(_in_role(entry, role) or _NONE) for role in roles))
    return table


def _in_role(entry: Standing, role: object) -> str:
    found = next((held for held in entry.roles if held.role is role), None)
    return f"won {percent(found.won.value)} {shares(found.won)}, {found.mean.value:+.1f}" if found else ""


def pairs_table(standings: Standings) -> Table:
    """Return by how much each entrant was better than each other on the same deals."""
    columns = standings.entries[:MOST_COLUMNS]
    table = _table("better than", *(named(entry.name) for entry in columns))
    for entry in standings.entries:
        table.add_row(named(entry.name), *(_pair(entry.against(other.entrant)) for other in columns))
    return table


def _pair(pairing: Pairing | None) -> Text:
    if pairing is None:
        return Text("")
    return figure(pairing.difference)


def verdict_line(verdict: Verdict, names: tuple[str, str], rule: StopRule) -> str:
    """Return in words what a stop rule found."""
    found, not_found = rule.null, rule.difference
    if verdict.found is Hypothesis.DIFFERENCE:
        found, not_found = not_found, found
    return (
        f"Decided after {verdict.deals} deals: {names[0]} scores {found:g} a deal more than {names[1]} rather than "
        f"{not_found:g} (log likelihood ratio {verdict.log_ratio:.2f}, bounds {verdict.lower:.2f} and "
        f"{verdict.upper:.2f}). Figures after an early stop lean a little towards what was found."
    )


def remarks(folder: Path, plan: Plan, standings: Standings) -> Iterator[str]:
    """Yield what is to be said beside the tables: what a stop rule found, and who failed where."""
    if standings.verdict is not None and plan.spec.stop is not None:
        first, second = (plain(entrant.name) for entrant in plan.spec.entrants)
        yield verdict_line(standings.verdict, (first, second), plan.spec.stop)
    yield from fault_lines(folder, standings)


def fault_lines(folder: Path, standings: Standings) -> Iterator[str]:
    """Yield how each entrant failed, and where that can be seen again."""
    for entry in standings.entries:
        for fault in entry.faults:
            yield f"{plain(entry.name)}: {_fault(folder, fault)}"


def _fault(folder: Path, fault: FaultCount) -> str:
    first = fault.examples[0]
    where = f"junto replay {folder} --deal {first.deal} --sitting {first.sitting}"
    return f"{fault.count} {fault.failing.value}, first in seat {first.seat}: {plain(first.reason)} ({where})"


def margin(estimate: Estimate) -> str:
    """Return half of an interval."""
    ends = estimate.interval
    return f"±{(ends[1] - ends[0]) / 2:.2f}" if ends else ""


def shares(estimate: Estimate) -> str:
    """Return the ends of a share's interval."""
    ends = estimate.interval
    return f"({100 * ends[0]:.0f}-{100 * ends[1]:.0f})" if ends else ""


def named(name: str) -> Text:
    """Return an entrant's name, cut to what a table has room for."""
    return Text(short(plain(name), LONGEST), style="bold")


def figure(estimate: Estimate) -> Text:
    """Return a difference with half of its interval, in colour if it is clear."""
    style = ("green" if estimate.value > 0 else "red") if estimate.is_clear else ""
    figure = Text(f"{estimate.value:+.2f}", style=style)
    return figure.append(f" {margin(estimate)}".rstrip(), style="dim")


def _table(first: str, *others: str | Text) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column(first, justify="left" if first else "right", overflow="fold")
    for heading in others:
        table.add_column(heading, justify="left" if heading == "entrant" else "right", overflow="fold")
    return table

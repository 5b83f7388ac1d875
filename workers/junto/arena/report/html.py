"""The report: one HTML file with all that it needs, for people. It runs no script and fetches nothing.

Names, strategies and reasons are written by strangers: the template escapes all of them, and the page forbids scripts.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import partial
from math import ceil, log10
from pathlib import Path
from statistics import median
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from junto.arena.plan import FIELD, Plan
from junto.arena.report import drawings
from junto.arena.report.words import duration, percent, plain, short
from junto.arena.spec import Format
from junto.arena.spec_files import spec_text
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.sprt import Hypothesis
from junto.arena.statistics.standings import Example, Pairing, Standing, Standings
from junto.arena.versions import Versions
from junto.games.options import value_text
from junto.games.view import Role

ROLE_WIDTH: Final = 150
TIMES_WIDTH: Final = 480
LABEL: Final = 22
"""So many letters of a name are written beside a line or a dot."""
MOST_PAIRED: Final = 16
"""So many entrants, the best, are compared in pairs: more would not fit on a page."""
_TEMPLATES: Final = Path(__file__).with_name("templates")
_MOST_DIGITS: Final = 3
_MINUS: Final = "−"


def write_report(path: Path, plan: Plan, standings: Standings, versions: Versions, folder: Path) -> None:
    """Write the report of a tournament whose results are in a folder."""
    path.write_text(report(plan, standings, versions, folder), encoding="utf-8", errors="replace")


def report(plan: Plan, standings: Standings, versions: Versions, folder: Path) -> str:
    """Return the report as HTML."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = Figures(standings)
    environment.filters |= figures.filters()
    return environment.get_template("report.html.j2").render(_context(plan, standings, versions, folder, figures))


class Figures:
    """Writes figures with as many digits as their uncertainty leaves meaning."""

    def __init__(self, standings: Standings) -> None:
        halves = [(ends[1] - ends[0]) / 2 for entry in standings.entries if (ends := entry.mean.interval)]
        typical = median(halves) if halves else 0.0
        self._digits = min(max(ceil(-log10(typical)) + 1, 0), _MOST_DIGITS) if typical > 0.0 else 1

    def filters(self) -> dict[str, Any]:
        """Return what a template may call."""
        return {
            "signed": self.signed,
            "margin": self.margin,
            "ends": self.ends,
            "percent": percent,
            "percents": percents,
            "duration": duration,
            "plain": partial(plain, also="\n"),
            "short": partial(short, most=LABEL),
            "minus": minus,
        }

    def signed(self, value: float) -> str:
        """Return a difference with its sign."""
        return minus(f"{value:+,.{self._digits}f}")

    def margin(self, estimate: Estimate) -> str:
        """Return half of an interval."""
        ends = estimate.interval
        return f"± {(ends[1] - ends[0]) / 2:,.{self._digits}f}" if ends else ""

    def ends(self, estimate: Estimate) -> str:
        """Return both ends of an interval."""
        ends = estimate.interval
        return f"{self.signed(ends[0])} to {self.signed(ends[1])}" if ends else "too few deals for an interval"


def percents(estimate: Estimate) -> str:
    """Return the ends of a share's interval."""
    ends = estimate.interval
    return f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f} %" if ends else ""


def minus(number: str) -> str:
    """Return a number with a real minus."""
    return number.replace("-", _MINUS)


def _context(
    plan: Plan, standings: Standings, versions: Versions, folder: Path, figures: Figures
) -> Mapping[str, object]:
    entries = standings.entries
    return {
        "plan": plan,
        "spec": plan.spec,
        "standings": standings,
        "versions": versions,
        "headline": headline(standings, figures),
        "options": {name: value_text(value) for name, value in sorted(plan.game.options.items())},
        "spec_text": spec_text(plan.spec),
        "field": FIELD if plan.spec.format.has_field else None,
        "colours": drawings.colours(standings),
        "means": drawings.whiskers({entry.entrant: entry.mean for entry in entries}),
        "ratings": drawings.whiskers({entry.entrant: _rated(entry) for entry in entries}, zero=False),
        "roles": _roles(plan, standings),
        "paired": entries[:MOST_PAIRED],
        "tint": _tint(standings),
        "course": drawings.course(standings),
        "ladder": drawings.strength_by_time(standings) if plan.spec.format is Format.LADDER else None,
        "spans": drawings.spans(standings, TIMES_WIDTH),
        "outcomes": {outcome.name.lower(): count for outcome, count in standings.outcomes.items()},
        "found_null": standings.verdict is not None and standings.verdict.found is Hypothesis.NULL,
        "faults": sum(entry.failures() for entry in entries),
        "most_lines": drawings.MOST_LINES,
        "box": drawings,
        "replay": lambda example: replay(folder, example),
    }


def headline(standings: Standings, figures: Figures) -> str:
    """Return in a sentence who won, or that nobody clearly did."""
    if not standings.deals:
        return "Nothing has been played yet."
    first, second = standings.entries[0], standings.entries[1]
    ahead = first.against(second.entrant)
    assert ahead is not None
    by = f"{figures.signed(ahead.difference.value)} a deal {figures.margin(ahead.difference)}".strip()
    if ahead.difference.is_clear:
        return f"{first.name} is ahead of {second.name} by {by}, and that is more than luck."
    if not ahead.difference.interval:
        return f"{first.name} is ahead of {second.name} by {by}; so few deals tell nothing."
    others = sum(not _clearly_behind(first, entry) for entry in standings.entries[2:])
    them = f"the two apart, nor {others} more" if others else "the two apart"
    return f"{first.name} leads {second.name} by {by}, but {standings.deals:,} deals do not tell {them}."


def _clearly_behind(first: Standing, entry: Standing) -> bool:
    pairing = first.against(entry.entrant)
    return pairing is not None and pairing.difference.is_clear


def _rated(entry: Standing) -> Estimate:
    mu, sigma = entry.rating.mu, entry.rating.sigma
    return Estimate(mu, mu - 2 * sigma, mu + 2 * sigma, entry.deals)


def _roles(plan: Plan, standings: Standings) -> list[dict[str, object]]:
    """Return each role that somebody had, with the name that the game gives it, and how all did in it."""
    any_role: list[tuple[Role | None, str]] = [(None, "any seat")]
    return [
        found for role, name in [*any_role, *plan.game.role_names.items()] if (found := _role(role, name, standings))
    ]


def _role(role: Role | None, name: str, standings: Standings) -> dict[str, object] | None:
    held = {entry.entrant: found for entry in standings.entries for found in entry.roles if found.role is role}
    if not held:
        return None
    won = drawings.chances({who: found.won for who, found in held.items()}, ROLE_WIDTH)
    return {"name": name, "held": held, "won": won}


def _tint(standings: Standings) -> Any:
    """Return how strongly a pair's cell is coloured, in per cent: the greatest clear difference is the strongest."""
    clear = [
        abs(pair.difference.value) for entry in standings.entries for pair in entry.pairings if pair.difference.is_clear
    ]
    most = max(clear, default=1.0) or 1.0

    def tint(pairing: Pairing) -> int:
        return round(12 + 38 * abs(pairing.difference.value) / most) if pairing.difference.is_clear else 0

    return tint


def replay(folder: Path, example: Example) -> str:
    """Return the command that shows where a fault was."""
    return f"junto replay {shlex.quote(str(folder))} --deal {example.deal} --sitting {example.sitting}"

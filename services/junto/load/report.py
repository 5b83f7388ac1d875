"""The report of a load test: one HTML file with all that it needs. It runs no script and fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from junto.load import plots
from junto.load.judging import doubts
from junto.load.profile import QUANTILES, write_duration
from junto.load.results import Case
from junto.load.telling import LATENCIES, SHOWN, error_lines, figures, ramp_line

_TEMPLATES: Final = Path(__file__).with_name("templates")


def report(cases: Sequence[Case], about: Mapping[str, Any]) -> str:
    """Return the report of cases in which something was measured as HTML; `about` is when and where it was."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["duration"] = write_duration
    return environment.get_template("loadtest.html.j2").render(
        about=about,
        profile=cases[0].profile,
        columns=[dict(figures(case)) for case in cases],
        parts=[_part(case) for case in cases],
        latencies=LATENCIES,
        shown=[(name, QUANTILES[name]) for name in SHOWN],
        write_duration=write_duration,
    )


def _part(case: Case) -> dict[str, Any]:
    """Return what the page tells of one case. The plots are ours, and stand there as they are."""
    measured, salt = case.measured, case.profile.bots.strategy
    return {
        "case": case,
        "doubts": list(doubts(case)),
        "errors": list(error_lines(case)),
        "ramp_line": None if case.ramp is None else ramp_line(case.ramp),
        "curve": None if case.ramp is None else Markup(plots.curve(case.ramp, salt)),  # noqa: S704
        "plots": [
            ("Latency", Markup(plots.spread(measured, salt))),  # noqa: S704
            ("Latency by percentile", Markup(plots.tail(measured, salt))),  # noqa: S704
            ("Latency over time", Markup(plots.course(measured, salt))),  # noqa: S704
            ("Throughput and errors", Markup(plots.throughput(measured, salt))),  # noqa: S704
        ],
    }

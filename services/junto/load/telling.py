"""What a load test says on the terminal: one table of figures, all cases side by side, and the curve of a ramp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from junto.load.judging import limit_of
from junto.load.profile import write_duration
from junto.load.results import Case, Ramp

LATENCIES: Final = (
    ("replied", "to the reply"),
    ("seen", "seen by a watcher"),
    ("seen_by_all", "seen by all"),
    ("service", "from sending (a closed loop)"),
    ("turn_wait", "of it, waiting for a turn"),
    ("lateness", "of it, the generator's"),
    ("bot_turn", "a bot's turn"),
    ("opening", "a table's opening"),
)
"""The histograms that are told and what they are called."""
SHOWN: Final = ("p50", "p95", "p99", "max")
_SHARES: Final = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def latency_table(case: Case) -> Table:
    """Return the latencies of a case."""
    table = Table(title=f"Latency, {case.profile.bots.strategy}", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("")
    table.add_column("count", justify="right")
    for name in SHOWN:
        table.add_column(name, justify="right")
    for name, words in LATENCIES:
        times = case.measured.times[name]
        if times.count:
            quantiles = (write_duration(times.quantile(_SHARES[quantile])) for quantile in SHOWN)
            table.add_row(words, f"{times.count:,}", *quantiles)
    return table


def figures_table(cases: Sequence[Case]) -> Table:
    """Return all other figures, each case in a column of its own."""
    table = Table(title="Load", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("")
    for case in cases:
        table.add_column(case.profile.bots.strategy, justify="right")
    columns = [dict(figures(case)) for case in cases]
    for name in dict.fromkeys(name for column in columns for name in column):
        table.add_row(name, *(column.get(name, "") for column in columns))
    return table


def figures(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what each figure of a case is called, and itself."""
    measured, counts = case.measured, case.measured.counts
    yield "measured for", write_duration(measured.span_s)
    yield "moves of people", f"{measured.human_moves_per_s:.1f}/s"
    yield "moves of all", f"{measured.moves_per_s:.1f}/s"
    yield "deals played", f"{counts['deals']:,}"
    yield "failed calls", f"{sum(measured.errors.values()):,}"
    yield "moves never answered", f"{counts['unanswered']:,}"
    yield "failed or unanswered", f"{measured.error_share:.2%}"
    yield "streams cut", f"{sum(cut_streams(case).values()):,}, opened again {counts['reconnects']:,}"
    bots = measured.times["bot_turn"]
    if bots.count:
        yield "bot's turn p50, p99", _pair(bots.quantile(0.5), bots.quantile(0.99))
    yield from _said(case)
    yield "generator, busiest of " + str(len(measured.cpu_s)), f"{measured.busiest:.0%} of a core"
    if case.use is None:
        return
    for kind, use in case.use.parts.items():
        number = f" ({use.processes})" if use.processes > 1 else ""
        yield f"{kind}{number}", f"{use.cores:.2f} cores, {use.memory / 2**20:,.0f} MiB"
    yield "this machine", f"{case.use.machine:.0%} of {case.use.cores} cores"


def error_lines(case: Case) -> Iterator[str]:
    """Yield each kind of failed call and cut stream, and how often it came."""
    for name, count in Counter(case.measured.errors).most_common():
        yield f"{name}: {count:,}"
    for name, count in cut_streams(case).items():
        yield f"stream ended {name}: {count:,}"
    for name, count in Counter(case.elsewhere).most_common():
        yield f"{name}: {count:,} outside of the measured time"


def cut_streams(case: Case) -> dict[str, int]:
    """Return how often streams ended otherwise than with their match."""
    return {how: count for how, count in case.measured.ends.items() if how != "MATCH_OVER"}


def ramp_table(ramp: Ramp) -> Table:
    """Return the steps of a ramp by their rate."""
    table = Table(title=f"Ramp for {ramp.goal} (seen by all)", title_justify="left", box=SIMPLE_HEAD)
    for name in ("rate", "made", "p50", ramp.goal.name, "failed", "busiest", "kept"):
        table.add_column(name, justify="right", no_wrap=True)
    for step in sorted(ramp.steps, key=lambda step: step.rate):
        seen = step.measured.times["seen_by_all"]
        table.add_row(
            f"{step.rate:.1f}",
            f"{step.measured.human_moves_per_s:.1f}",
            *(write_duration(seen.quantile(share)) for share in (0.5, ramp.goal.quantile)),
            f"{step.measured.error_share:.2%}",
            "" if step.use is None or step.use.busiest is None else "{} {:.0%}".format(*step.use.busiest),
            "yes" if step.kept else f"no: {limit_of(step.measured, step.use)}",
        )
    return table


def ramp_line(ramp: Ramp) -> str:
    """Return the result of a ramp in one sentence."""
    highest, edge = ramp.found.highest, ramp.found.edge
    if highest is None:
        return f"{ramp.goal} was not kept at any rate that was tried, down to {edge:.3g} moves/s."
    beyond = "" if edge is None else f", and not at {edge:.1f}"
    return f"{ramp.goal} is kept at {highest:.1f} moves/s of people{beyond}."


def _said(case: Case) -> Iterator[tuple[str, str]]:
    if case.said is None or not case.said["has_steward"]:
        return
    said = case.said
    decisions = said["decisions"]
    yield "decisions", f"{sum(decisions.values()) / said['span_s']:.1f}/s"
    for name, count in decisions.items():
        if count and name != "answered":
            yield f"decisions {name}", f"{count:,}"
    yield "fallbacks", f"{said['fallbacks']:,}"
    for key, words in (("due_lag", "steward late"), ("queue_age", "queue of bots"), ("thinking", "worker thinks")):
        if said[key]["p99"] is not None:
            yield f"{words} p50, p99", f"up to {_pair(said[key]['p50'], said[key]['p99'])}"


def _pair(first_s: float, second_s: float) -> str:
    return f"{write_duration(first_s)}, {write_duration(second_s)}"

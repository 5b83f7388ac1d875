"""The plots of a load test's report, as SVG that can stand in a page.

Text stays text, and the colours are those of the page, light or dark. The `salt` of a plot keeps the names in it apart
from those in others of the same page.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from junto.load.histogram import Histogram
from junto.load.measuring import Measured, Second
from junto.load.results import Ramp

_INK: Final = {
    "#646b74": "var(--soft)", "#ebe8e1": "var(--grid)", "#2f6fd0": "var(--c0)", "#d9642b": "var(--c1)",
    "#1f9a6d": "var(--c2)", "#c9463d": "var(--bad)",
}  # fmt: skip
"""The colours that are drawn with, and what they are on the page."""
SOFT, GRID, BLUE, ORANGE, GREEN, RED = _INK
BINS_PER_DOUBLING: Final = 4
"""How many bars of the histogram there are from a time to twice that time."""
_STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none", "text.parse_math": False, "font.family": "sans-serif", "font.size": 10.0,
    "text.color": SOFT, "axes.edgecolor": GRID, "axes.labelcolor": SOFT, "xtick.color": SOFT, "ytick.color": SOFT,
    "axes.grid": True,
    "grid.color": GRID, "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "lines.linewidth": 2.0,
}  # fmt: skip


def spread(measured: Measured, salt: str) -> str:
    """Return how many moves took how long, from when they were meant to be made to the reply."""
    with _style(f"spread {salt}"):
        figure, axes = _figure("milliseconds to the reply", "moves")
        bars = sorted(_bars(measured.times["replied"]).items())
        edges = [_edge_ms(number) for number, _ in bars]
        widths = [_edge_ms(number + 1) - edge for (number, _), edge in zip(bars, edges, strict=True)]
        axes.bar(edges, [count for _, count in bars], widths, align="edge", color=BLUE, linewidth=0)
        if bars:
            axes.set_xscale("log")
            _plain(axes.xaxis)
        return _svg(figure)


def tail(measured: Measured, salt: str) -> str:
    """Return the latencies by how many moves were faster, and what a closed loop would have made of them."""
    with _style(f"tail {salt}"):
        figure, axes = _figure("of all moves", "milliseconds")
        shares = [0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9998]
        for name, words, colour in (
            ("seen_by_all", "seen by all", GREEN),
            ("replied", "to the reply", BLUE),
            ("service", "what a closed loop sees", ORANGE),
        ):
            times = measured.times[name]
            known = [share for share in shares if times.count * (1 - share) >= 1]
            milliseconds = [1e3 * times.quantile(share) for share in known]
            axes.plot([1 / (1 - share) for share in known], milliseconds, color=colour, label=words)
        axes.set_xscale("log")
        axes.set_xticks([1 / (1 - share) for share in (0.5, 0.9, 0.99, 0.999)], ["p50", "p90", "p99", "p99.9"])
        axes.minorticks_off()
        _logarithmic(axes)
        figure.legend(loc="outside upper left", ncols=3)
        return _svg(figure)


def course(measured: Measured, salt: str) -> str:
    """Return the latencies second by second, by when the moves were meant to be made."""
    with _style(f"course {salt}"):
        figure, axes = _figure("second", "milliseconds to the reply")
        numbers, seconds = _seconds(measured)
        for share, words, colour in ((1.0, "max", SOFT), (0.99, "p99", ORANGE), (0.5, "p50", BLUE)):
            quantiles = [
                1e3 * second.replied.quantile(share) if second.replied.count else math.nan for second in seconds
            ]
            axes.plot(numbers, quantiles, color=colour, label=words)
        _logarithmic(axes)
        figure.legend(loc="outside upper left", ncols=3)
        return _svg(figure)


def throughput(measured: Measured, salt: str) -> str:
    """Return how many moves were made in each second, and how many calls failed."""
    with _style(f"throughput {salt}"):
        figure, axes = _figure("second", "per second")
        numbers, seconds = _seconds(measured)
        everybody = [sum(second.counts[who] for who in ("player", "bot", "stand_in", "clock")) for second in seconds]
        axes.plot(numbers, everybody, color=SOFT, label="moves of all")
        axes.plot(numbers, [second.counts["done"] for second in seconds], color=BLUE, label="moves of people")
        axes.bar(numbers, [second.counts["errors"] for second in seconds], color=RED, label="errors", linewidth=0)
        axes.set_ylim(bottom=0)
        figure.legend(loc="outside upper left", ncols=3)
        return _svg(figure)


def curve(ramp: Ramp, salt: str) -> str:
    """Return the latencies of a ramp by the rate."""
    with _style(f"curve {salt}"):
        figure, axes = _figure("moves of people per second", "milliseconds until seen by all")
        steps = sorted(ramp.steps, key=lambda step: step.rate)
        rates = [step.rate for step in steps]
        for share, words, colour in ((0.5, "p50", BLUE), (ramp.goal.quantile, ramp.goal.name, ORANGE)):
            times = [1e3 * step.measured.times["seen_by_all"].quantile(share) for step in steps]
            axes.plot(rates, times, color=colour, label=words)
            missed = [(step.rate, took) for step, took in zip(steps, times, strict=True) if not step.kept]
            axes.plot([rate for rate, _ in missed], [took for _, took in missed], "o", color=RED)
        axes.axhline(1e3 * ramp.goal.within_s, color=SOFT, linestyle="--", linewidth=1.0)
        _logarithmic(axes)
        figure.legend(loc="outside upper left", ncols=3)
        return _svg(figure)


def _style(salt: str) -> AbstractContextManager[None]:
    """Draw in the style of the page."""
    return mpl.rc_context({**_STYLE, "svg.hashsalt": salt})


def _figure(across: str, upwards: str) -> tuple[Any, Any]:
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.set_xlabel(across)
    axes.set_ylabel(upwards)
    return figure, axes


def _logarithmic(axes: Any) -> None:
    """Let times be drawn by their logarithms, if there are any."""
    if any(moment > 0 for drawn in axes.lines for moment in drawn.get_ydata()):
        axes.set_yscale("log", nonpositive="mask")
        _plain(axes.yaxis)


def _plain(axis: Any) -> None:
    """Write numbers of a logarithmic axis as they are, not as powers: 1, 2, 5, 10 ..."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter("")


def _bars(times: Histogram) -> dict[int, int]:
    """Return the counts of the bars of a histogram, by the number of the bar."""
    bars: dict[int, int] = {}
    for begin_s, end_s, count in times.buckets():
        number = math.floor(BINS_PER_DOUBLING * math.log2(1e3 * math.sqrt(begin_s * end_s)))
        bars[number] = bars.get(number, 0) + count
    return bars


def _edge_ms(number: int) -> float:
    return float(2 ** (number / BINS_PER_DOUBLING))


def _seconds(measured: Measured) -> tuple[Iterable[int], Sequence[Second]]:
    """Return all whole seconds that were measured, also those in which nothing happened."""
    numbers = range(max(1, int(measured.span_s)))
    return numbers, [measured.seconds.get(number, Second()) for number in numbers]


def _svg(figure: Any) -> str:
    written = io.StringIO()
    figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = written.getvalue()
    for drawn, on_the_page in _INK.items():
        text = text.replace(drawn, on_the_page)
    return text[text.index("<svg") :]

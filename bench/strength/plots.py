"""The plots of the strength page, as SVG that is the same byte for byte for the same results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from bench.strength.collection import Collection
from bench.strength.summaries import gain
from bench.strength.tables import duration, player_in_words
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, PercentFormatter

from junto.arena.statistics.estimates import Estimate
from junto.games.catalog import GAMES

BLUE, ORANGE, GREY, INK = "#0072b2", "#d55e00", "#9a9a9a", "#333333"
"""Told apart by everybody (Okabe and Ito)."""
_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "junto", "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GREY, "axes.labelcolor": INK,
    "xtick.color": INK, "ytick.color": INK, "text.color": INK, "axes.grid": True, "grid.color": "#ececec",
    "axes.axisbelow": True, "legend.frameon": False, "figure.facecolor": "white",
}  # fmt: skip
_COLUMNS: Final = 5


def write_plots(collection: Collection, folder: Path) -> list[Path]:
    """Write the plots for which there are results; return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = (("curve", curve(collection)), ("gap", gap(collection)), ("beliefs", beliefs(collection)))
    return [_saved(figure, folder / f"{name}.svg") for name, figure in drawn if figure is not None]


def _saved(figure: Figure, path: Path) -> Path:
    with mpl.rc_context(_STYLE):
        figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")
    return path


def _multiples(number: int, height: float = 2.1) -> tuple[Figure, list[Any]]:
    """Return a figure with so many small plots, and these."""
    columns = min(_COLUMNS, number)
    rows = math.ceil(number / columns)
    figure = Figure(figsize=(2.2 * columns, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for spare in axes[number:]:
        spare.set_axis_off()
    return figure, axes


def _bars(estimates: Sequence[Estimate]) -> list[list[float]]:
    """Return how far the intervals reach below and above; a figure without one has no bar."""
    ends = [one.interval or (one.value, one.value) for one in estimates]
    return [
        [one.value - low for one, (low, _) in zip(estimates, ends, strict=True)],
        [high - one.value for one, (_, high) in zip(estimates, ends, strict=True)],
    ]


def curve(collection: Collection) -> Figure | None:
    """Draw strength against time: a small plot for each game."""
    curves = collection.curves
    if not curves:
        return None
    with mpl.rc_context(_STYLE):
        figure, axes = _multiples(len(curves))
        for axis, (game, points) in zip(axes, curves.items(), strict=False):
            seconds = [point[0] for point in points]
            told = [gain({player: results}, player) for _, player, results in points]
            axis.axhline(0.0, color=GREY, linewidth=0.8)
            axis.errorbar(
                seconds, [one.value for one in told], _bars(told), color=BLUE, marker="o", markersize=4, capsize=3
            )
            axis.set_xscale("log")
            axis.set_xlim(min(seconds) / 2, max(seconds) * 2)
            axis.xaxis.set_major_locator(FixedLocator(seconds))
            axis.xaxis.set_minor_locator(NullLocator())
            axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
            axis.set_title(GAMES[game].title)
        figure.supylabel("points a deal gained over the rules of thumb", fontsize=9)
        figure.supxlabel("time for a decision", fontsize=9)
    return figure


def gap(collection: Collection) -> Figure | None:
    """Draw how much of the gap to the player that sees all cards is closed: two bars for each game."""
    gaps = [one for one in collection.gaps if one.inferring.interval or one.plain.interval]
    if not gaps:
        return None
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.2, 0.9 + 0.62 * len(gaps)), layout="constrained")
        axis = figure.subplots()
        for shift, colour, label, told in (
            (-0.19, BLUE, "with inference", [one.inferring for one in gaps]),
            (0.19, ORANGE, "without", [one.plain for one in gaps]),
        ):
            places = [place + shift for place in range(len(gaps))]
            axis.barh(places, [one.value for one in told], 0.34, color=colour, label=label)
            axis.errorbar(
                [one.value for one in told], places, xerr=_bars(told), fmt="none", ecolor=INK, elinewidth=1, capsize=2
            )
        axis.axvline(0.0, color=INK, linewidth=0.8)
        axis.axvline(1.0, color=INK, linewidth=0.8, linestyle="--")
        axis.set_yticks(range(len(gaps)), list(_gap_labels(collection)))
        axis.invert_yaxis()
        axis.grid(visible=False, axis="y")
        axis.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axis.set_xlabel("share of the gap closed: 0 % plays by the rules of thumb, 100 % sees all cards")
        figure.legend(loc="outside upper right", ncols=2)
    return figure


def _gap_labels(collection: Collection) -> Iterator[str]:
    for one in collection.gaps:
        if one.inferring.interval or one.plain.interval:
            budget = player_in_words(f"pimc:{one.budget}").removeprefix("`pimc` ")
            yield f"{GAMES[one.game].title}, {budget}"


def beliefs(collection: Collection) -> Figure | None:
    """Draw the log loss of beliefs by trick or round beside a uniform guess: a small plot for each game and players."""
    told = collection.beliefs
    if not told:
        return None
    with mpl.rc_context(_STYLE):
        figure, axes = _multiples(len(told))
        for axis, one in zip(axes, told, strict=False):
            numbers = [number for number, row in one.by_number.items() if row[3] >= one.gained.deals]
            lines = (("uniform", GREY, 2), ("plain count", ORANGE, 1), ("believed", BLUE, 0))
            for label, colour, column in lines:
                losses = [one.by_number[number][column] for number in numbers]
                axis.plot(numbers, losses, color=colour, marker="o", markersize=3, label=label)
            axis.set_ylim(bottom=0.0)
            axis.annotate(
                "played by " + player_in_words(one.player).replace("`", ""), (0.0, 1.0), xycoords="axes fraction",
                xytext=(0, 2), textcoords="offset points", fontsize=7, color=GREY, annotation_clip=False,
            )  # fmt: skip
            axis.set_title(GAMES[one.game].title, pad=14)
        figure.supylabel("log loss", fontsize=9)
        figure.supxlabel("trick, or round", fontsize=9)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper right", ncols=3)
    return figure

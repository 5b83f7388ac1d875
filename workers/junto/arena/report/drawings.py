"""What the report draws, as pixels: a template turns these into SVG, so that no name is ever written unescaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from junto.arena.report.scales import Scale, Tick, around, log_around
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.standings import Standing, Standings, Waypoint

BAR_WIDTH: Final = 300
WIDTH, HEIGHT = 960, 340
LEFT, RIGHT, TOP, BOTTOM = 56, 780, 14, 306
MOST_LINES: Final = 8
"""So many entrants, the best, have a colour of their own and a line."""
_SETTLED: Final = 0.1
"""After this share of the deals the means are calm enough for the scale to be chosen by them."""
_LABEL_GAP: Final = 17.0


@dataclass(frozen=True, slots=True)
class Whisker:
    """A figure and its interval along a line."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Whiskers:
    """Figures of all entrants on one scale; `zero` is where nothing is, if it is in sight."""

    width: int
    marks: dict[int, Whisker]
    ticks: list[Tick]
    zero: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant's line and the band of its interval, as SVG points, and the label at its end."""

    name: str
    colour: int
    points: str
    band: str
    end: float
    label: float


@dataclass(frozen=True, slots=True)
class Dot:
    """An entrant at a point of a plane, with the ends of its interval upwards."""

    name: str
    colour: int
    x: float
    y: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Plane:
    """A drawing with two axes."""

    across: list[Tick]
    upwards: list[Tick]
    zero: float | None
    lines: tuple[Line, ...] = ()
    dots: tuple[Dot, ...] = ()
    path: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """How long an entrant's decisions took: median, 90th and 99th percentile, the longest."""

    p50: float
    p90: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class Spans:
    """Decision times of all entrants on one logarithmic scale."""

    width: int
    marks: dict[int, Span]
    ticks: list[Tick]


def colours(standings: Standings) -> dict[int, int]:
    """Return the colour of each entrant that has one, by number: in the order of the spec among the best."""
    best = sorted(entry.entrant for entry in standings.entries[:MOST_LINES])
    return {entrant: colour for colour, entrant in enumerate(best)}


def whiskers(estimates: dict[int, Estimate], width: int = BAR_WIDTH, *, zero: bool = True) -> Whiskers:
    """Return figures with their intervals."""
    ends = [end for estimate in estimates.values() for end in (estimate.interval or (estimate.value,))]
    scale = around(ends, 6, width - 6, zero=zero)
    marks = {who: _whisker(scale, found) for who, found in estimates.items()}
    return Whiskers(width, marks, scale.ticks(), scale.at(0.0) if zero else None)


def chances(estimates: dict[int, Estimate], width: int) -> Whiskers:
    """Return shares with their intervals, from nothing to all."""
    scale = Scale(0.0, 1.0, 4, width - 4)
    marks = {who: _whisker(scale, found) for who, found in estimates.items()}
    return Whiskers(width, marks, [Tick(scale.at(share), f"{100 * share:.0f} %") for share in (0, 0.5, 1)], None)


def _whisker(scale: Scale, estimate: Estimate) -> Whisker:
    ends = estimate.interval
    low, high = (scale.at(ends[0]), scale.at(ends[1])) if ends else (None, None)
    return Whisker(scale.at(estimate.value), low, high)


def course(standings: Standings) -> Plane | None:
    """Return how the means came about; None: too few deals."""
    points = [point for point in standings.course if point.halves]
    if len(points) < 2:
        return None
    colour_of = colours(standings)
    settled = [point for point in points if point.deals >= _SETTLED * standings.deals]
    upwards = around((end for point in settled for who in colour_of for end in _ends(point, who)), BOTTOM, TOP)
    across = Scale(points[0].deals, points[-1].deals, LEFT, RIGHT)
    lines = [_line(entry, colour_of[entry.entrant], points, across, upwards) for entry in _drawn(standings)]
    ends = spread([line.end for line in lines])
    labelled = tuple(
        Line(line.name, line.colour, line.points, line.band, line.end, end)
        for line, end in zip(lines, ends, strict=True)
    )
    return Plane(across.ticks(8), upwards.ticks(6), upwards.at(0), lines=labelled)


def _drawn(standings: Standings) -> tuple[Standing, ...]:
    return standings.entries[:MOST_LINES]


def _ends(point: Waypoint, entrant: int) -> tuple[float, float]:
    mean, half = point.means[entrant], point.halves[entrant]
    return mean - half, mean + half


def _line(entry: Standing, colour: int, points: Sequence[Waypoint], across: Scale, upwards: Scale) -> Line:
    who = entry.entrant
    path = [(across.at(point.deals), upwards.at(point.means[who])) for point in points]
    upper = [(across.at(point.deals), upwards.at(_ends(point, who)[1])) for point in points]
    lower = [(across.at(point.deals), upwards.at(_ends(point, who)[0])) for point in reversed(points)]
    return Line(entry.name, colour, _svg(path), _svg([*upper, *lower]), path[-1][1], path[-1][1])


def _svg(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def spread(heights: Sequence[float], gap: float = _LABEL_GAP) -> list[float]:
    """Return heights for labels: as near to those given as leaves a gap between any two."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = {which: heights[which] for which in order}
    for _ in heights:
        for above, below in pairwise(order):
            short = gap - (found[below] - found[above])
            if short > 0:
                found[above] -= short / 2
                found[below] += short / 2
    return [round(found[which], 1) for which in range(len(heights))]


def strength_by_time(standings: Standings) -> Plane | None:
    """Return strength against the mean time of a decision, for those that are measured; None: there are none."""
    entries = [entry for entry in standings.entries if entry.mean.interval and entry.decisions]
    entries.sort(key=_mean_ms)
    if len(entries) < 2 or _mean_ms(entries[0]) <= 0.0:
        return None
    ends = [end for entry in entries for end in entry.mean.interval or ()]
    across, upwards = log_around(map(_mean_ms, entries), LEFT, RIGHT), around(ends, BOTTOM, TOP)
    colour_of = colours(standings)
    dots = tuple(_dot(entry, colour_of.get(entry.entrant, 0), across, upwards) for entry in entries)
    return Plane(
        [Tick(tick.at, f"{tick.text} ms") for tick in across.ticks()],
        upwards.ticks(6),
        upwards.at(0),
        dots=dots,
        path=_svg([(dot.x, dot.y) for dot in dots]),
    )


def _mean_ms(entry: Standing) -> float:
    return 1000.0 * entry.times.total_s / entry.decisions


def _dot(entry: Standing, colour: int, across: Scale, upwards: Scale) -> Dot:
    found = _whisker(upwards, entry.mean)
    return Dot(entry.name, colour, across.at(_mean_ms(entry)), found.at, found.low, found.high)


def spans(standings: Standings, width: int) -> Spans:
    """Return how long decisions took."""
    timed = [entry for entry in standings.entries if entry.decisions]
    ends = [end for entry in timed for end in (entry.times.p50_ms, entry.times.max_ms)]
    scale = log_around(ends, 10, width - 10)
    floor = scale.low
    marks = {entry.entrant: Span(*(scale.at(max(floor, time)) for time in _percentiles(entry))) for entry in timed}
    return Spans(width, marks, [Tick(tick.at, f"{tick.text} ms") for tick in scale.ticks()])


def _percentiles(entry: Standing) -> tuple[float, float, float, float]:
    times = entry.times
    return times.p50_ms, times.p90_ms, times.p99_ms, times.max_ms

"""The tables of the strength page, in Markdown, from results alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from bench.strength.collection import Collection, log_ratio
from bench.strength.marks import ENDED, SEVERAL, table
from bench.strength.players import player_of
from bench.strength.store import Record
from bench.strength.summaries import codes_of, gain, is_decided, times_of
from bench.strength.truth import worlds_weighed
from bench.strength.units import BELIEFS, STRENGTH

from junto.arena.statistics.estimates import Estimate
from junto.games.catalog import GAMES


def duration(seconds: float) -> str:
    """Return a time for people: `50 ms`, `1 s`."""
    return f"{seconds:g} s" if seconds >= 1.0 else f"{seconds * 1e3:g} ms"


def player_in_words(text: str) -> str:
    """Return a player for people."""
    player = player_of(text)
    parts = [f"`{player.name}`"]
    if player.budget.time_s is not None:
        parts.append(duration(player.budget.time_s))
    elif player.name in {"pimc", "seeing"}:
        parts.append(f"{player.budget.iterations} worlds")
    if not player.infers:
        parts[-1] += ", no inference"
    if player.endings is not None:
        parts[-1] += f", playouts solved from {player.endings} cards on" if player.endings else ", no playout solved"
    return " ".join(parts)


def with_interval(estimate: Estimate, form: Callable[[float], str]) -> str:
    """Return a figure with its interval."""
    interval = estimate.interval
    return form(estimate.value) + (f" [{form(interval[0])}, {form(interval[1])}]" if interval else " [no interval]")


def _points(value: float) -> str:
    return f"{value:+.2f}"


def _percent(value: float) -> str:
    return f"{round(100 * value)} %"


def _loss(value: float) -> str:
    return f"{value:.3f}"


def _times(value: float) -> str:
    return f"{math.exp(value):.2f}"


def _deals(number: int, *results: Mapping[int, Record]) -> str:
    """Return a number of deals, with the marks of the results that a row is made of."""
    codes = len(codes_of({str(place): one for place, one in enumerate(results)}))
    marks = [f"{SEVERAL}{codes}"] if codes > 1 else []
    if any(map(is_decided, results)):
        marks.append(ENDED)
    return " ".join([f"{number:,}", *marks])


def gains(collection: Collection) -> str:
    """Return what each player gained, and among whom."""
    rows = []
    for spec, results in collection.measured(STRENGTH):
        gained = gain({spec.player: results}, spec.player)
        among = f"`{spec.baseline}`" + "".join(f", {name}={value}" for name, value in spec.options.items())
        points = with_interval(gained, _points)
        rows.append(
            (GAMES[spec.game].title, player_in_words(spec.player), among, points, _deals(gained.deals, results))
        )
    return table(("game", "player", "among", "points a deal gained", "deals"), rows)


def gap(collection: Collection) -> str:
    """Return the share of the gap between the rules of thumb and the player that sees all cards."""
    return table(
        ("game", "budget", "with inference", "without", "difference", "deals"),
        (
            (
                GAMES[one.game].title,
                player_in_words(f"pimc:{one.budget}").removeprefix("`pimc` "),
                with_interval(one.inferring, _percent),
                with_interval(one.plain, _percent),
                with_interval(one.difference, _percent),
                _deals(one.difference.deals, *one.results),
            )
            for one in collection.gaps
        ),
    )


def curve(collection: Collection) -> str:
    """Return what the search gains at each budget of time, a column for each."""
    curves = collection.curves
    budgets = sorted({seconds for points in curves.values() for seconds, _, _ in points})
    rows = []
    for game, points in curves.items():
        told = {seconds: gain({player: results}, player) for seconds, player, results in points}
        cells = [with_interval(told[budget], _points) if budget in told else "" for budget in budgets]
        rows.append(
            (
                GAMES[game].title,
                *cells,
                _deals(min(one.deals for one in told.values()), *(results for _, _, results in points)),
            )
        )
    return table(("game", *map(duration, budgets), "deals"), rows)


def beliefs(collection: Collection) -> str:
    """Return what beliefs were worth: log losses."""
    return table(
        ("game", "played by", "believed", "plain count", "uniform", "less than uniform", "deals"),
        (
            (
                GAMES[one.game].title,
                player_in_words(one.player),
                _loss(one.believed.value),
                _loss(one.counted.value),
                _loss(one.uniform.value),
                with_interval(one.gained, _loss),
                _deals(one.gained.deals, one.results),
            )
            for one in collection.beliefs
        ),
    )


def ratios(collection: Collection) -> str:
    """Return the true-state sampling ratios, and what they could be at most."""
    rows = []
    for spec, results in collection.measured(BELIEFS):
        told = log_ratio(results)
        rows.append(
            (
                GAMES[spec.game].title,
                player_in_words(spec.player),
                with_interval(told, _times),
                f"{worlds_weighed(GAMES[spec.game]) + 1:,}",
                _deals(told.deals, results),
            )
        )
    return table(("game", "played by", "true-state sampling ratio", "at most", "deals"), rows)


def times(collection: Collection) -> str:
    """Return how long decisions took."""
    rows = []
    for spec, results in collection.measured(STRENGTH):
        budget_s, told = player_of(spec.player).budget.time_s, times_of(results)
        if budget_s is not None:
            quantiles = [f"{told.quantile_s(share) * 1e3:.1f}" for share in (0.5, 0.99, 0.999)]
            within = f"{100 * told.share_in_time:.2f} %"
            worst = f"{told.worst_s * 1e3:.1f}"
            player = player_in_words(spec.player)
            rows.append((GAMES[spec.game].title, player, *quantiles, worst, within, _deals(told.decisions, results)))
    return table(("game", "player", "p50 ms", "p99", "p99.9", "worst", "within budget + 10 ms", "decisions"), rows)


ALL: Final[Mapping[str, Callable[[Collection], str]]] = {
    "gains": gains,
    "gap": gap,
    "curve": curve,
    "beliefs": beliefs,
    "ratios": ratios,
    "times": times,
}
"""Every table by the name of its place on the page."""

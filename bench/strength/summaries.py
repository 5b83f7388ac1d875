"""From results to figures: what a player gains, how much of the gap to the seeing player it closes, how fast it is."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from bench.strength.comparing import DECIDED, Found, paired_deals
from bench.strength.figures import mean_of, ratio_of
from bench.strength.players import player_of
from bench.strength.store import Record
from bench.strength.times import GRACE_S, Times

from junto.arena.statistics.estimates import Estimate


def gain_of(record: Record) -> float:
    """Return what a deal's candidate scored more than the baseline did in the same seat, the mean over the seats."""
    return statistics.fmean(own - other for own, other in zip(record["scores"], record["baseline"], strict=True))


def gains_of(results: Mapping[int, Record], deals: Sequence[int]) -> list[float]:
    """Return the gains in some deals, in their order."""
    return [gain_of(results[deal]) for deal in deals]


def times_of(results: Mapping[int, Record]) -> Times:
    """Return all decision times of a player."""
    return Times.of(record["times"] for record in results.values())


def share_closed(found: Found, player: str, above: str) -> Estimate:
    """Return which share of the gap from the baseline (0) to the player `above` (1) a player closes."""
    deals = paired_deals([found[player], found[above]])
    return ratio_of(gains_of(found[player], deals), gains_of(found[above], deals))


def share_between(found: Found, player: str, other: str, above: str) -> Estimate:
    """Return how much more of the gap a player closes than another, paired by deal."""
    deals = paired_deals([found[player], found[other], found[above]])
    ahead = [one - two for one, two in zip(*(gains_of(found[who], deals) for who in (player, other)), strict=True)]
    return ratio_of(ahead, gains_of(found[above], deals))


def gain(found: Found, player: str) -> Estimate:
    """Return what a player gains, in points a deal."""
    return mean_of(gains_of(found[player], paired_deals([found[player]])))


def codes_of(found: Found) -> set[str]:
    """Return the states of the code that the results come from."""
    return {record["code"] for results in found.values() for record in results.values()}


def is_decided(results: Mapping[int, Record]) -> bool:
    """Tell whether a run ended because what it asked was decided."""
    last = paired_deals([results])[-1:]
    return any(results[deal].get(DECIDED, False) for deal in last)


def figure(game: str, case: str, estimate: Estimate, unit: str) -> dict[str, Any]:
    """Return a figure as benchmarks print it."""
    interval = estimate.interval
    return {
        "bench": "strength",
        "game": game,
        "case": case,
        "value": round(estimate.value, 4),
        "unit": unit,
        "interval_95": None if interval is None else [round(end, 4) for end in interval],
        "deals": estimate.deals,
    }


def speed(results: Mapping[int, Record], player: str) -> dict[str, Any]:
    """Return how long a player's decisions took, and what a deal costs."""
    times = times_of(results)
    budget_s = player_of(player).budget.time_s
    searched = sum(record["searched"] for record in results.values())
    return {
        "decision_ms": {
            name: round(times.quantile_s(share) * 1e3, 2)
            for name, share in (("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999))
        }
        | {"worst": round(times.worst_s * 1e3, 2)},
        "decisions": times.decisions,
        **({} if budget_s is None else {f"within_{GRACE_S * 1e3:.0f}_ms_of_budget": round(times.share_in_time, 5)}),
        "worlds_a_search": round(sum(record["worlds"] for record in results.values()) / searched) if searched else 0,
        "cpu_s_a_deal": round(statistics.fmean(record["cpu_s"] for record in results.values()), 3),
    }

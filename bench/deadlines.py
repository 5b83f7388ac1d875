"""Whether decisions end in time: the whole way of a worker, bytes in and bytes out, under budgets of a few ms.

    python bench/deadlines.py [--game ID] [--ms 10 20 50 100] [--decisions 200] > results/deadlines.jsonl

One JSON object for each game and budget, then one for each budget of all games, and last one of all decisions: a share
of 99.9 % is told of thousands. `value` is the share of decisions that took the budget and 10 ms more at most, `late`
how many did not, `at_least` the lower end of the share's one-sided 95 % interval (Wilson); `p50_ms` to `max_ms` tell
by how much a decision's wall time passed its budget (less than nothing: it ended before). On a busy machine a decision
waits for a core: `cpu` is the share by this thread's CPU time, which nobody else can lengthen except by sharing a
core's caches, and `waited_ms` the longest time that one waited. `worst` names the three decisions that took the most
CPU time beyond the budget: their game, number and phase.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import time
from typing import NamedTuple

from _numbers import whole_number
from _positions import requests
from junto.games.catalog import GAMES
from junto.pool.decide import decide, warm_up
from junto.v1.strategies_pb2 import DecideRequest
from junto.wire.decisions import Limits, write_budget
from junto.wire.requests import read_request

ALLOWED_MS = 10
PLENTY_S = 60.0
SURE_Z = 1.645


class Took(NamedTuple):
    """By how much wall and CPU time of a decision passed its budget, in ms, and which one it was."""

    wall_ms: float
    cpu_ms: float
    game: str
    number: int
    request: bytes


def main() -> None:
    """Decide, print a JSON object for each game and budget, for each budget, and for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument("--ms", type=whole_number(1, 60_000), nargs="+", default=[10, 20, 50, 100], help="budgets")
    parser.add_argument("--decisions", type=whole_number(1, 10_000_000), default=200, help="of each game and budget")
    parser.add_argument("--strategy", default="pimc")
    options = parser.parse_args()
    warm_up()
    gc.freeze()
    games = options.game or list(GAMES)
    by_budget: dict[int, list[Took]] = {budget_ms: [] for budget_ms in options.ms}
    for game_id in games:
        for budget_ms in options.ms:
            took = decided(options.strategy, game_id, budget_ms, options.decisions)
            by_budget[budget_ms] += took
            say(game_id, f"{budget_ms} ms", took)
    everything = f"all {len(games)}"
    for budget_ms, pooled in by_budget.items():
        say(everything, f"{budget_ms} ms", pooled)
    say(everything, "all budgets", [one for pooled in by_budget.values() for one in pooled])


def decided(strategy_id: str, game_id: str, budget_ms: int, decisions: int) -> list[Took]:
    """Decide so often in a game, and return what that took."""
    asked = requests(game_id, write_budget(Limits(time_ms=budget_ms)), decisions)
    return [
        Took(*beyond(strategy_id, request, budget_ms), game_id, number, request) for number, request in enumerate(asked)
    ]


def beyond(strategy_id: str, request: bytes, budget_ms: int) -> tuple[float, float]:
    """Return by how much wall and CPU time of one decision pass its budget, ms."""
    wall, cpu = time.perf_counter(), time.thread_time()
    decide(strategy_id, request, PLENTY_S)
    return 1000 * (time.perf_counter() - wall) - budget_ms, 1000 * (time.thread_time() - cpu) - budget_ms


def say(game: str, case: str, took: list[Took]) -> None:
    """Print the figures of some decisions."""
    print(json.dumps(figure(game, case, took)), flush=True)


def figure(game: str, case: str, took: list[Took]) -> dict[str, object]:
    """Return the figures of some decisions."""
    walls = sorted(one.wall_ms for one in took)
    worst = sorted(took, key=lambda one: -one.cpu_ms)[:3]
    late = sum(wall > ALLOWED_MS for wall in walls)
    return {
        "bench": "deadlines",
        "game": game,
        "case": case,
        "value": share(walls),
        "unit": f"of decisions within {ALLOWED_MS} ms more",
        "late": late,
        "at_least": round(at_least(len(took) - late, len(took)), 5),
        "cpu": share([one.cpu_ms for one in took]),
        **{f"p{name}_ms": at(walls, float(name) / 100) for name in ("50", "99", "99.9")},
        "max_ms": round(walls[-1], 2),
        "max_cpu_ms": round(worst[0].cpu_ms, 2),
        "waited_ms": round(max(one.wall_ms - one.cpu_ms for one in took), 2),
        "worst": [f"{one.game} {one.number}: {phase(one.request)}" for one in worst],
        "decisions": len(took),
        "load": round(os.getloadavg()[0], 2),
    }


def share(beyond_ms: list[float]) -> float:
    """Return the share of decisions in time."""
    return round(sum(took <= ALLOWED_MS for took in beyond_ms) / len(beyond_ms), 5)


def at_least(in_time: int, decisions: int) -> float:
    """Return the lower end of the one-sided 95 % interval of a share, by Wilson."""
    z, share = SURE_Z, in_time / decisions
    half = z * math.sqrt(share * (1 - share) / decisions + z * z / (4 * decisions * decisions))
    return (share + z * z / (2 * decisions) - half) / (1 + z * z / decisions)


def at(ordered: list[float], fraction: float) -> float:
    """Return a quantile."""
    return round(ordered[min(len(ordered) - 1, int(fraction * len(ordered)))], 2)


def phase(request: bytes) -> str:
    """Return a position's phase and how many cards the seat holds."""
    view = read_request(DecideRequest.FromString(request))
    return f"{view.shared.phase.name.lower()}, {len(view.own.hand)} cards"


if __name__ == "__main__":
    main()

"""Whether decisions end in time: the whole way of a worker, bytes in and bytes out, under budgets of a few ms.

    python bench/deadlines.py [--game ID] [--ms 10 20 50 100] [--decisions 200]

One JSON object for each game and budget. `value` is the share of decisions that took the budget and 10 ms more at
most; `p50_ms` to `max_ms` tell by how much a decision's wall time passed its budget (less than nothing: it ended
before). On a busy machine a decision waits for a core: `cpu` is the share by this thread's CPU time, which nobody
else can lengthen except by sharing a core's caches, and `waited_ms` the longest time that one waited. `worst` names
the three decisions that took the most CPU time beyond the budget: their number and phase.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time

from _positions import requests
from junto.games.catalog import GAMES
from junto.pool.decide import decide, warm_up
from junto.v1.strategies_pb2 import DecideRequest
from junto.wire.decisions import Limits, write_budget
from junto.wire.requests import read_request

ALLOWED_MS = 10
PLENTY_S = 60.0
Took = tuple[float, float]
"""Wall and CPU time of a decision beyond its budget, ms."""


def main() -> None:
    """Decide, print a JSON object for each game and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument("--ms", type=int, nargs="+", default=[10, 20, 50, 100], help="budgets")
    parser.add_argument("--decisions", type=int, default=200, help="of each game and budget")
    parser.add_argument("--strategy", default="pimc")
    options = parser.parse_args()
    warm_up()
    gc.freeze()
    for game_id in options.game or GAMES:
        for budget_ms in options.ms:
            asked = requests(game_id, write_budget(Limits(time_ms=budget_ms)), options.decisions)
            took = [beyond(options.strategy, request, budget_ms) for request in asked]
            print(json.dumps(figure(game_id, budget_ms, took, asked)), flush=True)


def beyond(strategy_id: str, request: bytes, budget_ms: int) -> Took:
    """Return by how much one decision passes its budget."""
    wall, cpu = time.perf_counter(), time.thread_time()
    decide(strategy_id, request, PLENTY_S)
    return 1000 * (time.perf_counter() - wall) - budget_ms, 1000 * (time.thread_time() - cpu) - budget_ms


def figure(game_id: str, budget_ms: int, took: list[Took], asked: list[bytes]) -> dict[str, object]:
    """Return the figures of one game and budget."""
    walls = sorted(wall for wall, _ in took)
    by_cpu = sorted(range(len(took)), key=lambda number: -took[number][1])[:3]
    return {
        "bench": "deadlines",
        "game": game_id,
        "case": f"{budget_ms} ms",
        "value": share(walls),
        "unit": f"of decisions within {ALLOWED_MS} ms more",
        "cpu": share([cpu for _, cpu in took]),
        **{f"p{name}_ms": at(walls, float(name) / 100) for name in ("50", "99", "99.9")},
        "max_ms": round(walls[-1], 2),
        "max_cpu_ms": round(took[by_cpu[0]][1], 2),
        "waited_ms": round(max(wall - cpu for wall, cpu in took), 2),
        "worst": [f"{number} {phase(asked[number])}" for number in by_cpu],
        "decisions": len(took),
        "load": round(os.getloadavg()[0], 2),
    }


def share(beyond_ms: list[float]) -> float:
    """Return the share of decisions in time."""
    return round(sum(took <= ALLOWED_MS for took in beyond_ms) / len(beyond_ms), 5)


def at(ordered: list[float], fraction: float) -> float:
    """Return a quantile."""
    return round(ordered[min(len(ordered) - 1, int(fraction * len(ordered)))], 2)


def phase(request: bytes) -> str:
    """Return a position's phase and how many cards the seat holds."""
    view = read_request(DecideRequest.FromString(request))
    return f"{view.shared.phase.name.lower()}, {len(view.own.hand)} cards"


if __name__ == "__main__":
    main()

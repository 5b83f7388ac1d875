"""What the pool costs: the way to a worker and back, and decisions per second.

    python bench/pool.py [SECONDS]

Starts a local Ray with a worker for each core and asks for decisions that are trivial (the request comes
back) and real (`pimc` on a play of Taiwanese Napoleon, a fixed number of iterations). The bare calls, in this
process, take turns with those through the pool. `value` of an overhead is the difference of the medians, `p99`
that of the pool's 99th percentile from the bare median; `ratio` is what the pool keeps of the bare speed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

from _numbers import time_s
from junto.games.actions import Bid, Play
from junto.games.catalog import open_game
from junto.games.shuffle import DealSeed
from junto.pool import LocalRay, Pool, PoolSettings
from junto.pool.decide import decide as real_decide
from junto.pool.decide import warm_up
from junto.v1.strategies_pb2 import Budget
from junto.wire.requests import request_bytes

TRIVIAL = "trivial"
REAL = "pimc"
ITERATIONS = 20_000
TIME_S = 30.0
CALLERS = 48
DECISION = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"
Figure = dict[str, str | float]


def decide(strategy_id: str, request: bytes, time_left_s: float) -> bytes:
    """Decide: the function of the workers."""
    return request if strategy_id == TRIVIAL else real_decide(strategy_id, request, time_left_s)


def play_request() -> bytes:
    """Return the request for a play in the middle of a deal."""
    game, seats = open_game("napoleon-tw"), 5
    step = game.deal(game.new_match(), DealSeed(bytes(32), (b"",) * seats))
    while step.deal.shared.tricks is None or len(step.deal.shared.tricks.tricks) < 3:
        first = step.deal.shared.contract is None and not step.deal.shared.calls
        step = step.deal.apply(Bid(12) if first else step.deal.default_action())
    prompt = step.deal.prompt
    assert prompt is not None
    assert isinstance(step.deal.default_action(), Play)
    return request_bytes(step.deal.view(prompt.seat), DECISION, Budget(iterations=ITERATIONS, seed=1))


def game_of(strategy_id: str) -> Figure:
    """Return the game that a figure is about, if it is about one."""
    return {} if strategy_id == TRIVIAL else {"game": "napoleon-tw"}


async def timed_ms(call: Callable[[], Awaitable[object]]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    await call()
    return (time.perf_counter() - started) * 1000


async def overhead(pool: Pool, strategy_id: str, request: bytes, seconds: float) -> Figure:
    """Return what a decision through the pool takes longer than a bare one, callers coming one by one."""

    async def bare() -> None:
        decide(strategy_id, request, TIME_S)

    bare_ms: list[float] = []
    pool_ms: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(pool_ms) < 100:
        bare_ms.append(await timed_ms(bare))
        pool_ms.append(await timed_ms(lambda: pool.decide(strategy_id, request, TIME_S)))
    plain, through = statistics.median(bare_ms), statistics.quantiles(pool_ms, n=100)
    figure: Figure = {
        "bench": "pool",
        "case": f"overhead, {strategy_id}",
        "value": round(through[49] - plain, 3),
        "unit": "ms",
        "p99": round(through[98] - plain, 3),
        "bare_ms": round(plain, 3),
        "ratio": round(plain / through[49], 4),
        "decisions": len(pool_ms),
    }
    return figure | game_of(strategy_id)


async def throughput(pool: Pool, strategy_id: str, request: bytes, seconds: float, bare_ms: float) -> Figure:
    """Return the decisions per second for many callers at once."""
    until = time.perf_counter() + seconds
    done = 0

    async def caller() -> None:
        nonlocal done
        while time.perf_counter() < until:
            await pool.decide(strategy_id, request, TIME_S)
            done += 1

    started = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    per_second = done / (time.perf_counter() - started)
    bare_per_second = pool.settings.workers * 1000 / bare_ms
    figure: Figure = {
        "bench": "pool",
        "case": f"throughput, {strategy_id}",
        "value": round(per_second, 1),
        "unit": "decisions/s",
        "ratio": round(per_second / bare_per_second, 4),
        "workers": pool.settings.workers,
        "callers": CALLERS,
    }
    return figure | game_of(strategy_id)


async def measured(seconds: float) -> list[Figure]:
    """Return the figures."""
    requests = {TRIVIAL: bytes(2000), REAL: play_request()}
    settings = PoolSettings("pool:decide", "junto.pool.decide:warm_up", workers=os.cpu_count() or 1)
    figures: list[Figure] = []
    with LocalRay(env={"PYTHONPATH": str(Path(__file__).parent)}) as ray:
        assert ray.address
        async with await Pool.connect(ray.address, settings, ray.driver_env, within_s=300) as pool:
            await pool.warm(within_s=300)
            for name, request in requests.items():
                for _ in range(100):
                    await pool.decide(name, request, TIME_S)
                lone = await overhead(pool, name, request, seconds)
                figures += [lone, await throughput(pool, name, request, seconds, max(float(lone["bare_ms"]), 0.001))]
    return figures


def bench_pool(seconds: float) -> list[Figure]:
    """Return the figures; each takes about so many seconds, Ray's start comes on top."""
    warm_up()
    return uvloop.run(measured(seconds))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=time_s(3600.0), default=5.0, help="about so long for each figure")
    for figure in bench_pool(parser.parse_args().seconds):
        print(json.dumps(figure))


if __name__ == "__main__":
    main()

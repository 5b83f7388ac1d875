"""Worlds sampled per second and core: the hidden cards of a seat that decides, along deals by the rules of thumb.

`junto bench worlds --json`, of every trick-taking game, or `--game ID`. One JSON object a game: `value` worlds a
second, averaged over the decisions (each decision weighs the same); `count_us`, the microseconds for counting a
decision's worlds, median and 99th percentile; `ratio`, the time of a random playout from the deal to that of a
world. CPU time of this thread.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import numpy as np

from junto.games.catalog import GAMES, open_game
from junto.games.core import Deal
from junto.games.napoleon import NapoleonGame
from junto.games.shuffle import DealSeed
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.tricks.knowledge import knowledge_of
from junto.search.tricks.playouts import RandomDeals
from junto.search.worlds.sets import Worlds, draw_worlds

BATCH = 500


def main() -> None:
    """Measure and print one JSON object a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all trick-taking games if none is named")
    parser.add_argument("--deals", type=int, default=20)
    options = parser.parse_args()
    for game_id in options.game or [name for name, game in GAMES.items() if issubclass(game, TricksGame)]:
        measure(game_id, options.deals)


def measure(game_id: str, deals: int) -> None:
    """Measure one game."""
    game = open_game(game_id)
    assert isinstance(game, TricksGame)
    counting, drawing = [], []
    for number in range(deals):
        match = game.new_match().opened()
        deal: Deal = game.deal(match, DealSeed(number.to_bytes(32, "big"), (b"",) * game.seats)).deal
        while not deal.is_over:
            seat = deal.to_act
            assert seat is not None
            view = deal.view(seat)
            if deal.phase is Phase.PLAY or isinstance(game, NapoleonGame):
                known = knowledge_of(view)
                began = time.thread_time()
                worlds = known.worlds()
                counting.append(time.thread_time() - began)
                if isinstance(worlds, Worlds):
                    drawing.append(seconds(worlds) / BATCH)
            deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1)).action).deal
    mean = statistics.fmean(drawing[1:])
    percentiles = statistics.quantiles(counting[1:], n=100)
    figure = {
        "bench": "worlds",
        "game": game_id,
        "value": round(1 / mean),
        "unit": "worlds/s/core",
        "ratio": round(playout_seconds(game) / mean, 2),
        "count_us_median": round(percentiles[49] * 1e6),
        "count_us_p99": round(percentiles[98] * 1e6),
        "decisions": len(drawing) - 1,
    }
    print(json.dumps(figure), flush=True)


def seconds(worlds: Worlds) -> float:
    """Return the CPU seconds for a batch of worlds, at best."""
    hands = np.zeros(16, np.int64)
    best = float("inf")
    for seed in range(3):
        began = time.thread_time()
        draw_worlds(worlds, seed, BATCH, hands)
        best = min(best, time.thread_time() - began)
    return best


def playout_seconds(game: TricksGame) -> float:
    """Return the CPU seconds of one random playout from the deal, at best."""
    deals = RandomDeals.under(rules_of_deal(game.terms, 0, 12))
    deals.play(0, 1, noise=256)
    best = float("inf")
    for seed in range(5):
        began = time.thread_time()
        deals.play(seed, 20_000, noise=256)
        best = min(best, time.thread_time() - began)
    return best / 20_000


if __name__ == "__main__":
    main()

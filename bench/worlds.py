"""Worlds sampled per second and core: the hidden cards of a seat that decides, along deals by the rules of thumb.

    python bench/worlds.py [--game ID] [--check 1000000] > results/worlds.jsonl

One JSON object a game (`case` is `drawn`): `value` worlds a second, averaged over the decisions (each decision weighs
the same), and `slowest_ns`, the nanoseconds for one at the slowest decision; `count_us`, the microseconds for counting
a decision's worlds, median and 99th percentile; `ratio`, the time of a random playout from the deal to that of a world.
CPU time of this thread.

With `--check` as many worlds of all games together are replayed through the rules (`_impossible.py`), and one more JSON
object a game (`checked`) tells how many were `checked`; `value` is how many of them cannot be.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from _impossible import check, positions
from _numbers import whole_number
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Game
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.terms import rules_of_deal
from junto.search.climbing import knowledge as climbing
from junto.search.climbing.random_playouts import RandomClimbing
from junto.search.climbing.state import STATE, begin
from junto.search.tricks import knowledge as tricks
from junto.search.tricks.random_playouts import RANDOM, RandomDeals
from junto.search.worlds.counted import Counted
from junto.search.worlds.ranks import RankWorlds, count_rank_worlds, draw_rank_worlds
from junto.search.worlds.sets import Worlds, draw_worlds

BATCH = 500
ROUNDS = 5


def main() -> None:
    """Measure and print one JSON object a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=20)
    parser.add_argument(
        "--check", type=whole_number(0, 10_000_000), default=0, help="worlds of all games to replay through the rules"
    )
    options = parser.parse_args()
    games = options.game or list(GAMES)
    for game_id in games:
        measure(game_id, options.deals)
    if options.check:
        for game_id in games:
            print(json.dumps(checked(game_id, -(-options.check // len(games)))), flush=True)


def checked(game_id: str, wanted: int) -> dict[str, object]:
    """Return how many of about so many worlds of a game cannot be."""
    number, impossible = check(open_game(game_id), wanted)
    return {
        "bench": "worlds", "game": game_id, "case": "checked", "value": impossible, "unit": "impossible worlds",
        "checked": number,
    }  # fmt: skip


def measure(game_id: str, deals: int) -> None:
    """Measure one game."""
    game = open_game(game_id)
    counting, drawing = [], []
    for view in (position.view for position in positions(game, deals)):
        known = climbing.knowledge_of(view) if isinstance(game, ClimbingGame) else tricks.knowledge_of(view)
        began = time.thread_time()
        worlds = known.worlds()
        counting.append(time.thread_time() - began)
        if isinstance(worlds, Counted):
            drawing.append(seconds(worlds) / BATCH)
    mean = statistics.fmean(drawing[1:])
    percentiles = statistics.quantiles(counting[1:], n=100)
    figure = {
        "bench": "worlds",
        "game": game_id,
        "case": "drawn",
        "value": round(1 / mean),
        "unit": "worlds/s/core",
        "slowest_ns": round(max(drawing[1:]) * 1e9),
        "ratio": round(playout_seconds(game) / mean, 2),
        "count_us_median": round(percentiles[49] * 1e6),
        "count_us_p99": round(percentiles[98] * 1e6),
        "decisions": len(drawing) - 1,
    }
    print(json.dumps(figure), flush=True)


def seconds(worlds: Counted) -> float:
    """Return the CPU seconds for a batch of worlds, at best."""
    hands = np.zeros(16, np.int64)
    best = float("inf")
    for seed in range(3):
        began = time.thread_time()
        if isinstance(worlds, RankWorlds):
            draw_rank_worlds(worlds, seed, BATCH, hands.size)
        elif isinstance(worlds, Worlds):
            draw_worlds(worlds, seed, BATCH, hands)
        best = min(best, time.thread_time() - began)
    return best


def playout_seconds(game: Game) -> float:
    """Return the CPU seconds of one random playout from the deal, at best."""
    if isinstance(game, ClimbingGame):
        number, play = 200, climbing_deals(game, 200)
    else:
        assert isinstance(game, TricksGame)
        deals = RandomDeals.under(rules_of_deal(game.terms, 0, 12))
        deals.play(0, 1, noise=RANDOM)
        number, play = 20_000, lambda seed: deals.play(seed, 20_000, noise=RANDOM)
    best = float("inf")
    for seed in range(ROUNDS):
        began = time.thread_time()
        play(seed)
        best = min(best, time.thread_time() - began)
    return best / number


def climbing_deals(game: ClimbingGame, number: int) -> Callable[[int], object]:
    """Return what plays so many deals of a climbing game from its whole pack, shared out evenly, at random."""
    terms, seats, pack = game.terms.vector, game.seats, game.pack
    size = len(pack) // seats
    worlds = count_rank_worlds(pack, [0] * (seats + 1), [*[size] * seats, len(pack) - size * seats])
    dealt = np.array([worlds.sample(1, deal)[0] for deal in range(number)])
    begun = np.zeros((number, STATE), np.int64)
    for deal in range(number):
        begin(terms, begun[deal], dealt[deal], 0)
    playouts = RandomClimbing.under(terms, number)
    playouts.play(0, begun, dealt)
    return lambda seed: playouts.play(seed, begun, dealt)


if __name__ == "__main__":
    main()

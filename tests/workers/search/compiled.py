"""Warm up, play a deal of every game with the bots that search, and print what was compiled after the warm-up."""

from __future__ import annotations

from numba.core import event

from junto.games import jit
from junto.games.catalog import GAMES
from junto.games.core import Deal
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy, pimc_strategy

ONCE = Budget(iterations=1, seed=1)


def play(game_id: str) -> None:
    """Play a deal: the first seat searches, the others go by the rules of thumb."""
    game = GAMES[game_id]()
    match = game.new_match().opened()
    deal: Deal = game.deal(match, DealSeed(bytes(SECRET_BYTES), (b"",) * game.seats)).deal
    while (seat := deal.to_act) is not None:
        strategy = greedy_strategy if seat else pimc_strategy
        deal = deal.apply(strategy.decide(deal.view(seat), ONCE).action).deal


def main() -> None:
    """See the module."""
    jit.warmup()
    with event.install_recorder("numba:compile") as recorder:
        for game_id in GAMES:
            play(game_id)
            for _, found in recorder.buffer:
                print(game_id, found.data["dispatcher"])
            recorder.buffer.clear()


if __name__ == "__main__":
    main()

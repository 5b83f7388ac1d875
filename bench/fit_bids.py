"""Fit what a Napoleon hand is worth (`WEIGHTS` in `junto.search.tricks.setup`) to playouts of random deals.

    python bench/fit_bids.py --players 5

One JSON object: the weights in hundredths of a court card, the standard deviation that is left, and for bids at
and above a hand's worth how often they are made and what they score on average.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
import numpy.typing as npt

from junto.games.napoleon_tw import NapoleonTw
from junto.games.tricks import kernel
from junto.games.tricks.terms import rules_of_deal
from junto.search.streams import start_stream
from junto.search.tricks import setup
from junto.search.tricks.playouts import deal_at_random
from junto.search.tricks.state import ABOVE, STATE

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]


def main() -> None:
    """Play, fit, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--forced-solo", action="store_true")
    parser.add_argument("--deals", type=int, default=40_000)
    options = parser.parse_args()
    game = NapoleonTw({"players": options.players, "forced_solo": options.forced_solo})
    features, captured = played(game, options.deals)
    weights, *_ = np.linalg.lstsq(features.astype(float), captured.astype(float), rcond=None)
    left = captured - features @ weights
    worth = features @ np.round(weights * 100) / 100
    figure = {
        "bench": "fit_bids",
        "game": game.id,
        "case": f"{options.players} players" + (", alone" if game.house.forced_solo else ""),
        "value": round(float(left.std()), 3),
        "unit": "court cards left unexplained",
        "weights": np.round(weights * 100).astype(int).tolist(),
        "bids": {str(above): bid_result(game, worth, captured, above) for above in (-1, 0, 1, 2)},
    }
    print(json.dumps(figure), flush=True)


def played(game: NapoleonTw, number: int) -> tuple[Matrix, Vector]:
    """Return features and captured court cards, less those put back, of so many deals; seat 0 is Napoleon."""
    house, seats = setup.house_vector(game.house), game.seats
    rules = rules_of_deal(game.house.terms, 0, kernel.NO_CARD)
    lengths = (kernel.RULES, ABOVE, STATE, 8, 8, setup.FEATURES)
    desk = [np.zeros(length, np.int64) for length in lengths]
    hands, stream, pack = np.zeros(seats + 1, np.int64), np.zeros(2, np.int64), np.arange(54)
    features, captured = np.zeros((number, setup.FEATURES), np.int64), np.zeros(number, np.int64)
    start_stream(stream, 1, 0, 0)
    for deal in range(number):
        deal_at_random(rules, hands, pack, stream)
        hand = int(hands[0])
        trump = setup.best_trump(house, desk[5], hand)
        setup.hand_features(features[deal], hand, trump)
        put_back = int(setup.choose_put_back(hand | int(hands[seats]), trump, game.house.kitty))
        captured[deal] = setup.finish_deal(house, hands, 0, 0, trump, put_back, -1, -1, 0, *desk, stream)  # type: ignore[call-arg]
        captured[deal] -= (put_back & kernel.COURT_CARDS).bit_count()
    return features, captured


def bid_result(game: NapoleonTw, worth: npt.NDArray[np.float64], captured: Vector, above: int) -> list[float]:
    """Return how often a bid of the whole number `above` a hand's worth is made, and what it scores."""
    bids = np.floor(worth + above).astype(int)
    holders = [0] if game.house.forced_solo else [1]
    scores = [game.house.scores(0, holders, int(bid), int(taken))[0] for bid, taken in zip(bids, captured, strict=True)]
    return [round(float((captured >= bids).mean()), 3), round(float(np.mean(scores)), 1)]


if __name__ == "__main__":
    main()

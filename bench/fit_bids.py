"""Fit what a hand is worth (`WEIGHTS` in `junto.search.tricks.setup`) to playouts of random deals.

    python bench/fit_bids.py --game napoleon-tw --option players=5

One JSON object: the weights in hundredths of a bidding step, the standard deviation that is left, and for bids at
and above a hand's worth (in steps) how often they are made and what they score on average.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
import numpy.typing as npt

from _numbers import whole_number
from junto.games.catalog import open_game
from junto.games.napoleon import NapoleonGame
from junto.games.options import OptionValue
from junto.games.tricks import kernel, scoring
from junto.games.tricks.terms import rules_of_deal
from junto.search.streams import start_stream
from junto.search.tricks import setup
from junto.search.tricks.random_playouts import deal_at_random
from junto.search.tricks.state import ABOVE, STATE

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
ABOVE_WORTH = (-3, -2, -1, 0, 1, 2)


def main() -> None:
    """Play, fit, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=40_000)
    options = parser.parse_args()
    game = open_game(options.game, dict(map(option, options.option)))
    assert isinstance(game, NapoleonGame)
    features, captured = played(game, options.deals)
    steps = captured / game.house.bid_step
    weights, *_ = np.linalg.lstsq(features.astype(float), steps, rcond=None)
    worth = features @ np.round(weights * 100) / 100
    figure = {
        "bench": "fit_bids",
        "game": game.id,
        "case": " ".join(options.option) or "as it is",
        "value": round(float((steps - features @ weights).std()), 3),
        "unit": "steps left unexplained",
        "weights": np.round(weights * 100).astype(int).tolist(),
        "bids": {str(above): bid_result(game, worth, captured, above) for above in ABOVE_WORTH},
    }
    print(json.dumps(figure), flush=True)


def option(text: str) -> tuple[str, OptionValue]:
    """Return an option of the command line: a flag, a number or a word."""
    name, _, value = text.partition("=")
    flags: dict[str, OptionValue] = {"true": True, "false": False}
    return name, flags.get(value, int(value) if value.isdecimal() else value)


def played(game: NapoleonGame, number: int) -> tuple[Matrix, Vector]:
    """Return features and what was captured, less what raised the contract, of so many deals; seat 0 declares."""
    house, seats, terms = setup.house_vector(game.house), game.seats, game.house.terms
    rules = rules_of_deal(terms, 0, kernel.NO_CARD)
    lengths = (kernel.RULES, ABOVE, STATE, 8, 8, setup.FEATURES)
    desk = [np.zeros(length, np.int64) for length in lengths]
    hands, stream, pack = np.zeros(seats + 1, np.int64), np.zeros(2, np.int64), np.array(game.pack)
    features, captured = np.zeros((number, setup.FEATURES), np.int64), np.zeros(number, np.int64)
    start_stream(stream, 1, 0, 0)
    for deal in range(number):
        deal_at_random(rules, hands, pack, pack.size, stream)
        hand = int(hands[0])
        trump = setup.best_trump(house, desk[5], hand)
        setup.hand_features(house, features[deal], hand, trump)
        put_back = int(setup.choose_put_back(house, hand | int(hands[seats]), trump, game.house.kitty))
        captured[deal] = setup.finish_deal(house, hands, 0, 0, trump, put_back, -1, -1, 0, 0, *desk, stream)  # type: ignore[call-arg]
        if game.house.court_penalty:
            captured[deal] -= (put_back & terms.counting).bit_count()
    return features, captured


def bid_result(game: NapoleonGame, worth: npt.NDArray[np.float64], captured: Vector, above: int) -> list[float]:
    """Return how often a bid of the whole number of steps `above` a hand's worth is made, and what it scores."""
    house = game.house
    bids = np.maximum(np.floor(worth + above).astype(int) * house.bid_step, 1)
    holder, terms, scores = 0 if house.forced_solo else 1, house.terms.vector, np.zeros(7, np.int64)
    won = []
    for bid, taken in zip(bids.tolist(), captured.tolist(), strict=True):
        scoring.write_scores(scores, terms, 0, holder, kernel.NOBODY, bid, taken, house.most_points - taken)
        won.append(scores[0])
    return [round(float((captured >= bids).mean()), 3), round(float(np.mean(won)), 2)]


if __name__ == "__main__":
    main()

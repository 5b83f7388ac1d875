"""Playouts per second and core: whole random deals of Napoleon, shuffle included, and by the rules of thumb.

`junto bench playouts --json`. Before the clock runs, random playouts of the kernel are replayed through `Deal`:
every card legal, every winner and score alike. Each figure is the best of several rounds of this thread's CPU
time.
"""

from __future__ import annotations

import argparse
import json
import time

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play
from junto.games.cards import cards_in
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.napoleon import NapoleonGame
from junto.games.tricks.terms import Vector, rules_of_deal
from junto.search.tricks.playouts import RandomDeals

BID = 11
ROUNDS = 9
RANDOM, BY_RULES = 256, 0


def main() -> None:
    """Check, measure, print two JSON objects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--check", type=int, default=10_000, help="playouts that are replayed through Deal first")
    options = parser.parse_args()
    game = open_game(options.game)
    assert isinstance(game, NapoleonGame)
    check(game, options.check)
    rules = rules_of_deal(game.house.terms, 0, 12)
    for case, noise, number in (("random", RANDOM, 100_000), ("rules of thumb", BY_RULES, 30_000)):
        deals = RandomDeals.under(rules, dear=game.house.terms.counting)
        deals.play(0, 1, noise=noise)
        figure = {
            "bench": "playouts",
            "game": options.game,
            "case": case,
            "value": round(number / seconds(deals, number, noise)),
            "unit": "playouts/s/core",
        }
        print(json.dumps(figure | ({"replayed": options.check} if noise == RANDOM else {})), flush=True)


def seconds(deals: RandomDeals, number: int, noise: int) -> float:
    """Return the CPU seconds that so many playouts take, at best."""
    best = float("inf")
    for seed in range(ROUNDS):
        began = time.thread_time()
        deals.play(seed, number, noise=noise)
        best = min(best, time.thread_time() - began)
    return best


def check(game: NapoleonGame, number: int) -> None:
    """Replay so many random playouts through `Deal`.

    Raises:
        AssertionError: one goes otherwise there.
    """
    for seed in range(number):
        trump, secretary = seed % 4, seed * 7 % 52
        rules = rules_of_deal(game.house.terms, trump, secretary)
        deals = RandomDeals.under(rules, dear=game.house.terms.counting)
        deals.play(seed, 1, noise=RANDOM, contract=BID)
        replay(game, deals, trump, secretary)


def replay(game: NapoleonGame, deals: RandomDeals, trump: int, secretary: int) -> None:
    """Replay the last random deal through `Deal` and compare the scores; its captures are in them."""
    seats = game.seats
    hands = [list(cards_in(int(hand))) for hand in deals.hands[: seats + 1]]
    deal: Deal = game.deal_hands(0, hands[:seats], hands[seats], 0).deal
    setup: list[Action] = [Bid(BID), *[Pass()] * (seats - 1), ChooseTrump(trump), Discard(tuple(hands[seats]))]
    for action in (*setup, CallCard(secretary), *plays(deals.record, seats, game.house.tricks)):
        deal = deal.apply(action).deal
    assert deal.scores == tuple(deals.scores[:seats].tolist()), (deal.scores, deals.scores)


def plays(record: Vector, seats: int, tricks: int) -> list[Play]:
    """Return a record of the kernel as actions."""
    found = []
    for place, number in enumerate(record[: seats * tricks].tolist()):
        naming = (number >> 6 & 7) - 1
        leads = place % seats == 0
        called = tuple(cards_in(number >> 9)) if leads else ()
        found.append(Play(number & 63, naming if leads and naming >= 0 else None, called))
    return found


if __name__ == "__main__":
    main()

"""Playouts per second and core: whole random deals, shuffle included, and by the rules of thumb.

`junto bench playouts --json`, of every game, or `--game ID`. Before the clock runs, random playouts of the kernel are
replayed through `Deal`: every card legal, every winner and score alike. Each figure is the best of several rounds of
this thread's CPU time; `ns_per_card` is that time for a card played. Of a climbing game, whose deals begin with their
first lead, `ns_per_action` is that time for a play or a pass, and `moves_per_second` how many legal plays of whole
hands are written in a second.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from itertools import cycle, islice

import numpy as np

from _numbers import whole_number
from junto.games.actions import Action, ApplyForLead, Bid, CallCard, ChooseTrump, Discard, Pass, Play, PlayCards
from junto.games.bridge.four import Bridge
from junto.games.cards import Card, cards_in
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.pick import cards_of
from junto.games.core import Deal
from junto.games.napoleon import NapoleonGame
from junto.games.tricks import scoring
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.terms import Vector, rules_of_deal
from junto.games.whist import Whist
from junto.search.climbing.habits import habits_of
from junto.search.climbing.openings import deals_to_play, tables
from junto.search.climbing.playouts import MOST_PLAYS, play_deals, write_leads
from junto.search.climbing.random_playouts import RandomClimbing
from junto.search.climbing.state import PASS
from junto.search.climbing.trials import new_desk
from junto.search.tricks.random_playouts import RANDOM, RandomDeals

ROUNDS = 9
CLIMBING_DEALS = 1_000
BY_RULES = 0
PARTNER = 2
"""Opposite the declarer, in games of fixed sides."""


def main() -> None:
    """Check, measure, print two JSON objects a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument(
        "--check", type=whole_number(0, 10_000_000), default=1_000, help="playouts that are replayed through Deal first"
    )
    options = parser.parse_args()
    for game_id in options.game or GAMES:
        match open_game(game_id):
            case ClimbingGame() as game:
                measure_climbing(game, options.check)
            case TricksGame() as game:
                measure(game, options.check)


def measure_climbing(game: ClimbingGame, checked: int) -> None:
    """Check and measure one climbing game."""
    deals, terms = deals_to_play(game, CLIMBING_DEALS, 0), game.terms.vector
    begun, dealt = tables(deals)
    replayed = min(checked, len(deals))
    for number in range(replayed):
        replay_climbing(deals[number], number)
    moves = moves_per_second(terms, dealt)
    random, habits = RandomClimbing.under(terms, len(deals)), habits_of(game.terms)
    work = (begun[0].copy(), dealt[0].copy(), new_desk(), random.scores.copy())
    cases = {
        "random": lambda seed: random.play(seed, begun, dealt),
        "rules of thumb": lambda _: play_deals(terms, habits, habits, 0, begun, dealt, *work),
    }
    for case, play in cases.items():
        best, actions = float("inf"), play(0)
        for seed in range(ROUNDS):
            began = time.thread_time()
            actions = play(seed)
            best = min(best, (time.thread_time() - began) / actions)
        figure = {
            "bench": "playouts",
            "game": game.id,
            "case": case,
            "value": round(len(deals) / (best * actions)),
            "unit": "playouts/s/core",
            "ns_per_action": round(best * 1e9, 1),
            "actions": round(actions / len(deals), 1),
        }
        more = {"replayed": replayed, "moves_per_second": moves, "peak_mb": peak_mb()}
        print(json.dumps(figure | (more if case == "random" else {})), flush=True)


def moves_per_second(terms: Vector, dealt: Vector) -> int:
    """Return how many leads are written in a second of CPU time, of the hands that deals begin with."""
    hands, plays = dealt.reshape(-1, dealt.shape[2]), np.zeros(MOST_PLAYS, np.int64)
    best = 0.0
    for _ in range(ROUNDS):
        began = time.thread_time()
        number = write_leads(terms, hands, plays)
        best = max(best, number / (time.thread_time() - began))
    return round(best)


def replay_climbing(deal: Deal, seed: int) -> None:
    """Replay a random playout of a climbing game through `Deal`.

    Raises:
        AssertionError: it goes otherwise there.
    """
    assert isinstance(deal, ClimbingDeal)
    assert isinstance(deal.game, ClimbingGame)
    playouts = RandomClimbing.under(deal.game.terms.vector, 1)
    begun, dealt = tables([deal])
    for action in playouts.record[: playouts.play(seed, begun, dealt)].tolist():
        done: Action = Pass() if action == PASS else ApplyForLead()
        if action > PASS:
            done = PlayCards(cards_of(action, deal.hand, deal.named))
        next_deal = deal.apply(done).deal
        assert isinstance(next_deal, ClimbingDeal)
        deal = next_deal
    assert deal.scores == tuple(playouts.scores[0, : deal.game.seats].tolist()), (deal.scores, playouts.scores)


def peak_mb() -> int:
    """Return the most memory that the process had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(game: TricksGame, checked: int) -> None:
    """Check and measure one trick-taking game."""
    replayed = checked if can_replay(game) else 0
    for number in range(replayed):
        replay(game, number)
    for case, noise, number in (("random", RANDOM, 100_000), ("rules of thumb", BY_RULES, 30_000)):
        deals, contract = table(game, 0, 12)
        deals.play(0, 1, noise=noise, contract=contract)
        taken = seconds(deals, number, noise, contract)
        figure = {
            "bench": "playouts",
            "game": game.id,
            "case": case,
            "value": round(number / taken),
            "unit": "playouts/s/core",
            "ns_per_card": round(taken / number * 1e9 / (game.terms.seats * game.terms.tricks), 1),
        }
        more = {"replayed": replayed, "peak_mb": peak_mb()}
        print(json.dumps(figure | (more if noise == RANDOM else {})), flush=True)


def seconds(deals: RandomDeals, number: int, noise: int, contract: int) -> float:
    """Return the CPU seconds that so many playouts take, at best."""
    best = float("inf")
    for seed in range(ROUNDS):
        began = time.thread_time()
        deals.play(seed, number, noise=noise, contract=contract)
        best = min(best, time.thread_time() - began)
    return best


def table(game: TricksGame, trump: int, called: Card) -> tuple[RandomDeals, int]:
    """Return random deals of a game with seat 0 as declarer, and the contract at the lowest bid."""
    if isinstance(game, NapoleonGame):
        house = game.house
        rules = rules_of_deal(game.terms, trump, called)
        return RandomDeals.under(rules, dear=house.terms.counting if house.court_penalty else 0), house.min_bid
    contract = int(scoring.packed_contract(1, trump, 0, 0)) if game.terms.scoring == scoring.DUPLICATE else 0
    return RandomDeals.under(rules_of_deal(game.terms, trump), PARTNER), contract


def can_replay(game: TricksGame) -> bool:
    """Tell whether whole deals of a game can be dealt with given hands, each at its own place."""
    return isinstance(game, NapoleonGame | Bridge | Whist)


def replay(game: TricksGame, seed: int) -> None:
    """Replay a random playout through `Deal`.

    Raises:
        AssertionError: it goes otherwise there.
    """
    trump, called = seed % 4, seed * 7 % 52
    deals, contract = table(game, trump, called)
    deals.play(seed, 1, noise=RANDOM, contract=contract)
    seats, tricks = game.terms.seats, game.terms.tricks
    hands = [list(cards_in(int(hand))) for hand in deals.hands[: seats + 1]]
    if isinstance(game, Whist) and all(card // 13 != trump for card in hands[0]):
        return  # the dealer has no card of this suit to turn up
    deal = begun(game, hands, trump, called)
    for action in plays(deals.record, seats, tricks):
        deal = deal.apply(action).deal
    assert deal.scores == tuple(deals.scores[: game.seats].tolist()), (deal.scores, deals.scores)


def begun(game: TricksGame, hands: list[list[Card]], trump: int, called: Card) -> Deal:
    """Return a deal of these hands, the hidden cards last, in which seat 0 has the contract and all is set up."""
    if isinstance(game, Whist):
        turned = next(card for card in hands[0] if card // 13 == trump)
        return game.deal_hands(1, hands[:-1], 0, turned).deal
    if isinstance(game, Bridge):
        deal: Deal = game.deal_hands(1, hands[:-1]).deal
        while deal.to_act != 0:
            deal = deal.apply(Pass()).deal
        for bidding in (Bid(1, trump), Pass(), Pass(), Pass()):
            deal = deal.apply(bidding).deal
        return deal
    assert isinstance(game, NapoleonGame)
    house = game.house
    bid = Bid(house.min_bid, trump if house.bids_name_suits else None)
    call, discard = CallCard(called), Discard(tuple(hands[-1]))
    setup: list[Action] = [call, discard] if house.call_first else [ChooseTrump(trump), discard, call]
    deal = game.deal_hands(1, hands[:-1], hands[-1], 0).deal
    for action in (bid, *islice(cycle([Pass()]), game.seats - 1), *setup):
        deal = deal.apply(action).deal
    return deal


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

"""Playouts: the same deals as the rules play, no card or point lost."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from junto.games.actions import Pass
from junto.games.cards import mask_of
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.napoleon import NapoleonDeal, NapoleonGame
from junto.games.napoleon_tw import NapoleonTw
from junto.games.options import OptionValue
from junto.games.shuffle import DealSeed
from junto.games.tricks import kernel
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.streams import start_stream
from junto.search.tricks import setup
from junto.search.tricks.playouts import play_on
from junto.search.tricks.random_playouts import RANDOM, RandomDeals
from junto.search.tricks.state import ABOVE, GONE, STATE, begin_play, write_above

BENCH = Path(__file__).resolve().parents[3] / "bench"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark of playouts, which replays them through the rules."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(BENCH)
        return importlib.import_module("playouts")


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("napoleon-tw", {}),
        ("napoleon-tw", {"players": 4, "secretary_follows": True}),
        ("napoleon-tw", {"players": 6, "secretary_lead_names_suit": True}),
        ("napoleon-4p", {"call_secretary": True}),
        ("napoleon-jp", {"yoromeki": True, "joker_call": True, "jokers": 2}),
        ("napoleon-jp", {"preset": "sdin", "players": 4}),
        ("napoleon-jp", {"preset": "mobile"}),
        ("hundred", {}),
        ("hundred", {"jokers_are_trump": False, "two_high": True, "buried_points": "last_trick_winner"}),
        ("bridge", {}),
        ("whist", {}),
    ],
    ids=str,
)
def test_random_playouts_replay_through_the_rules(
    bench: ModuleType, game_id: str, options: dict[str, OptionValue]
) -> None:
    """Every card and call of sixty playouts is legal to `Deal`, and the scores are the same."""
    game = open_game(game_id, options)
    for number in range(60):
        bench.replay(game, number)


def dealt(game: NapoleonGame, number: int) -> NapoleonDeal:
    """Return a deal in which seat 0 bought the contract at the lowest bid."""
    deal = game.deal(game.new_match().opened(), DealSeed(number.to_bytes(32, "big"), (b"",) * game.seats)).deal
    while deal.to_act != 0:
        deal = deal.apply(Pass()).deal
    deal = deal.apply(game.house.bid_of(game.house.lowest_bid)).deal
    while deal.phase is Phase.AUCTION:
        deal = deal.apply(Pass()).deal
    assert isinstance(deal, NapoleonDeal)
    return deal


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("napoleon-tw", {}),
        ("napoleon-tw", {"players": 3}),
        ("napoleon-tw", {"players": 7}),
        ("napoleon-tw", {"players": 6, "forced_solo": True}),
        ("napoleon-tw", {"players": 4, "secretary_lead_names_suit": True, "secretary_follows": True}),
        ("napoleon-4p", {}),
        ("napoleon-4p", {"court_penalty": True, "joker_anytime": True}),
        ("napoleon-jp", {}),
        ("napoleon-jp", {"preset": "mobile", "jokers": 2, "players": 4}),
        ("hundred", {}),
        ("hundred", {"two_high": True, "buried_points": "declarer"}),
    ],
    ids=str,
)
def test_a_playout_by_rules_of_thumb_is_what_greedy_seats_do(game_id: str, options: dict[str, OptionValue]) -> None:
    """A world finished inside the search has the scores of the deal that `greedy` strategies play."""
    game = open_game(game_id, options)
    assert isinstance(game, NapoleonGame)
    house = setup.house_vector(game.house)
    for number in range(20):
        deal = dealt(game, number)
        hands = np.array([*deal.hands, mask_of(deal.kitty)], np.int64)
        played: Deal = deal
        while not played.is_over:
            assert played.to_act is not None
            played = played.apply(greedy_strategy.decide(played.view(played.to_act), Budget(iterations=1)).action).deal
        lengths = (kernel.RULES, ABOVE, STATE, 8, game.seats, setup.FEATURES, 2)
        rules, above, state, points, scores, features, stream = (np.zeros(length, np.int64) for length in lengths)
        trump = deal.trump if game.house.bids_name_suits else -1
        setup.finish_deal(
            house, hands, 0, game.house.min_bid, trump, -1, -1, -1, 1, 0, rules, above, state, points, scores,
            features, stream,
        )  # fmt: skip
        assert played.scores == tuple(scores.tolist())


@pytest.mark.parametrize("noise", [0, 24, 255])
def test_playouts_conserve_cards_and_points(noise: int) -> None:
    """Whatever is played at random: hands run empty, all cards go, all court cards are captured once."""
    rules = rules_of_deal(NapoleonTw().house.terms, 2, 30)
    above, state, points = np.zeros(ABOVE, np.int64), np.zeros(STATE, np.int64), np.zeros(5, np.int64)
    stream = np.zeros(2, np.int64)
    write_above(above, rules)
    deals = RandomDeals.under(rules)
    for seed in range(50):
        deals.play(seed, 1, noise=256)
        hands = deals.hands[:6].copy()
        everything = int(hands[:5].sum())
        begin_play(state, 1, -1, -1, 12, 2, 0)
        start_stream(stream, seed, 0, 0)
        points[:] = 0
        play_on(rules, above, state, hands, points, rules[kernel.TRICKS], noise, stream)
        assert hands[:5].tolist() == [0] * 5
        assert everything == int(state[GONE])
        assert (everything & kernel.COURT_CARDS).bit_count() == points.sum()


def test_a_playout_depends_on_its_seed_alone() -> None:
    """The same seed gives the same scores; every seat's scores of a deal sum to zero."""
    rules = rules_of_deal(NapoleonTw().house.terms, 0, 12)
    deals, again = RandomDeals.under(rules), RandomDeals.under(rules)
    for noise in (256, 0, 30):
        assert deals.play(9, 200, noise=noise) == again.play(9, 200, noise=noise)
        assert deals.play(9, 200, noise=noise) != again.play(10, 200, noise=noise)
        assert deals.scores.sum() == 0


def test_a_deal_can_be_played_several_times() -> None:
    """The second time the same hands are played, with other cards: what lies outside the clock of a benchmark."""
    deals, again = (RandomDeals.under(rules_of_deal(NapoleonTw().house.terms, 0, 12)) for _ in range(2))
    deals.play(9, 1, noise=RANDOM)
    again.play(9, 2, noise=RANDOM, times=2)
    assert deals.hands.tolist()[:6] == again.hands.tolist()[:6]
    assert deals.record.tolist() != again.record.tolist()
    played = np.bitwise_or.reduce(1 << (again.record[:50] & 63))
    assert played == np.bitwise_or.reduce(again.hands[:5])

"""The strategies of the climbing games: legal whatever is asked, repeatable, and told by what a seat knows alone."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from junto.games.actions import Bid, Pass
from junto.games.catalog import open_game
from junto.games.climbing.kernel import size_of
from junto.games.options import OptionValue
from junto.games.view import Phase
from junto.search.climbing.before_play import bid_limit
from junto.search.climbing.candidates import play_candidates
from junto.search.climbing.knowledge import knowledge_of
from junto.search.climbing.position import position_of
from junto.search.climbing.state import PASS
from junto.search.climbing.trials import new_desk
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy, pimc_strategy, random_strategy

from ....games.playing import first_deal, random_action  # noqa: TID252  # tests are no package
from .begun import GAMES, deal_to_play

EVERY_GAME = pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
Options = Mapping[str, OptionValue]


@EVERY_GAME
@pytest.mark.parametrize("name", ["random", "greedy", "pimc"])
def test_a_whole_deal_is_decided_by_the_rules(name: str, game_id: str, options: Options) -> None:
    """Bids, the offer, what is shown and every play are legal; nothing is changed by being asked twice."""
    strategy = {"random": random_strategy, "greedy": greedy_strategy, "pimc": pimc_strategy}[name]
    deal, step = first_deal(open_game(game_id, options), Random(5)).deal, 0
    while not deal.is_over:
        assert deal.to_act is not None
        budget = Budget(iterations=1, seed=step)
        if name == "pimc" and step % 5:
            decision = greedy_strategy.decide(deal.view(deal.to_act), budget)
        else:
            decision = strategy.decide(deal.view(deal.to_act), budget)
            assert decision.action == strategy.decide(deal.view(deal.to_act), budget).action
        deal, step = deal.apply(decision.action).deal, step + 1


@EVERY_GAME
def test_a_search_is_repeatable_and_tells_what_it_tried(game_id: str, options: Options) -> None:
    """With iterations and a seed the same evaluations come out, one for each candidate, the action's first."""
    deal = deal_to_play(game_id, options, 2)
    view, budget = deal.view(deal.seat), Budget(iterations=6, seed=11)
    one, other = pimc_strategy.decide(view, budget), pimc_strategy.decide(view, budget)
    assert one.evaluations == other.evaluations
    assert one.action == one.evaluations[0].action
    assert len({evaluation.action for evaluation in one.evaluations}) == len(one.evaluations)
    for by_place in one.cards.values():
        assert sum(by_place.values()) == pytest.approx(1.0)
    for by_role in one.roles.values():
        assert sum(by_role.values()) == pytest.approx(1.0)


@EVERY_GAME
def test_what_is_tried_is_legal_and_begins_with_the_rule_of_thumb(game_id: str, options: Options) -> None:
    """No more than asked for; to pass is always tried where it is allowed."""
    deal, random = deal_to_play(game_id, options, 4), Random(4)
    for _ in range(12):
        if deal.is_over:
            break
        view = deal.view(deal.seat)
        position = position_of(view, knowledge_of(view))
        tried = play_candidates(position, view.prompt.choices, 8, new_desk())
        for candidate in tried:
            deal.check(position.action_of(candidate))
        assert position.action_of(tried[0]) == greedy_strategy.decide(view, Budget(iterations=1)).action
        assert (PASS in tried) == view.prompt.choices.passing
        deal = deal.apply(random_action(deal, random)).deal  # type: ignore[assignment]


def test_a_better_hand_is_bid_higher() -> None:
    """From a pass to three, and never down."""
    limits = [bid_limit(worth) for worth in range(-300, 300, 5)]
    assert limits == sorted(limits)
    assert {limits[0], limits[-1]} == {0, 3}


def test_a_strong_hand_becomes_landlord_and_a_weak_one_passes() -> None:
    """The rocket, bombs and twos are bid on; a hand of odd low cards is not."""
    game = open_game("dou-dizhu")
    strong = [52, 53, 1, 14, 27, 40, 0, 13, 26, 39, 12, 25, 38, 51, 11, 24, 37]
    rest = [card for card in range(54) if card not in strong]
    weak = [2, 5, 8, 10, 16, 18, 20, 22, 28, 31, 33, 35, 41, 43, 45, 49, 47]
    others = [card for card in rest if card not in weak]
    for hands, expected in (
        ([strong, weak, others[:17]], Bid(3)),
        ([weak, strong, others[:17]], Pass()),
    ):
        deal = game.deal_hands(1, hands, others[17:], 0).deal  # type: ignore[attr-defined]
        for strategy in (greedy_strategy, pimc_strategy):
            assert strategy.decide(deal.view(0), Budget(iterations=16, seed=1)).action == expected


def test_a_hand_that_goes_out_is_not_searched() -> None:
    """There is nothing better."""
    deal = deal_to_play("dou-dizhu", {}, 1)
    while not deal.is_over:
        view = deal.view(deal.seat)
        decision = pimc_strategy.decide(view, Budget(iterations=1, seed=1))
        choice = view.prompt.choices.combination
        whole = choice is not None and any(size_of(one.play) == len(view.own.hand) for one in choice.plays)
        if whole:
            assert decision.playouts is None
        deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1)).action).deal  # type: ignore[assignment]
    assert deal.phase is Phase.OVER

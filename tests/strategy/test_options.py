"""What authors of strategies are given: options in any game, and what may be returned."""

from __future__ import annotations

from random import Random

import pytest

import junto.strategy
from junto.games.actions import Pass, Play, PlayCards, text
from junto.games.catalog import GAMES, open_game
from junto.games.shuffle import DealSeed
from junto.search.decisions import Budget, Decision
from junto.strategy import anything, greedy, options, playable
from junto.strategy.messages import NoDecision, budget_message, budget_of, decision_from


@pytest.mark.parametrize("game_id", GAMES)
def test_every_option_is_legal_and_there_always_is_one(game_id: str) -> None:
    """At each decision of a few deals of each game, played by any of the options."""
    game, draw = open_game(game_id), Random(game_id)
    for number in range(3):
        deal = game.deal(game.new_match().opened(), DealSeed(bytes([number] * 32), (b"",) * game.seats)).deal
        while not deal.is_over:
            assert deal.to_act is not None
            view = deal.view(deal.to_act)
            found = options(view)
            assert found
            for action in found:
                deal.check(action)
            for action in (anything(view, draw), greedy(view)):
                deal.check(action)
            assert set(playable(view)) == {action.card for action in found if isinstance(action, Play)}
            deal = deal.apply(draw.choice(found)).deal


def test_all_public_names_are_there() -> None:
    """Each name that is listed can be imported, those that are imported late as well."""
    for name in junto.strategy.__all__:
        assert getattr(junto.strategy, name) is not None


def test_a_strategy_may_return_an_action_its_text_or_a_decision() -> None:
    """In a climbing game one card is a combination; anything else is refused."""
    napoleon, dou_dizhu = open_game("napoleon-tw"), open_game("dou-dizhu")

    assert decision_from("play HT", napoleon) == Decision(Play(21))
    assert decision_from("play HT", dou_dizhu) == Decision(PlayCards((21,)))
    assert decision_from(Pass(), napoleon) == decision_from(Decision(Pass()), napoleon)
    assert text(decision_from("pass", napoleon).action) == "pass"
    with pytest.raises(NoDecision, match="it answered a value of type int"):
        decision_from(7, napoleon)


@pytest.mark.parametrize("budget", [Budget(0.05), Budget(iterations=3, seed=(1 << 63) + 5), Budget(2.0, 7, 0)])
def test_a_budget_crosses_whole(budget: Budget) -> None:
    """Time, iterations and seed."""
    assert budget_of(budget_message(budget)) == budget

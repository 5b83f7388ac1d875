"""RLCard's rule bot at our table; left out where the package rlcard is not installed."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest

from junto.games.climbing.deal import ClimbingDeal
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy

pytest.importorskip("rlcard")
peers = pytest.importorskip("bench.peers.rlcard_doudizhu")
rule_bot = pytest.importorskip("examples.rlcard_doudizhu_rule.rule_bot")


def test_the_rule_bot_is_shown_the_deal_as_rlcard_shows_it() -> None:
    """Its landlord is player 0, the trace has every action, and all that it may answer our rules allow."""
    deal = peers.deal_of(3, "random")
    for step in range(12):
        view = deal.view(deal.seat)
        state = rule_bot.peer_state(view)
        assert state["landlord"] == 0
        assert len(state["current_hand"]) == len(view.own.hand)
        assert len(state["trace"]) == step
        allowed = {rule_bot.action_of(view, answer) for answer in state["actions"]}
        assert None not in allowed
        deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1)).action).deal
        assert isinstance(deal, ClimbingDeal)


def test_it_plays_whole_deals_by_our_rules() -> None:
    """In every seat, and it does the same again."""
    budget = Budget(iterations=1)
    for number in range(3):
        line = peers.play(("rule", "rule"), number, "random", budget)
        assert line["refused"] == 0
        assert line["decisions"] > 0
        assert line == peers.play(("rule", "rule"), number, "random", budget)


def test_results_of_other_budgets_and_landlords_have_files_of_their_own() -> None:
    """What goes on goes on with the same comparison; a case without a search has no budget."""
    options: dict[str, Any] = {"seconds": 0.1, "iterations": None, "landlord": "random"}
    others: list[dict[str, Any]] = [{}, {"seconds": 0.2}, {"seconds": None, "iterations": 100}, {"landlord": "auction"}]
    names = [peers.spec_of(("pimc", "rule"), Namespace(**{**options, **other})).file_name for other in others]

    assert len(set(names)) == len(names)
    assert len({peers.spec_of(("rule", "rule"), Namespace(**{**options, **other})).digest for other in others[:3]}) == 1


def test_a_share_has_wilsons_interval() -> None:
    """As in a table of it: 0 of 10, and 8 of 10."""
    assert peers.wilson(0, 10) == [0.0, 0.2775]
    assert peers.wilson(8, 10) == [0.4902, 0.9433]

"""Worlds of plain tricks, solved: by whichever solver, the plays are worth the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from tests.games.playing import first_deal, random_action

from junto.games.actions import AgreeToClaim, Claim, RefuseClaim
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.double_dummy import most_tricks
from junto.search.strategies import greedy_strategy, pimc_strategy
from junto.search.tricks import solving
from junto.search.tricks.candidates import play_candidates
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge, knowledge_of

WORLDS = 8


def endings(game: str, deals: int) -> list[Deal]:
    """Return decisions of random deals with at most five cards in a hand."""
    found = []
    for number in range(deals):
        rng = Random(number)
        deal = first_deal(open_game(game), rng).deal
        while not deal.is_over:
            sizes = [hand.size for hand in deal.shared.hands]
            choices = deal.prompt.choices if deal.prompt is not None else None
            if deal.phase is Phase.PLAY and max(sizes) <= 5 and choices is not None and choices.play is not None:
                found.append(deal)
            deal = deal.apply(random_action(deal, rng)).deal
    return found


def worth(deal: Deal) -> np.ndarray:
    """Return what each candidate scores in some worlds."""
    assert deal.to_act is not None
    view = deal.view(deal.to_act)
    known = knowledge_of(view)
    assert view.prompt.choices.play is not None
    plays = play_candidates(known, view.prompt.choices.play)
    results = np.zeros((len(plays), WORLDS))
    trial = solving.solved_trial(known, plays, Pool(known, known.worlds(), seed=1))
    trial(np.arange(len(plays)), 0, results)
    return results


@pytest.mark.parametrize("game", ["bridge", "bridge-3p", "whist"])
def test_both_solvers_judge_an_ending_alike(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own, which is asked for hands of a few cards, and Bo Haglund's."""
    deals = endings(game, 3)
    own = [worth(deal) for deal in deals]
    monkeypatch.setattr(solving, "_ENDING", 0)
    others = [worth(deal) for deal in deals]

    assert len(deals) > 10
    for mine, other in zip(own, others, strict=True):
        assert (mine == other).all()


def share_that_holds(known: Knowledge, tricks: int, leader: int, trump: int) -> float:
    """Return in which share of many worlds the declarer's side can take so many tricks."""
    side, worlds, left = {known.declarer, known.partner}, known.worlds(), max(known.sizes)
    held = 0
    for number in range(60):
        hands = [
            hand | (known.own if place == known.place else 0) for place, hand in enumerate(worlds.sample(1, number))
        ]
        best = most_tricks(hands[:4], trump, leader)
        held += (best if leader in side else left - best) >= tricks
    return held / 60


def test_a_bot_agrees_to_a_claim_that_holds_however_it_defends() -> None:
    """It agrees if the claim holds in every world that it can think of, refuses if it fails in many, and keeps time."""
    rng, seen = Random(3), Counter[type]()
    while min(seen[AgreeToClaim], seen[RefuseClaim]) < 4:
        deal = first_deal(Bridge(), rng).deal
        while not deal.is_over and (deal.phase is Phase.AUCTION or deal.shared.hands[0].size > 3):
            deal = deal.apply(greedy_strategy.decide(deal.view(deal.to_act or 0), Budget(iterations=1)).action).deal
        choices = deal.prompt.choices if deal.prompt else None
        if choices is None or not choices.claim_up_to:
            continue
        asked = deal.apply(Claim(rng.randint(1, choices.claim_up_to))).deal
        assert isinstance(asked, BridgeDeal)
        assert asked.claim is not None
        view = asked.view(asked.to_act or 0)
        known, leader = knowledge_of(view), asked.game.next_hand(asked.shared)
        share = share_that_holds(known, asked.claim.tricks, leader, asked.trump)
        action = pimc_strategy.decide(view, Budget(time_s=1.0)).action
        assert isinstance(action, RefuseClaim if share < 0.5 else AgreeToClaim | RefuseClaim)
        assert share < 1.0 or isinstance(action, AgreeToClaim)
        seen[type(action)] += 1

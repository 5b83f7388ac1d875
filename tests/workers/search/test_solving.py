"""Worlds of plain tricks, solved: by whichever solver, the plays are worth the same."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import numpy as np
import pytest
from tests.games.playing import first_deal, random_action

from junto.games.actions import AgreeToClaim, Claim, RefuseClaim
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.cards import mask_of
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.tricks.kernel import TRICKS
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.double_dummy import most_tricks, tricks_by_card, tricks_in_worlds
from junto.search.racing import Race, Standing
from junto.search.strategies import greedy_strategy, pimc_strategy
from junto.search.tricks.candidates import play_candidates
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.position import play_position
from junto.search.tricks.solving import payoffs, race_solved
from junto.search.tricks.state import COUNT, LEADER, TRICK

WORLDS = 8
NO_TRUMPS = 4
SLOW = 9
"""Of this shuffle a world takes hundreds of milliseconds to solve."""


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


@pytest.mark.parametrize("game", ["bridge", "bridge-3p", "whist"])
def test_the_play_that_scores_most_in_solved_worlds_is_taken(game: str) -> None:
    """Whichever hand is played, and whichever side it is on; the rules of thumb only tell apart what is alike."""
    deals = endings(game, 3)
    for deal in deals:
        view = deal.view(deal.to_act or 0)
        known = knowledge_of(view)
        assert view.prompt.choices.play is not None
        plays = play_candidates(known, view.prompt.choices.play)
        pool = Pool(known, known.worlds(), seed=1)
        rows = pool.rows(0, WORLDS)  # the pool will not grow any more
        level = Race(tuple(Standing(place, 0.0, 0.0, 1) for place in range(len(plays))), 1, 1)
        race = race_solved(known, plays, pool, level, WORLDS, None)
        position = play_position(known)
        payoff = payoffs(known, *tricks_of(known))
        trick = [card for _, card in known.tricks[-1].cards] if position.state[COUNT] else []
        worlds = pool.matrix[rows][:, :4].tolist()
        solved = [tricks_by_card(hands, known.trump, int(position.state[LEADER]), trick) for hands in worlds]
        scores = [sum(payoff[tricks[play.card]] for tricks in solved) for play in plays]

        assert len(plays) == 1 or race.worlds == WORLDS
        assert scores[race.standings[0].candidate] == max(scores)
    assert len(deals) > 10


def tricks_of(known: Knowledge) -> tuple[int, int]:
    """Return the tricks that declarer's side has taken, and those that are left."""
    position = play_position(known)
    taken = position.points[known.declarer] + position.points[known.partner]
    return int(taken), int(position.rules[TRICKS] - position.state[TRICK])


def test_a_world_that_takes_long_is_left_behind() -> None:
    """Who has a deadline does not wait for forty worlds of whole hands, seconds of work; later answers are right."""
    pack = list(range(52))
    Random(SLOW).shuffle(pack)
    slow = np.array([[mask_of(pack[13 * place : 13 * place + 13]) for place in range(4)]] * 40)
    quick = np.array([[mask_of(pack[13 * place : 13 * place + 4]) for place in range(4)]] * 3)
    began = time.monotonic()
    solved = tricks_in_worlds(slow, NO_TRUMPS, 0, deadline=began + 0.02)
    took = time.monotonic() - began

    assert len(solved) < len(slow)
    assert took < 1.0
    assert tricks_in_worlds(quick, NO_TRUMPS, 0).max(axis=1).tolist() == [most_tricks(quick[0], NO_TRUMPS, 0)] * 3


def test_a_lead_is_chosen_in_time_though_its_worlds_take_long() -> None:
    """The solver is busy with the world of an earlier decision, too: then the rules of thumb decide."""
    deal = first_deal(Bridge(), Random(1)).deal
    while deal.phase is Phase.AUCTION:
        deal = deal.apply(greedy_strategy.decide(deal.view(deal.to_act or 0), Budget(iterations=1)).action).deal
    for seed in range(8):
        decision = pimc_strategy.decide(deal.view(deal.to_act or 0), Budget(time_s=0.04, seed=seed))

        deal.check(decision.action)
        assert decision.elapsed_s < 0.5


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

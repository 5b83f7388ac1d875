"""Worlds of plain tricks, solved: by whichever solver, the plays are worth the same."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from threading import Barrier, Event

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
from junto.search import double_dummy
from junto.search.decisions import Budget
from junto.search.double_dummy import most_tricks, tricks_by_card, tricks_in_worlds
from junto.search.racing import Race, Standing
from junto.search.strategies import greedy_strategy, pimc_strategy
from junto.search.tricks.candidates import play_candidates
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.position import play_position
from junto.search.tricks.solving import is_solvable, payoffs, race_solved
from junto.search.tricks.state import COUNT, LEADER, TRICK

WORLDS = 8
NO_TRUMPS = 4


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


@contextmanager
def busy_solver() -> Iterator[None]:
    """Keep the solver's thread busy, as by a world that takes for ever, until all in here is done."""
    gate = Event()
    held = double_dummy._solver()._thread.submit(gate.wait)  # no world takes for ever
    try:
        yield
    finally:
        gate.set()
        held.result()


def test_a_world_that_takes_for_ever_is_left_behind() -> None:
    """Who has a deadline comes back with what was solved by then, here with nothing; later answers are right."""
    pack = Random(9).sample(range(52), 16)
    quick = np.array([[mask_of(pack[4 * place : 4 * place + 4]) for place in range(4)]] * 3)
    with busy_solver():
        solved = tricks_in_worlds(quick, NO_TRUMPS, 0, deadline=time.monotonic() + 0.01)

    assert len(solved) == 0
    assert tricks_in_worlds(quick, NO_TRUMPS, 0).max(axis=1).tolist() == [most_tricks(quick[0], NO_TRUMPS, 0)] * 3


def test_a_lead_is_chosen_though_the_solver_does_not_answer() -> None:
    """It is busy with the world of an earlier decision: then the rules of thumb decide, and no world was solved."""
    deal = first_deal(Bridge(), Random(1)).deal
    while deal.phase is Phase.AUCTION:
        deal = deal.apply(greedy_strategy.decide(deal.view(deal.to_act or 0), Budget(iterations=1)).action).deal
    view = deal.view(deal.to_act or 0)
    assert is_solvable(knowledge_of(view), 0.04)
    with busy_solver():
        decision = pimc_strategy.decide(view, Budget(time_s=0.04, seed=1))

    deal.check(decision.action)
    assert len(decision.evaluations) > 1
    assert {evaluation.visits for evaluation in decision.evaluations} == {decision.worlds}
    assert decision.playouts == sum(evaluation.visits or 0 for evaluation in decision.evaluations)


def test_solved_worlds_and_those_played_on_are_all_counted() -> None:
    """A play was tried in both kinds of worlds; that no world tells its score for certain is part of its error."""
    deal = endings("whist", 1)[0]
    view = deal.view(deal.to_act or 0)
    known = knowledge_of(view)
    assert view.prompt.choices.play is not None
    plays = play_candidates(known, view.prompt.choices.play)
    thumb = Race(tuple(Standing(place, 0.0, 3.0, 5) for place in range(len(plays))), 5, 5 * len(plays))
    race = race_solved(known, plays, Pool(known, known.worlds(), seed=1), thumb, WORLDS, None)

    assert len(plays) > 1
    assert {standing.worlds for standing in race.standings} == {WORLDS + 5}
    assert (race.worlds, race.playouts) == (WORLDS, (WORLDS + 5) * len(plays))
    assert all(standing.standard_error > 0.0 for standing in race.standings)


def test_first_calls_at_once_share_one_solver() -> None:
    """The library has one memory for all: two solvers would write to it at the same time."""
    double_dummy._made.cache_clear()  # as in a new process
    start = Barrier(8)

    def solver() -> object:
        start.wait()
        return double_dummy._solver()

    with ThreadPoolExecutor(8) as threads:
        found = [made.result() for made in [threads.submit(solver) for _ in range(8)]]
    assert len({id(one) for one in found}) == 1


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

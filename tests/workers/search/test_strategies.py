"""The built-in strategies at the table: legal, repeatable, in time, and honest about what they believe."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from junto.games.catalog import GAMES
from junto.games.core import Deal, Game, View
from junto.games.events import Zone
from junto.games.napoleon_tw import NapoleonTw
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Phase, Role
from junto.search.decisions import Budget, Decision, Strategy
from junto.search.racing import Matrix, Vector, race
from junto.search.strategies import UnknownStrategy, find_strategy, greedy_strategy, pimc_strategy, random_strategy
from junto.search.tricks.policy import is_friend
from junto.search.tricks.state import REVEALED, STATE, begin_play

from ...games.playing import first_deal, random_action, random_game  # noqa: TID252 (tests are no package)

FEW = 8
"""Worlds of a quick search."""


def play(game: Game, rng: Random, strategies: list[Strategy]) -> list[tuple[Deal, Decision]]:
    """Play a deal; return each deal that a seat decided in, and its decision."""
    deal = first_deal(game, rng).deal
    story: list[tuple[Deal, Decision]] = []
    while not deal.is_over:
        assert deal.to_act is not None
        budget = Budget(iterations=FEW, seed=rng.getrandbits(64))
        story.append((deal, strategies[deal.to_act].decide(deal.view(deal.to_act), budget)))
        deal = deal.apply(story[-1][1].action).deal
    return story


@pytest.mark.parametrize("strategy", [random_strategy, greedy_strategy, pimc_strategy])
@pytest.mark.parametrize("game_type", GAMES.values(), ids=GAMES)
def test_a_strategy_plays_by_the_rules_of_every_table(game_type: type[Game], strategy: Strategy) -> None:
    """Whole deals of every game with random options and any number of seats: every decision is legal."""
    rng = Random(8)
    low, high = game_type.player_range
    for players in range(low, high + 1):
        for _ in range(2):
            game = random_game(game_type, rng)
            if low < high:
                game = game_type({**game.options, "players": players})
            play(game, rng, [strategy] * game.seats)


def positions(rng: Random) -> list[View]:
    """Return a view of each phase, and of the first and a late trick."""
    while True:
        deal = first_deal(NapoleonTw(), rng).deal
        found: dict[tuple[Phase, bool], View] = {}
        while not deal.is_over:
            assert deal.to_act is not None
            view = deal.view(deal.to_act)
            tricks = len(view.shared.tricks.tricks) if view.shared.tricks else 0
            found.setdefault((view.shared.phase, tricks > 4), view)
            deal = deal.apply(random_action(deal, rng)).deal
        if len(found) == 6:
            return list(found.values())


def test_a_decision_is_repeatable_by_seed_and_iterations() -> None:
    """The same view, seed and iterations give the same action, evaluations and beliefs, in every phase."""
    for view in positions(Random(4)):
        first, again = (pimc_strategy.decide(view, Budget(iterations=60, seed=5)) for _ in range(2))
        other = pimc_strategy.decide(view, Budget(iterations=60, seed=6))
        assert (first.action, first.evaluations, first.cards) == (again.action, again.evaluations, again.cards)
        assert first.evaluations != other.evaluations
        assert first.worlds is not None
        assert first.playouts is not None
        assert 1 <= first.worlds <= 60
        assert first.playouts == sum(evaluation.visits or 0 for evaluation in first.evaluations)


@pytest.mark.parametrize("game_id", ["napoleon-tw", "whist", "dou-dizhu", "baohuang"])
def test_a_decision_by_iterations_does_not_hang_on_the_clock(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine whose clock runs wild all comes out as on any other, but for how long it is said to have taken."""
    wild = Random(1)
    deal, step = first_deal(GAMES[game_id](), Random(3)).deal, 0
    while (seat := deal.to_act) is not None:
        view, budget = deal.view(seat), Budget(iterations=20, seed=step)
        if step % 9 == 8:
            decision = pimc_strategy.decide(view, budget)
            with monkeypatch.context() as patched:
                patched.setattr(time, "monotonic", lambda: wild.uniform(0.0, 1e6))
                again = pimc_strategy.decide(view, budget)
            assert replace(again, elapsed_s=0.0) == replace(decision, elapsed_s=0.0)
        deal, step = deal.apply(greedy_strategy.decide(view, budget).action).deal, step + 1
    assert step > 9


def test_a_decision_tells_its_candidates_best_first() -> None:
    """The action is the best candidate, and all candidates are legal and different."""
    for view in positions(Random(6)):
        decision = pimc_strategy.decide(view, Budget(iterations=100, seed=1))
        candidates = [evaluation.action for evaluation in decision.evaluations]
        assert decision.action == candidates[0]
        assert len(set(candidates)) == len(candidates)
        assert all(evaluation.standard_error is not None for evaluation in decision.evaluations)


def test_a_deadline_is_kept() -> None:
    """When the time is over no further world is tried: of hardly any there is one small batch, of some no million."""
    for view in positions(Random(6)):
        late = pimc_strategy.decide(view, Budget(time_s=1e-9))
        assert late.worlds == 4
        assert all(evaluation.visits == 4 for evaluation in late.evaluations)
        timed = pimc_strategy.decide(view, Budget(time_s=0.03, iterations=1_000_000))
        assert timed.worlds is not None
        assert timed.worlds < 1_000_000


def test_beliefs_add_up_and_name_nobody_who_cannot_be() -> None:
    """Where the secretary card is: chances sum to 1, none for the seat itself, none for who has shown a void."""
    rng = Random(12)
    told = 0
    for _ in range(6):
        for deal, decision in play(NapoleonTw(), rng, [pimc_strategy] * 5):
            holders = {card: seat for seat, own in enumerate(deal.owns) for card in own.hand}
            for card, places in decision.cards.items():
                assert math.isclose(sum(places.values()), 1.0, abs_tol=1e-9)
                assert all(place.zone is Zone.HAND and place.seat != deal.to_act for place in places)
                assert any(place.seat == holders[card] for place in places)
                told += 1
            for seat, roles in decision.roles.items():
                assert math.isclose(sum(roles.values()), 1.0, abs_tol=1e-9)
                assert set(roles) == {Role.PARTNER, Role.OPPONENT}
                assert seat != deal.to_act
    assert told


def test_a_role_is_used_only_by_a_seat_that_knows_it() -> None:
    """Before the secretary is shown he knows his friend, Napoleon trusts nobody, and an ally is in the dark."""
    rules = rules_of_deal(NapoleonTw().house.terms, 0, 12)
    state = np.zeros(STATE, np.int64)
    begin_play(state, 0, -1, -1, 12, 1, 0)
    secretary, plain = 1 << 12, 1 << 20
    assert is_friend(rules, state, 2, secretary, 0)
    assert not is_friend(rules, state, 2, secretary, 3)
    assert not is_friend(rules, state, 0, plain, 2)
    assert is_friend(rules, state, 3, plain, 2)
    assert is_friend(rules, state, 3, plain, 4)
    assert not is_friend(rules, state, 3, plain, 0)
    state[REVEALED] |= 1 << 2
    assert is_friend(rules, state, 0, plain, 2)
    assert not is_friend(rules, state, 3, plain, 2)
    assert is_friend(rules, state, 2, plain, 0)


def test_a_race_drops_losers_and_stops_when_one_is_left() -> None:
    """A candidate that is clearly behind is tried no further; every candidate has its standing."""

    def trial(active: Vector, first: int, results: Matrix) -> None:
        for candidate in active:
            noise = [(first + k) * 7919 % 5 for k in range(results.shape[1])]
            results[candidate] = [value + (10 if candidate == 1 else 0) for value in noise]

    outcome = race(trial, 3, 10_000, None)
    assert [standing.candidate for standing in outcome.standings[:1]] == [1]
    assert {0, 1, 2} == {standing.candidate for standing in outcome.standings}
    assert outcome.worlds < 200
    assert outcome.playouts == 3 * outcome.worlds


def test_budgets_and_names_are_checked() -> None:
    """A budget without a limit, or with a senseless one, and an unknown name, are refused in words."""
    for wrong in ({}, {"time_s": 0.0}, {"iterations": 0}):
        with pytest.raises(ValueError, match=r"budget|iteration"):
            Budget(**wrong)
    assert find_strategy("pimc") is pimc_strategy
    with pytest.raises(UnknownStrategy, match="there is no strategy 'psychic'; there are greedy, pimc, random"):
        find_strategy("psychic")

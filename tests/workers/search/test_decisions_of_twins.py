"""A decision hangs on nothing that its seat cannot see: it is alike in deals that differ in hidden cards alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.noninterference import pairs, phases_of, steps_of

from junto.games.actions import Action
from junto.games.catalog import GAMES
from junto.games.core import Deal, View
from junto.games.view import Phase
from junto.search.decisions import Budget, Decision, Strategy
from junto.search.strategies import greedy_strategy, pimc_strategy

from ...games.playing import random_action, random_game  # noqa: TID252 (tests are no package)

PAIRS = 3
AT_ONCE = 4
"""So many decisions of a pair are looked at, the last ones."""
GAMES_AND_PHASES = [(name, phase) for name, game_type in GAMES.items() for phase in phases_of(game_type)]
ONCE = Budget(iterations=1, seed=1)


def sensible_or_not(deal: Deal, rng: Random) -> Action:
    """Return what the rules of thumb do, or any legal action: claims, calls and jokers come up that thumbs avoid."""
    assert deal.to_act is not None
    if rng.random() < 0.5:
        return greedy_strategy.decide(deal.view(deal.to_act), ONCE).action
    return random_action(deal, rng)


def decided(strategy: Strategy, view: View, seed: int) -> Decision:
    """Return a decision, but for how long it took."""
    return replace(strategy.decide(view, Budget(iterations=5, seed=seed)), elapsed_s=0.0)


@pytest.mark.parametrize(
    ("name", "phase"), GAMES_AND_PHASES, ids=[f"{name}-{phase.name.lower()}" for name, phase in GAMES_AND_PHASES]
)
def test_twins_are_decided_alike(name: str, phase: Phase) -> None:
    """Action, evaluations and beliefs are the same in both deals, at every decision of the watcher up to the last."""
    rng = Random(f"{name} {phase.name}")
    for pair in pairs(lambda rng: random_game(GAMES[name], rng), sensible_or_not, phase, PAIRS, rng, deals=2):
        both = zip(steps_of(pair, pair.first), steps_of(pair, pair.second), strict=True)
        asked = [(one.deal, other.deal) for one, other in both if one.deal.to_act == pair.watcher]
        for one, other in asked[-AT_ONCE:]:
            for strategy in (greedy_strategy, pimc_strategy):
                seed = rng.getrandbits(64)
                decision = decided(strategy, one.view(pair.watcher), seed)
                assert decision == decided(strategy, other.view(pair.watcher), seed)

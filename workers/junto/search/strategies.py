"""The built-in strategies, as the entry points of group `junto.strategies` name them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.metadata import entry_points

from junto.games.climbing.deal import ClimbingGame
from junto.games.core import View
from junto.search.checking import check_view
from junto.search.climbing.strategy import GreedyClimbing, PimcClimbing
from junto.search.decisions import Budget, Decision, Evaluation, Strategy, StrategyError, UnplayableGame
from junto.search.random_choice import RandomStrategy
from junto.search.tricks.strategy import GreedyTricks, PimcTricks


class UnknownStrategy(LookupError):
    """No strategy of that name is installed."""


@dataclass(frozen=True, slots=True)
class ByFamily:
    """A strategy that is another one in the climbing games than in the trick-taking games."""

    tricks: Strategy
    climbing: Strategy

    def decide(self, view: View, budget: Budget) -> Decision:
        """Let the game's own decide.

        Raises:
            StrategyError: the view is one that no seat has who has to decide, or contradicts itself.
        """
        check_view(view)
        own = self.climbing if isinstance(view.game, ClimbingGame) else self.tricks
        return own.decide(view, budget)


random_strategy: Strategy = RandomStrategy()
"""Any legal action."""
greedy_strategy: Strategy = ByFamily(GreedyTricks(), GreedyClimbing())
"""One rule of thumb per decision."""
pimc_strategy: Strategy = ByFamily(PimcTricks(), PimcClimbing())
"""Candidates tried in sampled worlds."""


@functools.cache
def find_strategy(name: str) -> Strategy:
    """Return an installed strategy by its name, which is looked for once a process: that takes 10 ms.

    Raises:
        UnknownStrategy: there is none of that name.
    """
    found = entry_points(group="junto.strategies", name=name)
    if not found:
        names = ", ".join(sorted({entry.name for entry in entry_points(group="junto.strategies")}))
        raise UnknownStrategy(f"there is no strategy {name!r}; there are {names}")
    strategy: Strategy = next(iter(found)).load()
    return strategy


__all__ = [
    "Budget",
    "Decision",
    "Evaluation",
    "Strategy",
    "StrategyError",
    "UnknownStrategy",
    "UnplayableGame",
    "find_strategy",
    "greedy_strategy",
    "pimc_strategy",
    "random_strategy",
]

"""The built-in strategies, as the entry points of group `junto.strategies` name them."""

from __future__ import annotations

from importlib.metadata import entry_points

from junto.search.decisions import Budget, Decision, Evaluation, Strategy, StrategyError, UnplayableGame
from junto.search.random_choice import RandomStrategy
from junto.search.tricks.strategy import GreedyTricks, PimcTricks


class UnknownStrategy(LookupError):
    """No strategy of that name is installed."""


random_strategy: Strategy = RandomStrategy()
"""Any legal action."""
greedy_strategy: Strategy = GreedyTricks()
"""One rule of thumb per decision."""
pimc_strategy: Strategy = PimcTricks()
"""Candidates tried in sampled worlds."""


def find_strategy(name: str) -> Strategy:
    """Return an installed strategy by its name.

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

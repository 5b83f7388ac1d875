"""A player whose playouts of climbing games are solved earlier or later than usual: to measure what that gains."""

from __future__ import annotations

from dataclasses import dataclass

from junto.games.climbing.deal import ClimbingGame
from junto.games.core import View
from junto.search.climbing.habits import ENDING_CARDS, habits_of
from junto.search.decisions import Budget, Decision, Strategy


@dataclass(frozen=True, slots=True)
class _WithEndings:
    """A strategy for whose decisions the habits of a game are others: its process decides one thing at a time."""

    strategy: Strategy
    cards: int

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide like the strategy, with playouts that are solved once so many cards are left."""
        if not isinstance(view.game, ClimbingGame):
            return self.strategy.decide(view, budget)
        habits = habits_of(view.game.terms)
        usual = habits[ENDING_CARDS]
        habits[ENDING_CARDS] = self.cards
        try:
            return self.strategy.decide(view, budget)
        finally:
            habits[ENDING_CARDS] = usual


def with_endings(strategy: Strategy, cards: int) -> Strategy:
    """Return a strategy whose playouts of climbing games are solved once so many cards are left in all hands."""
    return _WithEndings(strategy, cards)

"""Entrants at work: a built-in strategy in this very process, an outside one wherever it lives."""

from __future__ import annotations

from junto.arena.deciding import Chair, Entry, SeatFailed
from junto.arena.entrants import Entrant, Kind
from junto.arena.outside.entries import open_entry as open_outside
from junto.arena.records import Failing
from junto.games.core import Game, View
from junto.search.decisions import Budget, Decision, Strategy, StrategyError
from junto.search.strategies import find_strategy


class BuiltIn:
    """A strategy that came with Junto: it remembers nothing, so that it is every chair itself."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def sit(self) -> Chair:
        """See `Entry`."""
        return self

    def decide(self, view: View, budget: Budget) -> Decision:
        """See `Chair`."""
        try:
            return self._strategy.decide(view, budget)
        except StrategyError as error:
            raise SeatFailed(Failing.RAISED, str(error)) from error

    def leave(self) -> None:
        """See `Chair`."""

    def close(self) -> None:
        """See `Entry`."""


def open_entry(entrant: Entrant, game: Game) -> Entry:
    """Return an entrant at work.

    Raises:
        StrategyUnfit: its strategy cannot be loaded, or does not play this game.
    """
    if entrant.kind is Kind.BUILT_IN:
        return BuiltIn(find_strategy(entrant.strategy))
    return open_outside(entrant, game)

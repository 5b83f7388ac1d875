"""Which games a strategy plays, told without loading it: a server lists bots and lets others decide."""

from __future__ import annotations

from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Game
from junto.games.tricks.deal import TricksGame

BY_FAMILY = frozenset({"greedy", "pimc"})
"""The built-in strategies that know the trick-taking games and the climbing games alone."""


def plays(strategy_id: str, game: type[Game]) -> bool:
    """Return whether a strategy plays a game; of one that is not built in, nobody knows that it does not."""
    return strategy_id not in BY_FAMILY or issubclass(game, (TricksGame, ClimbingGame))

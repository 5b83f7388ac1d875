"""Opens the entrants whose strategies are not ours."""

from __future__ import annotations

from junto.arena.deciding import Entry
from junto.arena.entrants import Entrant, Kind
from junto.arena.outside.loading import source_of
from junto.arena.outside.processes import ProcessEntry
from junto.arena.outside.services import ServiceEntry
from junto.games.core import Game


def open_entry(entrant: Entrant, game: Game) -> Entry:
    """Return an entrant at work, for one process. It is to be closed.

    Raises:
        StrategyUnfit: its strategy cannot be loaded or reached, or does not play the game.
        ValueError: its strategy is a built-in one.
    """
    match entrant.kind:
        case Kind.FILE | Kind.INSTALLED:
            return ProcessEntry(source_of(entrant.strategy), entrant.waited_s, game.id)
        case Kind.SERVICE:
            return ServiceEntry(entrant.strategy, entrant.waited_s, game.id)
        case Kind.BUILT_IN:
            raise ValueError(f"{entrant.strategy} runs in the worker itself")

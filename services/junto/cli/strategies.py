"""The bots of the catalogue: every installed strategy, by its entry point, none of them loaded.

A front never decides anything, so it need not load the search, which takes seconds.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

from junto.games.catalog import GAMES
from junto.search.repertoire import plays
from junto.v1 import catalog_pb2

GROUP: Final = "junto.strategies"
TITLES: Final = {
    "random": "Any legal action",
    "greedy": "A rule of thumb for every decision, no search",
    "pimc": "Plays out sampled worlds (perfect-information Monte Carlo)",
}
"""What the built-in ones are. Others are called by their names."""


def strategy_names() -> list[str]:
    """Return the names of all installed strategies."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def installed() -> list[catalog_pb2.Strategy]:
    """Return the entry of every installed strategy, with the games that it plays."""
    return [
        catalog_pb2.Strategy(
            id=entry.name,
            title=TITLES.get(entry.name, entry.name),
            version=entry.dist.version if entry.dist is not None else "",
            game_ids=sorted(game_id for game_id, game in GAMES.items() if plays(entry.name, game)),
        )
        for entry in entry_points(group=GROUP)
    ]

"""The bots of the catalogue."""

from __future__ import annotations

from typing import cast

import pytest

from junto.cli import strategies
from junto.games.catalog import GAMES
from junto.games.core import Game

OLD_MAID = cast("type[Game]", type("OldMaid", (Game,), {"id": "old-maid"}))


def test_a_strategy_is_listed_with_the_games_that_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without tricks can be played with the random bot, not with those that know tricks alone."""
    monkeypatch.setattr(strategies, "GAMES", {**GAMES, "old-maid": OLD_MAID})

    listed = {strategy.id: set(strategy.game_ids) for strategy in strategies.installed()}

    assert listed["random"] == {*GAMES, "old-maid"}
    assert listed["greedy"] == listed["pimc"] == set(GAMES)

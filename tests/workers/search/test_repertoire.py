"""Which games the built-in strategies are said to play."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from junto.games.catalog import GAMES, open_game
from junto.games.core import Game
from junto.search.decisions import Budget
from junto.search.repertoire import plays
from junto.search.strategies import find_strategy

from ...games.playing import first_deal  # noqa: TID252 (tests are no package)

BUILT_IN = ("random", "greedy", "pimc")
OLD_MAID = cast("type[Game]", type("OldMaid", (Game,), {"id": "old-maid"}))


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_strategy_decides_in_each_game_that_it_is_said_to_play(name: str, game_id: str) -> None:
    """The first prompt of a deal is answered by a legal action."""
    assert plays(name, GAMES[game_id])
    deal = first_deal(open_game(game_id), Random(3)).deal
    assert deal.to_act is not None

    deal.check(find_strategy(name).decide(deal.view(deal.to_act), Budget(iterations=2, seed=3)).action)


def test_a_game_without_tricks_is_played_by_chance_alone() -> None:
    """The rules of thumb and the search know tricks; of a strategy of somebody else's it is taken that it plays."""
    assert [name for name in (*BUILT_IN, "of somebody else") if plays(name, OLD_MAID)] == ["random", "of somebody else"]

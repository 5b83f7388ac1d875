"""Random playouts of climbing games: what they record are deals by the rules, scored as these score them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.options import OptionValue
from junto.search.climbing.openings import tables
from junto.search.climbing.random_playouts import RandomClimbing

from .begun import GAMES, as_action, deal_to_play

Options = Mapping[str, OptionValue]
EVERY_GAME = pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
DEALS = 12


def playouts_of(deal: ClimbingDeal, deals: int) -> RandomClimbing:
    """Return a place to play so many deals of a deal's game."""
    assert isinstance(deal.game, ClimbingGame)
    return RandomClimbing.under(deal.game.terms.vector, deals)


@EVERY_GAME
def test_a_random_playout_is_a_deal_by_the_rules(game_id: str, options: Options) -> None:
    """Each action of the record is legal where it was drawn, the deal is over after the last, and the scores agree."""
    for seed in range(DEALS):
        deal = deal_to_play(game_id, options, seed)
        playouts = playouts_of(deal, 1)
        actions = playouts.play(seed, *tables([deal]))
        for action in playouts.record[:actions].tolist():
            deal = deal.apply(as_action(deal, action)).deal  # type: ignore[assignment]
        assert deal.is_over
        assert deal.scores == tuple(playouts.scores[0, : deal.game.seats].tolist())


@EVERY_GAME
def test_a_playout_depends_on_its_seed_alone(game_id: str, options: Options) -> None:
    """The same seed gives the same actions and scores, another seed others; the deals are as they were."""
    deals = [deal_to_play(game_id, options, seed) for seed in range(3)]
    begun, dealt = tables(deals)
    before = begun.copy(), dealt.copy()
    ran = []
    for seed in (7, 7, 8):
        playouts = playouts_of(deals[0], len(deals))
        actions = playouts.play(seed, begun, dealt)
        ran.append((actions, playouts.record.tolist(), playouts.scores.tolist()))
    assert ran[0] == ran[1]
    assert ran[0] != ran[2]
    assert np.array_equal(begun, before[0])
    assert np.array_equal(dealt, before[1])

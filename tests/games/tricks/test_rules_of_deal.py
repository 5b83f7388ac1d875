"""The rules vector of a deal is written within its bounds, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from junto.games.catalog import open_game
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.terms import Terms, rules_of_deal


@pytest.fixture
def terms() -> Terms:
    """The terms of a game with jacks of power."""
    game = open_game("napoleon-jp", {})
    assert isinstance(game, TricksGame)
    return game.terms


def test_there_are_no_trumps_before_they_are_known(terms: Terms) -> None:
    """The kernel is not asked about trumps that are no suit: it would write beside the vector."""
    rules = rules_of_deal(terms, -1)

    assert rules[kernel.TRUMP] == 4
    assert np.array_equal(rules, rules_of_deal(terms, 4))


@pytest.mark.parametrize("trump", [-2, 5])
def test_trumps_that_cannot_be_are_refused(terms: Terms, trump: int) -> None:
    """Whatever else is taken for trumps is a mistake."""
    with pytest.raises(ValueError, match="not"):
        rules_of_deal(terms, trump)

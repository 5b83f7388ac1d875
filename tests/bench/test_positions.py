"""The positions that benchmarks decide in."""

from __future__ import annotations

import pytest
from bench._positions import requests

from junto.games.catalog import GAMES
from junto.search.decisions import Budget
from junto.search.strategies import random_strategy
from junto.v1 import strategies_pb2
from junto.wire.requests import read_request


@pytest.mark.parametrize("game_id", GAMES)
def test_there_is_something_to_decide_in_each(game_id: str) -> None:
    """A card that must be played takes no time: counted among decisions it would make them look fast."""
    asked = requests(game_id, strategies_pb2.Budget(iterations=1), 60)

    assert len(asked) == 60
    for request in asked:
        view = read_request(strategies_pb2.DecideRequest.FromString(request))
        done = (random_strategy.decide(view, Budget(iterations=1, seed=seed)).action for seed in range(64))
        first = next(done)
        assert any(other != first for other in done)

"""Bridge beside OpenSpiel's bot; left out where the package open-spiel is not installed."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest

pytest.importorskip("pyspiel")
peers = pytest.importorskip("bench.peers.bridge_ismcts")


def options(**other: object) -> Namespace:
    """Return those of a short run."""
    return Namespace(**{"seconds": 0.01, "times": 2.5, "simulations": 3, "strategy": "greedy", **other})


def played(number: int) -> list[tuple[int, int]]:
    """Play a deal, and return tricks and score of all its games."""
    record: dict[str, Any] = peers.play_deal(options(), number)
    return [(game["tricks"], game["score"]) for games in record["contracts"].values() for game in games]


def test_a_deal_is_played_alike_whatever_was_played_before() -> None:
    """A run that goes on comes to what one would that was never stopped: each game has a bot of its own."""
    first = played(7)
    played(8)

    assert len(first) == len(peers.CONTRACTS) * len(peers.PAIRINGS)
    assert played(7) == first


def test_results_of_other_limits_have_files_of_their_own() -> None:
    """What goes on goes on with the same comparison."""
    others: list[dict[str, object]] = [
        {}, {"seconds": 0.02}, {"seconds": None}, {"seconds": None, "times": 1.0}, {"simulations": 4},
        {"strategy": "pimc"},
    ]  # fmt: skip

    assert len({peers.spec_of(options(**other)).file_name for other in others}) == len(others)

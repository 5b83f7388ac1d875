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


def test_each_game_has_a_bot_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot has seen of one game does not reach the next, so a run may be stopped and go on between any two."""
    bots: list[Any] = []

    def noted(simulations: int, seed: int) -> Any:
        bots.append(new_bot(simulations, seed))
        return bots[-1]

    new_bot = peers.peer_bot
    monkeypatch.setattr(peers, "peer_bot", noted)
    record = peers.play_deal(options(), 7)

    games = [game for games in record["contracts"].values() for game in games]
    assert len(games) == len(peers.CONTRACTS) * len(peers.PAIRINGS)
    assert len({id(bot) for bot in bots}) == len(games)


def test_results_of_other_limits_have_files_of_their_own() -> None:
    """What goes on goes on with the same comparison."""
    others: list[dict[str, object]] = [
        {}, {"seconds": 0.02}, {"seconds": None}, {"seconds": None, "times": 1.0}, {"simulations": 4},
        {"strategy": "pimc"},
    ]  # fmt: skip

    assert len({peers.spec_of(options(**other)).file_name for other in others}) == len(others)

"""Positions to decide in, as requests to a worker: those of whole deals that are played by the rules of thumb."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from junto.games.catalog import open_game
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.v1.strategies_pb2 import Budget as Limits
from junto.wire.requests import request_bytes

DECISION = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"
ONCE = Budget(iterations=1, seed=1)


def requests(game_id: str, budget: Limits, wanted: int) -> list[bytes]:
    """Return the requests of the first positions in which a seat has a choice, the same ones for every budget."""
    return list(islice(_positions(game_id, budget), wanted))


def _positions(game_id: str, budget: Limits) -> Iterator[bytes]:
    game = open_game(game_id)
    for number in count():
        secret = number.to_bytes(SECRET_BYTES, "big")
        deal = game.deal(game.new_match().opened(), DealSeed(secret, (b"",) * game.seats)).deal
        while (seat := deal.to_act) is not None:
            view = deal.view(seat)
            if len(list(islice(deal.legal_actions(), 2))) > 1:
                yield request_bytes(view, DECISION, budget)
            deal = deal.apply(greedy_strategy.decide(view, ONCE).action).deal

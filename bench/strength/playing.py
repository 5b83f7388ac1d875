"""Play one deal to a score, and time one seat's decisions.

All randomness follows from the number of the deal: the cards from it and the attempt (a deal that all pass is dealt
again, as at the table), a decision's from these, the step of the deal and the seat. Which process plays it, and what it
played before, does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bench.strength.players import Player

from junto.arena.playing import mixed
from junto.games.core import Deal, Game
from junto.games.shuffle import DealSeed
from junto.games.view import Outcome
from junto.search.decisions import Decision

Watch = Callable[[Deal, Decision, float], None]
"""Told of a decision: the deal before it, what was decided, and how many seconds that took."""
_MOST_VOIDS: Final = 100
_PURPOSE: Final = b"junto/strength/1"


def decision_seed(number: int, attempt: int, step: int, seat: int) -> int:
    """Return the seed of a decision, of 63 bits."""
    return int.from_bytes(mixed(_PURPOSE, number, attempt, step, seat)[:8], "little") >> 1


def fresh_deal(game: Game, number: int, attempt: int = 0) -> Deal:
    """Return the deal of a number before anybody acts: the first of a match."""
    return game.deal(game.new_match().opened(), _seed(game, number, attempt)).deal


def _seed(game: Game, number: int, attempt: int) -> DealSeed:
    return DealSeed(mixed(_PURPOSE, number, attempt), (b"",) * game.seats)


def play(game: Game, number: int, players: Sequence[Player], watched: frozenset[int], watch: Watch) -> tuple[int, ...]:
    """Play deal `number` to a score, dealing again while all pass; return the scores by seat."""
    match = game.new_match()
    for attempt in range(_MOST_VOIDS):
        match = match.opened()
        deal = game.deal(match, _seed(game, number, attempt)).deal
        step = 0
        while not deal.is_over:
            deal = _decided(deal, players, (number, attempt, step), watched, watch)
            step += 1
        assert deal.shared.result is not None
        if deal.shared.result.outcome is not Outcome.VOID:
            assert deal.scores is not None
            return deal.scores
        match = game.after(match, deal)
    raise AssertionError(f"deal {number}: everybody passed {_MOST_VOIDS} times")


def _decided(
    deal: Deal, players: Sequence[Player], place: tuple[int, int, int], watched: frozenset[int], watch: Watch
) -> Deal:
    seat = deal.to_act
    assert seat is not None
    view, strategy = deal.view(seat), players[seat].strategy(deal)
    budget = replace(players[seat].budget, seed=decision_seed(*place, seat))
    began = time.perf_counter()
    decision = strategy.decide(view, budget)
    seconds = time.perf_counter() - began
    if seat in watched:
        watch(deal, decision, seconds)
    return deal.apply(decision.action).deal

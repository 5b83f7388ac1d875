"""Trials by double-dummy solving: in a world all cards are seen, and every side plays its best.

Endings of a few cards are solved by ourselves, which saves the cost of a call to Bo Haglund's solver.

For games of plain tricks with fixed sides: bridge, bridge for three, whist. A solve cannot be interrupted, so it
is used only where a few worlds fit into the time there is; else worlds are played on by the rules of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from junto.games.actions import Play
from junto.games.cards import Card
from junto.games.tricks import kernel, scoring
from junto.games.tricks.kernel import NOBODY, TRICKS, TRUMP
from junto.search.double_dummy import tricks_in_worlds
from junto.search.endings import new_memory, write_tricks_in_worlds
from junto.search.racing import Matrix, Trial, Vector
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge
from junto.search.tricks.position import play_position
from junto.search.tricks.state import COUNT, LEADER, TRICK

FIRST_BATCH: Final = 4
"""Worlds that are solved before the time is looked at."""
_LEAST_WORLDS: Final = 12
"""So many must fit into half the time."""
_SECONDS: Final = (0.0006,) * 7 + (0.001, 0.002, 0.004, 0.008, 0.03, 0.08, 0.25)
"""About what a world takes to solve, by the cards in a hand."""
_UNTIMED: Final = 10
"""Without a limit of time, hands of so many cards are solved."""
_PLACES: Final = 4
_ENDING: Final = 5
"""Hands of so many cards we solve ourselves: in a third of the time or less."""


def is_solvable(known: Knowledge, time_s: float | None) -> bool:
    """Tell whether the game is one of plain tricks, and a few worlds can be solved in the time."""
    terms = known.terms
    plain = terms.trick_points == 1 and terms.seats == _PLACES and known.partner >= 0 and not terms.jokers
    if not plain:
        return False
    cards = max(known.sizes)
    return cards <= _UNTIMED if time_s is None else _LEAST_WORLDS * seconds_a_world(cards) <= time_s / 2


def seconds_a_world(cards: int) -> float:
    """Return about what a world with so many cards in a hand takes to solve."""
    return _SECONDS[cards]


def solved_trial(known: Knowledge, actions: Sequence[Play], pool: Pool) -> Trial:
    """Return the trial that solves each world, of the seat that decides, for the plays to try."""
    position = play_position(known)
    state, trump = position.state, int(position.rules[TRUMP])
    side = {known.declarer, known.partner}
    taken = int(sum(position.points[place] for place in side))
    left = int(position.rules[TRICKS] - state[TRICK])
    payoff = scores_by_tricks(known)
    trick = [card for _, card in known.tricks[-1].cards] if state[COUNT] > 0 else []
    cards = np.array([play.card for play in actions])
    memory = new_memory() if max(known.sizes) <= _ENDING else None

    def trial(active: Vector, first: int, results: Matrix) -> None:
        rows = pool.rows(first, results.shape[1])
        hands = np.ascontiguousarray(pool.matrix[rows][:, :_PLACES])
        if memory is None:
            tricks = tricks_in_worlds(hands, trump, int(state[LEADER]), trick).astype(np.int64)
        else:
            tricks = np.empty((len(hands), kernel.SMALL_JOKER), np.int64)
            write_tricks_in_worlds(tricks, position.rules, hands, int(state[LEADER]), _packed(trick), memory)
        own = tricks[:, cards[active]].T
        results[active] = payoff[taken + (own if known.turn in side else left - own)]

    return trial


def _packed(cards: Sequence[Card]) -> int:
    packed = 0
    for place, card in enumerate(cards):
        packed = int(kernel.packed(packed, place, card))
    return packed


def scores_by_tricks(known: Knowledge) -> Vector:
    """Return the score of the seat that decides, by the tricks that the declarer's side takes in all."""
    terms, scores = known.terms, np.zeros(_PLACES, np.int64)
    found = np.zeros(terms.tricks + 1, np.int64)
    for tricks in range(terms.tricks + 1):
        scoring.write_scores(
            scores, terms.vector, known.declarer, known.partner, NOBODY, known.contract, tricks, terms.tricks - tricks
        )
        found[tricks] = scores[known.place]
    return found


def claim_holds(known: Knowledge, tricks: int, pool: Pool, worlds: int) -> bool:
    """Tell whether the declarer's side can take so many of the tricks that are left in each of so many worlds.

    That is asked between two tricks.
    """
    position = play_position(known)
    leader, side = int(position.state[LEADER]), {known.declarer, known.partner}
    left = int(position.rules[TRICKS] - position.state[TRICK])
    rows = pool.rows(0, worlds)
    hands = pool.matrix[rows][:, :_PLACES]
    best = tricks_in_worlds(hands, int(position.rules[TRUMP]), leader).max(axis=1)
    return bool(np.all((best if leader in side else left - best) >= tricks))

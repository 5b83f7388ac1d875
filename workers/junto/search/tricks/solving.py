"""Plays compared by double-dummy solving: in a world all cards are seen, and every side plays its best.

For games of plain tricks with fixed sides: bridge, bridge for three, whist. Even a few solved worlds tell more than
many that are played on by the rules of thumb; those count where no world was solved in time, and beside very few.
A solved world's tricks are not taken for certain: what they score is evened out over a trick or two more and less,
since nobody sees all cards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from junto.games.actions import Play
from junto.games.tricks import scoring
from junto.games.tricks.kernel import NOBODY, TRICKS, TRUMP
from junto.search.double_dummy import tricks_in_worlds
from junto.search.racing import Race, Scores, Standing, Vector, error_of, telling_of
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge
from junto.search.tricks.position import play_position
from junto.search.tricks.state import COUNT, LEADER, TRICK

_BATCH: Final = 8
"""Worlds that are solved before it is asked whether the best play is clear."""
_ENOUGH: Final = 32
"""More worlds are solved only if so many are asked for."""
_SURE: Final = 2.0
"""It is clear if it is ahead of each other play by so many standard errors."""
_SECONDS: Final = (0.0,) * 10 + (0.001, 0.003, 0.008, 0.03)
"""About what a world takes to solve, by the cards in a hand: with less time it is not tried."""
_UNTIMED: Final = 10
"""Without a limit of time, hands of so many cards are solved."""
_LEAST_CLAIM_WORLDS: Final = 4
_PLACES: Final = 4
_THUMB: Final = 0.25
"""The worlds played on by rules of thumb count as much as so many solved ones."""
_EVENED: Final = 4
"""So many times a quarter of what a number of tricks scores goes to one trick more, and a quarter to one less."""


def is_solvable(known: Knowledge, time_s: float | None) -> bool:
    """Tell whether the game is one of plain tricks, and a world can be solved in the time."""
    terms = known.terms
    plain = terms.trick_points == 1 and terms.seats == _PLACES and known.partner >= 0 and not terms.jokers
    if not plain:
        return False
    cards = max(known.sizes)
    return cards <= _UNTIMED if time_s is None else _SECONDS[cards] < time_s


def race_solved(
    known: Knowledge, actions: Sequence[Play], pool: Pool, thumb: Race, iterations: int | None, deadline: float | None
) -> Race:
    """Compare plays in solved worlds, after the race `thumb` of the same plays by rules of thumb.

    Stops after so many worlds, at the deadline (of `time.monotonic`), or when one play is clearly the best. Of one
    play, or where no world was solved, the race is that by rules of thumb.
    """
    position = play_position(known)
    state, leader, trump = position.state, int(position.state[LEADER]), int(position.rules[TRUMP])
    trick = [card for _, card in known.tricks[-1].cards] if state[COUNT] > 0 else []
    cards = np.array([play.card for play in actions])
    taken = int(position.points[known.declarer] + position.points[known.partner])
    payoff = payoffs(known, taken, int(position.rules[TRICKS] - state[TRICK]))
    scores: Scores = np.zeros((len(actions), 0))
    most = 0 if len(actions) == 1 else _ENOUGH if iterations is None else iterations
    while scores.shape[1] < most and not _is_clear(scores, telling_of(scores.shape[1], pool.independent)):
        rows = pool.rows(scores.shape[1], min(_BATCH, most - scores.shape[1]))
        hands = np.ascontiguousarray(pool.matrix[rows][:, :_PLACES])
        tricks = tricks_in_worlds(hands, trump, leader, trick, math.inf if deadline is None else deadline)
        scores = np.concatenate((scores, payoff[tricks[:, cards].T]), axis=1)
        if len(tricks) < len(rows):
            break
    return _combined(scores, thumb, telling_of(scores.shape[1], pool.independent))


def _is_clear(scores: Scores, telling: float) -> bool:
    """Tell whether each other play is clearly behind the best, or has scored as it did in each world.

    They tell as much as so many worlds (`telling`). Of fewer than a batch nothing is clear.
    """
    if scores.shape[1] < _BATCH:
        return False
    best = int(scores.mean(axis=1).argmax())
    behind = np.delete(scores[best] - scores, best, axis=0)
    sure = _SURE * behind.std(axis=1) / math.sqrt(max(1.0, telling - 1.0))
    return bool(np.all((behind.mean(axis=1) > sure) | (behind == 0).all(axis=1)))


def _combined(scores: Scores, thumb: Race, telling: float) -> Race:
    """Return the standings of plays in solved worlds, the rules of thumb counting as a part of one world more.

    Those solved and those played on have the same numbers: as many worlds were drawn as the longer of both has.
    """
    worlds = scores.shape[1]
    if worlds == 0:
        return thumb
    standings = []
    for other in thumb.standings:
        solved = scores[other.candidate]
        share = _THUMB / (worlds + _THUMB)
        mean = (1.0 - share) * float(solved.mean()) + share * other.mean
        error = math.hypot((1.0 - share) * error_of(solved, telling), share * other.standard_error)
        standings.append(Standing(other.candidate, mean, error, worlds + other.worlds))
    standings.sort(key=lambda standing: -standing.mean)
    return Race(tuple(standings), max(worlds, thumb.worlds), worlds * len(standings) + thumb.playouts)


def payoffs(known: Knowledge, taken: int, left: int) -> Scores:
    """Return what the seat that decides may expect to score, by the tricks that its side takes of those left.

    Declarer's side has taken so many before.
    """
    scores = scores_by_tricks(known).astype(np.float64)
    for _ in range(_EVENED):
        wider = np.pad(scores, 1, mode="reflect", reflect_type="odd")
        scores = wider[:-2] / 4 + wider[1:-1] / 2 + wider[2:] / 4
    declarers = scores[taken : taken + left + 1]
    return declarers if known.turn in (known.declarer, known.partner) else declarers[::-1]


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


def claim_holds(known: Knowledge, tricks: int, pool: Pool, worlds: int, deadline: float | None) -> bool:
    """Tell whether the declarer's side can take so many of the tricks that are left in each of so many worlds.

    That is asked between two tricks. With a deadline, those of the worlds that are solved by then must be a few.
    """
    position = play_position(known)
    leader, side = int(position.state[LEADER]), {known.declarer, known.partner}
    left = int(position.rules[TRICKS] - position.state[TRICK])
    rows = pool.rows(0, worlds)
    hands = pool.matrix[rows][:, :_PLACES]
    latest = math.inf if deadline is None else deadline
    best = tricks_in_worlds(hands, int(position.rules[TRUMP]), leader, deadline=latest).max(axis=1)
    solved = best if leader in side else left - best
    return solved.size >= min(worlds, _LEAST_CLAIM_WORLDS) and bool(np.all(solved >= tricks))

"""What a deal of a trick-taking game is worth to each seat, compiled: one implementation for server and search.

A deal has a declarer, up to two called cards with their holders, a contract, and what his side `captured` and
the others took (`lost`), in the game's unit; cards put back may belong to nobody. Which scoring a game has its
terms say (`SCORING`). Sources: the games' rule pages.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.bridge.scoring import score as duplicate_score
from junto.games.jit import inlined, njit
from junto.games.tricks.kernel import (
    ALLY_DOWN,
    ALLY_MADE,
    ALLY_OVER,
    BURIED,
    BURIED_TO_DECLARER,
    BURIED_TO_LAST,
    DECLARER_DOWN,
    DECLARER_MADE,
    DECLARER_SOLO_DOWN,
    DECLARER_SOLO_MADE,
    HOPELESS_FROM,
    NOBODY,
    SCORE_OPTIONS,
    SCORING,
    SEATS,
    SECRETARY_DOWN,
    SECRETARY_MADE,
    SECRETARY_OVER,
    SOLO_DOWN,
    SOLO_MADE,
    SOLO_OVER,
    TERMS,
    count_points,
)

Vector = npt.NDArray[np.int64]

BY_THE_CARD, BY_STAKES, BY_POINTS, DUPLICATE, BY_MARGIN = range(5)
"""Scorings: Taiwanese Napoleon's, Japanese Napoleon's, Hundred's, bridge's, whist's."""

TWENTY_LOSES, ALLIES_WIN_BY_ALL, ALLIES_WIN_BELOW_EIGHT, TOTAL_WIN_DOUBLES = 1, 2, 4, 8
"""Score options of `BY_STAKES`, a set."""
SLAMS_TAKEN, DUMMY_WITHOUT_OWNER, ZERO_SUM = 1, 2, 4
"""Score options of `DUPLICATE`, a set: slam bonuses for tricks taken; the hand of dummy is nobody's; the declarer
of a three-handed game gets what both defenders lose."""
_ALL_POINT_CARDS: Final = 20
_FEW_POINT_CARDS: Final = 8
_ALL_POINTS: Final = 100
_HALF_THE_POINTS: Final = 50
_BOOK: Final = 6


@inlined
def is_alone(declarer: int, holder: int, second_holder: int) -> bool:
    """Tell whether the declarer has no partner: he holds every called card, or nobody does."""
    return bool((holder == declarer or holder < 0) and (second_holder == declarer or second_holder < 0))


@njit
def captured_points(points: Vector, seats: int, declarer: int, holder: int, second_holder: int) -> int:
    """Return what the declarer's side captured, of the `points` of each seat; the holders are as in `write_scores`."""
    total = 0
    for seat in range(seats):
        if seat == declarer or seat == holder or seat == second_holder:  # noqa: PLR1714, SIM109  # a set is slow here
            total += points[seat]
    return int(total)


@njit
def lost_points(points: Vector, seats: int, captured: int) -> int:
    """Return what the other side has, of the `points` of each seat."""
    total = -captured
    for seat in range(seats):
        total += points[seat]
    return int(total)


@njit
def add_buried(points: Vector, terms: Vector, declarer: int, last_winner: int, put_back: int) -> None:
    """Give the points of the cards put back to whom they belong at the end of a deal, where they do to anybody."""
    if terms[BURIED] == BURIED_TO_DECLARER:
        points[declarer] += count_points(terms, put_back)
    elif terms[BURIED] == BURIED_TO_LAST:
        points[last_winner] += count_points(terms, put_back)


@njit
def is_made(terms: Vector, contract: int, captured: int) -> bool:
    """Tell whether the contract is made."""
    if terms[SCORING] == DUPLICATE:
        return captured >= (contract & 7) + _BOOK
    if terms[SCORING] == BY_STAKES and terms[SCORE_OPTIONS] & TWENTY_LOSES and contract < _ALL_POINT_CARDS:
        return contract <= captured < _ALL_POINT_CARDS
    return captured >= contract


@njit
def write_scores(
    scores: Vector, terms: Vector, declarer: int, holder: int, second_holder: int, contract: int,
    captured: int, lost: int,
) -> None:  # fmt: skip
    """Write every seat's score of a deal that was played out.

    `holder` and `second_holder` are the seats that held the called cards (-1: no such card was called, or
    nobody held it); the declarer's own seat, or none, makes him alone. In bridge the `holder` is dummy, and the
    contract is packed (`packed_contract`).
    """
    scoring = terms[SCORING]
    if scoring == BY_THE_CARD:
        _score_by_the_card(scores, terms, declarer, holder, second_holder, contract, captured)
    elif scoring == BY_STAKES:
        _score_by_stakes(scores, terms, declarer, holder, contract, captured, lost)
    elif scoring == BY_POINTS:
        _score_by_points(scores, terms, declarer, holder, contract, captured, lost)
    elif scoring == DUPLICATE:
        _score_duplicate(scores, terms, declarer, holder, contract, captured)
    else:
        _score_by_margin(scores, terms, declarer, holder, captured, lost)


@njit
def write_hopeless_scores(scores: Vector, terms: Vector, declarer: int, contract: int) -> None:
    """Write every seat's score when the contract asks for more cards than count: the declarer alone loses."""
    write_scores(scores, terms, declarer, declarer, NOBODY, contract, terms[HOPELESS_FROM], 0)


@njit
def _score_by_the_card(
    scores: Vector, terms: Vector, declarer: int, holder: int, second_holder: int, contract: int, captured: int
) -> None:
    over = captured - contract
    alone = is_alone(declarer, holder, second_holder)
    if over < 0:
        ally = -over * terms[SOLO_DOWN if alone else ALLY_DOWN]
        share = over * terms[SECRETARY_DOWN]
    elif alone:
        ally = -(terms[SOLO_MADE] + over * terms[SOLO_OVER])
        share = 0
    else:
        ally = -(terms[ALLY_MADE] + over * terms[ALLY_OVER])
        share = terms[SECRETARY_MADE] + over * terms[SECRETARY_OVER]
    balance = 0
    for seat in range(terms[SEATS]):
        cards = (1 if seat == holder else 0) + (1 if seat == second_holder else 0)
        scores[seat] = ally if cards == 0 else cards * share
        if seat != declarer:
            balance += scores[seat]
    scores[declarer] = -balance


@njit
def _score_by_stakes(
    scores: Vector, terms: Vector, declarer: int, holder: int, contract: int, captured: int, lost: int
) -> None:
    """Score by fixed stakes: what each seat gets for a contract made and for one that is down."""
    options = terms[SCORE_OPTIONS]
    made = is_made(terms, contract, captured)
    total = captured == _ALL_POINT_CARDS
    if not made:
        total = bool(options & ALLIES_WIN_BY_ALL) and lost == _ALL_POINT_CARDS
        total = total or (bool(options & ALLIES_WIN_BELOW_EIGHT) and captured < _FEW_POINT_CARDS)
    factor = 2 if total and options & TOTAL_WIN_DOUBLES else 1
    alone = is_alone(declarer, holder, NOBODY)
    for seat in range(terms[SEATS]):
        if seat == declarer and alone:
            own = terms[DECLARER_SOLO_MADE] if made else terms[DECLARER_SOLO_DOWN]
        elif seat == declarer:
            own = terms[DECLARER_MADE] if made else terms[DECLARER_DOWN]
        elif seat == holder:
            own = terms[SECRETARY_MADE] if made else terms[SECRETARY_DOWN]
        elif alone:
            own = terms[SOLO_MADE] if made else terms[SOLO_DOWN]
        else:
            own = terms[ALLY_MADE] if made else terms[ALLY_DOWN]
        scores[seat] = factor * own


@njit
def _score_by_points(
    scores: Vector, terms: Vector, declarer: int, holder: int, contract: int, captured: int, lost: int
) -> None:
    own = contract if captured >= contract else -contract
    if captured == _ALL_POINTS:
        own = 2 * _ALL_POINTS
    others = 2 * lost if captured < _HALF_THE_POINTS else lost
    for seat in range(terms[SEATS]):
        scores[seat] = own if seat in (declarer, holder) else others


@njit
def _score_duplicate(scores: Vector, terms: Vector, declarer: int, dummy: int, contract: int, captured: int) -> None:
    options = terms[SCORE_OPTIONS]
    score = duplicate_score(
        contract & 7, contract >> 3 & 7, contract >> 6 & 3, contract >> 8 & 1, captured, options & SLAMS_TAKEN
    )
    for hand in range(terms[SEATS]):
        scores[hand] = -score
    scores[declarer] = 2 * score if options & ZERO_SUM else score
    scores[dummy] = 0 if options & DUMMY_WITHOUT_OWNER else score


@njit
def packed_contract(level: int, strain: int, doubled: int, vulnerable: int) -> int:
    """Return a bridge contract as one number; `doubled` is 0, 1 or 2, `vulnerable` of the declarer's side 0 or 1."""
    return int(level | strain << 3 | doubled << 6 | vulnerable << 8)


@njit
def _score_by_margin(scores: Vector, terms: Vector, declarer: int, holder: int, captured: int, lost: int) -> None:
    """Score what the side with more has above half the tricks; the other side gets nothing."""
    half = (captured + lost) // 2
    for seat in range(terms[SEATS]):
        scores[seat] = max(0, (captured if seat in (declarer, holder) else lost) - half)


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    terms, scores = np.zeros(TERMS, np.int64), np.zeros(7, np.int64)
    terms[SEATS] = 5
    add_buried(scores, terms, 0, 0, 0)
    captured_points(scores, 5, 0, 1, NOBODY)
    lost_points(scores, 5, 0)
    is_made(terms, 12, 12)
    is_alone(0, 1, NOBODY)
    packed_contract(4, 0, 0, 0)
    write_scores(scores, terms, 0, 1, NOBODY, 12, 12, 4)
    write_hopeless_scores(scores, terms, 0, 17)

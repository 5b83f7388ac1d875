"""The last cards of a climbing deal, all of them seen, played out by both sides as well as can be: alpha-beta.

The sides are the true ones of a world: whoever is on the asking seat's side wants its score high, all others low. No
rule is known here: what may be played `junto.games.climbing.moves` says, and what then happens
`junto.search.climbing.state.act`. In Dou Dizhu the search asks only who wins; bombs that are still to come count
nothing.

What is known of a position is kept in a *memory*, rows of the desk: bounds of its value by a hash of all that matters.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import FIRST_OUT, NOBODY, next_seat
from junto.games.climbing.kernel import (
    BOMB,
    ENDING,
    JOKER_BOMB,
    NO_PLAY,
    RANKS,
    SCORING,
    SEATS,
    beats,
    classify,
    count_of,
    key_of,
    kind_of,
    size_of,
)
from junto.games.climbing.moves import write_plays
from junto.games.climbing.scoring import DECLARER, LANDLORD, PARTNER, TEAMS
from junto.games.jit import inlined, njit
from junto.search.climbing.groups import ENDING_KEYS, ENDING_KNOWN, ENDING_NOTES, ENDING_PLAYS, ENDING_STATES
from junto.search.climbing.state import (
    APPLICANT,
    APPLY,
    OWNER,
    PASS,
    PLACES,
    SIZES,
    STAKES_AT,
    STATE,
    TOP,
    TURN,
    act,
    may_ask,
    score,
)

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

UNSOLVED: Final = -(1 << 30)
"""Instead of a value: it would take too long."""
_NODES, _MOST_NODES, _OURS, _SEAT, _SCORES = range(5)
"""What the notes hold: positions looked at, and at most; the asking side, as bits; the seat; then scores."""
_WIDE: Final = 1 << 12
"""No value is as far from zero."""
_UPPER: Final = 1 << 16
"""What is known of a position: the lower bound of its value in so many, and the upper one; none is below zero."""
_PLAIN: Final = (1 << 30) - 1
"""The bits of a play that say what it is, kickers aside."""


@njit
def cards_left(terms: Vector, state: Vector) -> int:
    """Return how many cards the seats have in all."""
    cards = 0
    for seat in range(terms[SEATS]):
        cards += state[SIZES + seat]
    return cards


@njit
def worth_to(terms: Vector, state: Vector, seat: int, scores: Vector) -> int:
    """Return what a deal that is over is worth to a seat: of two teams, what its own has more. `scores` is written."""
    score(terms, state, scores)
    if terms[SCORING] == TEAMS:
        return int(scores[seat] - scores[(seat + 1) & 3])
    return int(scores[seat])


@njit
def solve(terms: Vector, state: Vector, hands: Matrix, seat: int, most: int, desk: Matrix) -> int:
    """Return what a world is worth to a seat if all play on as well as can be.

    `UNSOLVED` if more than so many positions have to be looked at. State and hands end as they began.
    """
    notes, begun = desk[ENDING_NOTES], desk[ENDING_STATES, :STATE]
    notes[_NODES], notes[_MOST_NODES], notes[_SEAT], notes[_OURS] = 0, most, seat, side_of(terms, state, seat)
    for place in range(STATE):
        begun[place] = state[place]
    wins_alone = terms[SCORING] == LANDLORD
    value = _value(terms, hands, 0, 0, -1 if wins_alone else -_WIDE, 1 if wins_alone else _WIDE, desk)
    if notes[_NODES] > most:
        return UNSOLVED
    if wins_alone:
        declarer = state[STAKES_AT + DECLARER]
        landlord_wins = (value > 0) == (notes[_OURS] >> declarer & 1 == 1)
        begun[PLACES + (declarer if landlord_wins else next_seat(terms[SEATS], declarer))] = 1
        value = worth_to(terms, begun, seat, notes[_SCORES:])
    return value


@njit
def side_of(terms: Vector, state: Vector, seat: int) -> int:
    """Return the seats on a seat's side, as bits, by their true roles."""
    if terms[SCORING] == TEAMS:
        return 0b0101 << (seat & 1)
    court = 1 << state[STAKES_AT + DECLARER]
    if state[STAKES_AT + PARTNER] != NOBODY:
        court |= 1 << state[STAKES_AT + PARTNER]
    return int(court if court >> seat & 1 else (1 << terms[SEATS]) - 1 ^ court)


@njit
def _value(terms: Vector, hands: Matrix, depth: int, used: int, floor: int, ceiling: int, desk: Matrix) -> int:
    """Return the value of the state on the stack at this depth; so much of the room for plays is used.

    It is exact if it lies between `floor` and `ceiling`; at or below the one it is an upper, at or above the other a
    lower bound.
    """
    notes, known = desk[ENDING_NOTES], desk[ENDING_KNOWN]
    state = desk[ENDING_STATES, depth * STATE : (depth + 1) * STATE]
    if state[TURN] == NOBODY:
        return _final_value(terms, state, notes)
    notes[_NODES] += 1
    if (depth + 2) * STATE > known.size:
        notes[_NODES] = notes[_MOST_NODES] + 1
    if notes[_NODES] > notes[_MOST_NODES]:
        return 0
    key = _key(terms, state, hands, notes[_OURS])
    slot = (key >> 20) & (known.size - 1)
    lower, upper = -_WIDE, _WIDE
    if desk[ENDING_KEYS, slot] == key:
        lower, upper = known[slot] // _UPPER - _WIDE, known[slot] % _UPPER - _WIDE
        if lower >= ceiling or lower == upper:
            return int(lower)
        if upper <= floor:
            return int(upper)
    floor, ceiling = max(floor, lower), min(ceiling, upper)
    first_floor, first_ceiling = floor, ceiling
    seat = state[TURN]
    ours = notes[_OURS] >> seat & 1 == 1
    actions = desk[ENDING_PLAYS, used:]
    number = _write_actions(terms, state, hands[seat], notes[_OURS], actions)
    if number > actions.size:
        notes[_NODES] = notes[_MOST_NODES] + 1
        return 0
    child, best = desk[ENDING_STATES, (depth + 1) * STATE : (depth + 2) * STATE], -_WIDE if ours else _WIDE
    for place in range(number):
        action = actions[place]
        for field in range(STATE):
            child[field] = state[field]
        act(terms, child, hands, action)
        value = _value(terms, hands, depth + 1, used + number, floor, ceiling, desk)
        if action > PASS:
            for rank in range(RANKS):
                hands[seat, rank] += count_of(action, rank)
        if notes[_NODES] > notes[_MOST_NODES]:
            return 0
        if ours:
            best = max(best, value)
            floor = max(floor, best)
        else:
            best = min(best, value)
            ceiling = min(ceiling, best)
        if floor >= ceiling:
            break
    lower, upper = (
        max(lower, best) if best > first_floor else lower,
        min(upper, best) if best < first_ceiling else upper,
    )
    desk[ENDING_KEYS, slot] = key
    known[slot] = (lower + _WIDE) * _UPPER + upper + _WIDE
    return int(best)


@njit
def _final_value(terms: Vector, state: Vector, notes: Vector) -> int:
    """Return what a deal that is over is worth to the asking seat; in Dou Dizhu who has won is all."""
    if terms[SCORING] == LANDLORD:
        winner = 0
        while state[PLACES + winner] != 1:
            winner += 1
        return 1 if notes[_OURS] >> winner & 1 else -1
    return worth_to(terms, state, notes[_SEAT], notes[_SCORES:])


@njit
def _key(terms: Vector, state: Vector, hands: Matrix, ours: int) -> int:
    """Return a number for all that the value of a position hangs on; others have it by the rarest chance alone."""
    leads = state[TOP] == NO_PLAY
    key = (state[TOP] & _PLAIN) << 12 | ours << 6 | state[TURN] << 3 | (0 if leads else state[OWNER])
    key = key << 3 | (state[APPLICANT] + 1)
    for seat in range(terms[SEATS]):
        packed = 0
        for rank in range(RANKS):
            packed |= hands[seat, rank] << 4 * rank
        key = (key ^ packed ^ state[PLACES + seat] << 60) * 0x1F3D8AC5B2E9D67
        key ^= (key >> 32) & 0xFFFFFFFF
    return int(key)


@njit
def _write_actions(terms: Vector, state: Vector, hand: Vector, ours: int, out: Vector) -> int:
    """Write the actions of the seat to act, the likely best ones first, and return how many they are.

    Whoever wins the deal by going out does so. Leads of many cards come first; a side's own play is left alone first.
    """
    top, seat = state[TOP], state[TURN]
    if terms[ENDING] == FIRST_OUT:
        whole = classify(terms, hand)
        if whole != NO_PLAY and (top == NO_PLAY or beats(terms, top, whole)):
            out[0] = whole
            return 1
    if top == NO_PLAY:
        number = write_plays(terms, hand, top, out)
        if number <= out.size:
            _put_in_order(out, number)
        return number
    friendly = (ours >> seat ^ ours >> state[OWNER]) & 1 == 0
    out[0] = PASS
    number = 1 if friendly else 0
    number += write_plays(terms, hand, top, out[number:])
    if number + 2 > out.size:
        return out.size + 1
    if not friendly:
        out[number] = PASS
        number += 1
    if may_ask(terms, state):
        out[number] = APPLY
        number += 1
    return number


@njit
def _put_in_order(plays: Vector, number: int) -> None:
    """Put leads of many cards first, low ones before high ones, bombs last."""
    for place in range(1, number):
        play, at = plays[place], place
        rank = _rank_of_lead(play)
        while at > 0 and _rank_of_lead(plays[at - 1]) < rank:
            plays[at] = plays[at - 1]
            at -= 1
        plays[at] = play


@inlined
def _rank_of_lead(play: int) -> int:
    bomb = kind_of(play) == BOMB or kind_of(play) == JOKER_BOMB  # a set is slow here
    return (size_of(play) - (64 if bomb else 0)) * 16 - key_of(play)

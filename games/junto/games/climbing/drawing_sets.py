"""The sets of a hand without writing them, compiled: how many there are, and the one of a given number.

As `junto.games.climbing.drawing`, for games of sets. There may be sixteen cards of a rank, so that a hand is two
numbers: `low` has five bits for each rank up to the ace, how many cards of it; `high` has eight bits each for how many
twos, small jokers, big jokers, and cards in all. A set of ranks is the highest of the five bits.

Of the hand's cards of the rank `named`, which is no two, so many are `copies` of the named card; sets that take
different numbers of them are different (see `junto.games.climbing.moves.tell_apart`). Without copies `named` does not
matter.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.drawing import EVERY
from junto.games.climbing.kernel import (
    ACE,
    BIG,
    JOKERS_LAST,
    NO_PLAY,
    RANKS,
    SMALL,
    THREES_LAST,
    TWO,
    TWOS_FILL,
    UNBEATABLE,
    big_needed,
    big_of,
    key_of,
    length_of,
    made_set,
    size_of,
    small_of,
    twos_of,
    with_named,
)
from junto.games.jit import inlined, njit
from junto.games.tricks.bits import count_cards, nth_card

Vector = npt.NDArray[np.int64]

_ONES: Final = sum(1 << 5 * rank for rank in range(TWO))
_MOST: Final = 16
_SMALL, _BIG, _CARDS = 8, 16, 24


@njit
def pack_set_hand(counts: Vector) -> tuple[int, int]:
    """Return a hand, which is given as counts of ranks, as two numbers."""
    low, cards = 0, 0
    for rank in range(RANKS):
        cards += counts[rank]
        if rank <= ACE:
            low |= counts[rank] << 5 * rank
    return low, counts[TWO] | counts[SMALL] << _SMALL | counts[BIG] << _BIG | cards << _CARDS


@inlined
def cards_of_set(play: int) -> tuple[int, int]:
    """Return the cards of a set as a hand."""
    low, key = 0, key_of(play)
    high = twos_of(play) | small_of(play) << _SMALL | big_of(play) << _BIG | size_of(play) << _CARDS
    if key < TWO:
        low = length_of(play) << 5 * key
    elif key == TWO:
        high += length_of(play)
    return low, high


@njit
def draw_set(
    terms: Vector, low: int, high: int, named: int, copies: int, top: int, others: int, word: int
) -> int:  # fmt: skip
    """Return a set that beats the top, or minus the number of one of `others`, as `draw_action` does."""
    number = -look_up_set(terms, low, high, named, copies, top, EVERY)
    drawn = word * (number + others) >> 32
    return look_up_set(terms, low, high, named, copies, top, drawn) if drawn < number else number - drawn


@njit
def look_up_set(terms: Vector, low: int, high: int, named: int, copies: int, top: int, number: int) -> int:
    """Return the set of a number, from 0, of those that beat the top (`NO_PLAY`: of those that may be led).

    If there are not so many: minus how many there are.
    """
    if top == NO_PLAY:
        return _to_lead(terms, low, high, named, copies, number)
    return _to_answer(terms, low, high, named, copies, top, number)


@inlined
def _count_of(low: int, rank: int) -> int:
    """Return how many cards of a rank up to the ace a hand has."""
    return (low >> 5 * rank) & 31


@inlined
def _ways(count: int, copies: int) -> int:
    """Return in how many ways cards can be taken from so many of a rank, `copies` of them of the named card."""
    return (copies + 1) * (count - copies + 1) - 1


@inlined
def _taken(count: int, copies: int, way: int) -> tuple[int, int]:
    """Return how many cards, and how many copies, are taken in a way."""
    rest = count - copies + 1
    taken = (way + 1) // rest if copies > 0 else 0
    return taken + way + 1 - taken * rest, taken


@inlined
def _to_lead(terms: Vector, low: int, high: int, named: int, copies: int, number: int) -> int:
    """Look up the sets that may be led."""
    twos, smalls, bigs, cards = high & 255, high >> _SMALL & 255, high >> _BIG & 255, high >> _CARDS
    threes, fillers = low & 31, twos + 1 if terms[TWOS_FILL] else 1
    joined = (smalls + 1) * (bigs + 1)
    below_twos, left = cards - twos - smalls - bigs, number
    first, bases = 0, below_twos
    if copies > 0:
        bases += _ways(_count_of(low, named), copies) - _count_of(low, named)
    if terms[THREES_LAST]:
        first = 1
        bases -= _ways(threes, copies if named == 0 else 0)
        if threes > 0 and threes == below_twos and (twos == 0 or terms[TWOS_FILL]):
            if left == 0:
                return with_named(made_set(0, threes, twos, smalls, bigs), copies if named == 0 else 0)
            left -= 1
    if left < bases * joined * fillers:
        way, rest = left // (joined * fillers), left % (joined * fillers)
        for base in range(first, TWO):
            count, own = _count_of(low, base), copies if base == named else 0
            if way < _ways(count, own):
                length, taken = _taken(count, own, way)
                joker, filled = rest // fillers, rest % fillers
                small, big = joker % (smalls + 1), joker // (smalls + 1)
                return with_named(made_set(base, length, filled, small, big), taken)
            way -= _ways(count, own)
    left -= bases * joined * fillers
    if left < twos * joined:
        joker = left % joined
        return made_set(TWO, left // joined + 1, 0, joker % (smalls + 1), joker // (smalls + 1))
    left -= twos * joined
    if terms[JOKERS_LAST]:
        if cards > smalls + bigs or cards == 0:
            return left - number
        return made_set(SMALL if smalls else BIG, 0, 0, smalls, bigs) if left == 0 else left - 1 - number
    if left < joined - 1:
        small, big = (left + 1) % (smalls + 1), (left + 1) // (smalls + 1)
        return made_set(SMALL if small else BIG, 0, 0, small, big)
    return left - (joined - 1) - number


@inlined
def _to_answer(terms: Vector, low: int, high: int, named: int, copies: int, top: int, number: int) -> int:
    """Look up the sets that beat the top."""
    twos, smalls, bigs, cards = high & 255, high >> _SMALL & 255, high >> _BIG & 255, high >> _CARDS
    size, key, left, needed = size_of(top), key_of(top), number, big_needed(terms, top)
    if needed == UNBEATABLE:
        return 0
    fillers = twos if terms[TWOS_FILL] else 0
    for big in range(needed, min(bigs, size) + 1):
        for small in range(min(smalls, size - big) + 1):
            missing = size - big - small
            if missing == 0:
                base = SMALL if small else BIG
                if base > key and (size == cards or not terms[JOKERS_LAST]):
                    if left == 0:
                        return made_set(base, 0, 0, small, big)
                    left -= 1
                continue
            for filled in range(max(0, missing - _MOST), min(fillers, missing - 1) + 1):
                length = missing - filled
                bases = _bases(low, twos if filled == 0 else 0, length, key)
                found, least, most = count_cards(bases), 0, 0
                if copies > 0 and bases >> 5 * named & 16:
                    least = max(0, length - (_count_of(low, named) - copies))
                    most = min(copies, length)
                if left < found:
                    base = nth_card(bases, left) // 5
                    return with_named(made_set(base, length, filled, small, big), least if base == named else 0)
                left -= found
                if left < most - least:
                    return with_named(made_set(named, length, filled, small, big), least + 1 + left)
                left -= most - least
    return left - number


@inlined
def _bases(low: int, twos: int, length: int, key: int) -> int:
    """Return the suited ranks above a key of which a hand has so many cards, up to sixteen; the twos have bit 60."""
    if key >= TWO:
        return 0
    bases = (low + (_MOST - length) * _ONES) & (_ONES << 4) | (twos >= length) << 5 * TWO
    return bases & (-1 << 5 * (key + 1))

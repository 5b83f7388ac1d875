"""The plays of a hand in a climbing game, compiled: all that may be led, or all that beat the top.

Plays are written kind by kind, each once. Answers are not filtered from all plays: only the top's kind, length and
what beats it by force are looked for. Kickers are chosen rank by rank, so that no set of them is met twice.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    ACE,
    BIG,
    FOUR,
    JOKER_BOMB_PLAYED,
    KICKERS,
    LARGEST,
    LARGEST_BOMB,
    MOST_TRIOS,
    NO_PLAY,
    PACKS,
    RANKS,
    ROCKET_AS_KICKERS,
    SETS,
    SMALL,
    STRAIGHT,
    STRAIGHT_FROM,
    TERMS,
    TWO,
    TWOS_FILL,
    UNBEATABLE,
    beats,
    big_needed,
    follows,
    group_played,
    key_of,
    kicker_limit,
    kind_of,
    kind_with_kickers,
    length_of,
    made,
    made_bomb,
    made_joker_bomb,
    made_set,
    main_keys,
    may_play,
    size_of,
    with_kickers,
    with_named,
)
from junto.games.jit import inlined, njit

Vector = npt.NDArray[np.int64]


def plays_of(terms: Vector, hand: Vector, top: int = NO_PLAY) -> Vector:
    """Return the plays of a hand that beat the top; without a top all that may be led."""
    plays = np.empty(write_plays(terms, hand, top, np.empty(0, np.int64)), np.int64)
    write_plays(terms, hand, top, plays)
    return plays


def named_plays_of(terms: Vector, hand: Vector, rank: int, copies: int, top: int = NO_PLAY) -> Vector:
    """Return `plays_of` a hand with `copies` of the named card, which is of `rank`, told apart by how many they take.

    Source: Baohuang's page, action identity.
    """
    plays = plays_of(terms, hand, top)
    out = np.empty((copies + 1) * plays.size, np.int64)
    out[: plays.size] = plays
    return out[: tell_apart(hand, rank, copies, out, plays.size)]


@njit
def write_plays(terms: Vector, hand: Vector, top: int, out: Vector) -> int:
    """Write a hand's plays on the top (`NO_PLAY`: leads) to `out` and return how many there are.

    When there are more than `out` has room for, the rest are only counted.
    """
    if terms[SETS]:
        return _write_sets(terms, hand, top, out)
    written = _write_groups(terms, hand, top, out)
    written = write_runs(terms, hand, top, out, written)
    if terms[KICKERS]:
        written = _write_with_kickers(terms, hand, top, out, written)
    return _write_bombs(terms, hand, top, out, written)


@inlined
def _put(out: Vector, written: int, play: int) -> int:
    if written < out.size:
        out[written] = play
    return written + 1


@njit
def _write_groups(terms: Vector, hand: Vector, top: int, out: Vector) -> int:
    written = 0
    for width in range(1, 4):
        if top == NO_PLAY or kind_of(top) == width:
            for rank in range(RANKS):
                if hand[rank] >= width and group_played(terms, rank, width) and follows(top, width, rank, 1):
                    written = _put(out, written, made(width, rank, 1, width))
    return written


@njit
def write_runs(terms: Vector, hand: Vector, top: int, out: Vector, written: int) -> int:
    """Write the runs of single cards, pairs and trios behind the plays written; return how many there are then."""
    for width in range(1, 4):
        kind, shortest = STRAIGHT + width - 1, terms[STRAIGHT_FROM + width - 1]
        if shortest == 0 or (top != NO_PLAY and kind_of(top) != kind):
            continue
        for first in range(ACE + 1):
            length = 1
            while first + length - 1 <= ACE and hand[first + length - 1] >= width and length * width <= terms[LARGEST]:
                if length >= shortest and follows(top, kind, first + length - 1, length):
                    written = _put(out, written, made(kind, first + length - 1, length, length * width))
                length += 1
    return written


@njit
def _write_with_kickers(terms: Vector, hand: Vector, top: int, out: Vector, written: int) -> int:
    for trios in range(MOST_TRIOS + 1):
        width, ranks, number = (4, 1, 2) if trios == FOUR else (3, trios, trios)
        for unit in range(1, 3):
            kind, size = kind_with_kickers(trios, unit), width * ranks + unit * number
            if size > terms[LARGEST] or (top != NO_PLAY and kind_of(top) != kind):
                continue
            keys = main_keys(hand, width, ranks)
            for last in range(TWO + 1):
                if (keys >> last) & 1 and follows(top, kind, last, ranks):
                    main = made(kind, last, ranks, size)
                    written = _write_kickers(terms, hand, main, last - ranks + 1, number, unit, out, written)
    return written


@njit
def _write_kickers(
    terms: Vector, hand: Vector, main: int, first: int, number: int, unit: int, out: Vector, written: int
) -> int:
    """Write `main` with each choice of so many kickers, single cards (`unit` 1) or pairs (2).

    The choice is a row of ranks that never falls. `chosen` counts them, two bits a rank; `row` has them, four
    bits a place; `limits` is how many the hand has of each rank.
    """
    limits, last = 0, key_of(main)
    for rank in range(RANKS):
        limits |= min(hand[rank] >> (unit - 1), kicker_limit(terms, rank, first, last, unit)) << 2 * rank
    chosen, row, place, rank = 0, 0, 0, 0
    while True:
        if place == number:
            written = _put(out, written, with_kickers(main, chosen * unit))
        else:
            while rank < RANKS and (chosen >> 2 * rank) & 3 >= (limits >> 2 * rank) & 3:
                rank += 1
            rocket = rank == BIG and (chosen >> 2 * SMALL) & 3 > 0
            if rank < RANKS and not (rocket and not terms[ROCKET_AS_KICKERS]):
                chosen += 1 << 2 * rank
                row |= rank << 4 * place
                place += 1
                continue
        if place == 0:
            return written
        place -= 1
        rank = (row >> 4 * place) & 15
        row ^= rank << 4 * place
        chosen -= 1 << 2 * rank
        rank += 1


@njit
def _write_bombs(terms: Vector, hand: Vector, top: int, out: Vector, written: int) -> int:
    for rank in range(TWO + 1):
        for size in range(4, min(hand[rank], terms[LARGEST_BOMB]) + 1):
            play = made_bomb(terms, rank, size)
            if top == NO_PLAY or beats(terms, top, play):
                written = _put(out, written, play)
    if terms[JOKER_BOMB_PLAYED] and hand[SMALL] == terms[PACKS] and hand[BIG] == terms[PACKS]:
        play = made_joker_bomb(terms)
        if top == NO_PLAY or beats(terms, top, play):
            written = _put(out, written, play)
    return written


@njit
def _write_sets(terms: Vector, hand: Vector, top: int, out: Vector) -> int:
    """Write the sets of a hand; of jokers alone, the lowest is the base, and there are no cards of another."""
    written, cards, lowest, fewest_big = 0, 0, 0, 0
    for rank in range(RANKS):
        cards += hand[rank]
    if top != NO_PLAY:
        lowest, fewest_big = key_of(top) + 1, big_needed(terms, top)
        if fewest_big == UNBEATABLE:
            return 0
    for base in range(lowest, RANKS):
        if hand[base] == 0:
            continue
        alone = base > TWO
        fillers = hand[TWO] if terms[TWOS_FILL] and base < TWO else 0
        for big in range(max(fewest_big, base == BIG), hand[BIG] + 1):
            for small in range(base == SMALL, 1 if base == BIG else hand[SMALL] + 1):
                for twos in range(fillers + 1):
                    fewest, most = (0, 0) if alone else (1, hand[base])
                    if top != NO_PLAY:
                        length = size_of(top) - big - small - twos
                        fewest, most = max(fewest, length), min(most, length)
                    for length in range(fewest, most + 1):
                        play = made_set(base, length, twos, small, big)
                        if may_play(terms, cards, play):
                            written = _put(out, written, play)
    return written


@njit
def tell_apart(hand: Vector, rank: int, copies: int, out: Vector, plays: int) -> int:
    """Tell the first `plays` of `out` apart by how many of the named card they take, and return how many there are.

    The hand, whose plays they are, has `copies` of it among its cards of `rank`, a suited rank. There must be room
    for `copies + 1` times as many.
    """
    total = 0
    for place in range(plays):
        total += _most_named(out[place], rank, copies) - fewest_named(hand, out[place], rank, copies) + 1
    end = total
    for place in range(plays - 1, -1, -1):
        play = out[place]
        for taken in range(_most_named(play, rank, copies), fewest_named(hand, play, rank, copies) - 1, -1):
            end -= 1
            out[end] = with_named(play, taken)
    return total


@njit
def _most_named(play: int, rank: int, copies: int) -> int:
    return min(copies, length_of(play)) if key_of(play) == rank else 0


@njit
def fewest_named(hand: Vector, play: int, rank: int, copies: int) -> int:
    """Return how many named cards a set takes at least: the others of the rank may be too few."""
    return int(max(0, length_of(play) - (hand[rank] - copies))) if key_of(play) == rank else 0


def warm_up() -> None:
    """Compile what the server and the search call, with the types they call it with."""
    hand, out = np.ones(RANKS, np.int64), np.empty(64, np.int64)
    terms = np.zeros(TERMS, np.int64)
    terms[SETS] = 1
    write_plays(terms, hand, NO_PLAY, out)
    tell_apart(hand, 0, 1, out, 1)

"""Combinations of the climbing games, compiled: one implementation for the server and the search.

Hands and combinations are counted by rank: vectors of fifteen counts (see `junto.games.climbing.ranks`). A play
is one int64 that says both what it is and which ranks it takes; its fields are read by the functions below. 0 is
no play. What differs from game to game is read from an int64 vector, the *terms* (see
`junto.games.climbing.terms`).

With the terms of these games a multiset of ranks has at most one reading. Sources: the games' rule pages.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit

Vector = npt.NDArray[np.int64]

RANKS: Final = 15
ACE, TWO, SMALL, BIG = range(11, 15)
"""The highest rank of a run, the highest suited rank, the jokers."""

TERM_NAMES: Final = (
    "packs", "largest", "straight_from", "pair_straight_from", "trio_straight_from", "largest_bomb", "joker_bomb",
    "joker_pairs", "kickers", "distinct_kickers", "rocket_as_kickers", "sets", "twos_fill", "one_big_beatable",
    "jokers_last", "threes_last", "seats", "ending", "heir", "scoring", "unit", "bombs_count", "most_multiplier",
    "zero_sum", "shares",
)  # fmt: skip
(
    PACKS, LARGEST, STRAIGHT_FROM, PAIR_STRAIGHT_FROM, TRIO_STRAIGHT_FROM, LARGEST_BOMB, JOKER_BOMB_PLAYED,
    JOKER_PAIRS, KICKERS, DISTINCT_KICKERS, ROCKET_AS_KICKERS, SETS, TWOS_FILL, ONE_BIG_BEATABLE,
    JOKERS_LAST, THREES_LAST, SEATS, ENDING, HEIR, SCORING, UNIT, BOMBS_COUNT, MOST_MULTIPLIER,
    ZERO_SUM, SHARES, TERMS,
) = range(26)  # fmt: skip
"""Places of the terms; `junto.games.climbing.terms.Terms` says what they mean."""

NO_PLAY: Final = 0
"""As the top: there is none, the seat leads. As a reading: these cards are no combination."""
(
    SINGLE, PAIR, TRIO, STRAIGHT, PAIR_STRAIGHT, TRIO_STRAIGHT, PLANE_SINGLE, PLANE_PAIR,
    TRIO_SINGLE, TRIO_PAIR, FOUR_TWO_SINGLE, FOUR_TWO_PAIR, BOMB, JOKER_BOMB, SET,
) = range(1, 16)  # fmt: skip
"""The kinds of combinations; the first three and the runs of them are in order of their width."""
UNBEATABLE: Final = -1
MOST_TRIOS: Final = 5
"""How many trios can carry kickers: in twenty cards no more."""
FOUR: Final = 0
"""As the number of trios of a main group: it is four equal cards instead."""
_WIDTHS: Final = 0x0004433333213210
"""How many cards a kind takes of each rank of its main group, four bits a kind; a bomb and a set say so themselves."""
_KEY: Final = 4
_LENGTH: Final = 8
_SMALL: Final = 13
_BIG: Final = 16
_TWOS: Final = 19
_SIZE: Final = 24
_KICKERS: Final = 30
_NAMED: Final = 60
_JOKER_BOMB_LEVEL: Final = 63


@inlined
def kind_of(play: int) -> int:
    """Return a play's kind, `SINGLE` .. `SET`."""
    return play & 15


@inlined
def key_of(play: int) -> int:
    """Return the highest rank of a play's main group; a set's base."""
    return (play >> _KEY) & 15


@inlined
def length_of(play: int) -> int:
    """Return how many ranks its run has.

    Without a run 1; for a bomb where bombs grow, and for a joker bomb of several packs, the number of cards; for
    a set the number of cards of its base, 0 for jokers alone.
    """
    return (play >> _LENGTH) & 31


@inlined
def size_of(play: int) -> int:
    """Return the number of a play's cards."""
    return (play >> _SIZE) & 63


@inlined
def small_of(play: int) -> int:
    """Return the number of small jokers in a set or a joker bomb."""
    return (play >> _SMALL) & 7


@inlined
def big_of(play: int) -> int:
    """Return the number of big jokers in a set or a joker bomb."""
    return (play >> _BIG) & 7


@inlined
def twos_of(play: int) -> int:
    """Return the number of twos that fill up a set of another rank."""
    return (play >> _TWOS) & 31


@inlined
def kickers_of(play: int) -> int:
    """Return a play's kickers: two bits a rank, how many of it."""
    return (play >> _KICKERS) & ((1 << 2 * RANKS) - 1)


@inlined
def named_of(play: int) -> int:
    """Return how many copies of the named card a play takes; 0 where nobody has asked."""
    return (play >> _NAMED) & 7


@inlined
def with_kickers(play: int, kickers: int) -> int:
    """Return a play, which had none, with kickers (two bits a rank)."""
    return play | kickers << _KICKERS


@inlined
def with_named(play: int, copies: int) -> int:
    """Return a play, of which that was not said, that takes so many copies of the named card."""
    return play | copies << _NAMED


@inlined
def without_named(play: int) -> int:
    """Return a play of which it is not said how many copies of the named card it takes."""
    return play & ((1 << _NAMED) - 1)


@inlined
def with_joined(play: int, small: int, big: int, twos: int) -> int:
    """Return a set or a joker bomb, which had none, with jokers and twos among its cards."""
    return play | small << _SMALL | big << _BIG | twos << _TWOS


@inlined
def made(kind: int, key: int, length: int, size: int) -> int:
    """Return a play without kickers and attached jokers; with them `size` counts them already."""
    return kind | key << _KEY | length << _LENGTH | size << _SIZE


@njit
def made_bomb(terms: Vector, rank: int, size: int) -> int:
    """Return a bomb of equal cards; its length is its size, but 1 where all have four."""
    return made(BOMB, rank, size if terms[LARGEST_BOMB] > 4 else 1, size)


@njit
def made_joker_bomb(terms: Vector) -> int:
    """Return the bomb of all jokers of the packs: the rocket, the four kings."""
    packs = terms[PACKS]
    length = 1 if packs == 1 else 2 * packs
    return int(with_joined(made(JOKER_BOMB, BIG, length, 2 * packs), packs, packs, 0))


@njit
def made_set(base: int, length: int, twos: int, small: int, big: int) -> int:
    """Return a set: cards of one rank, twos that fill up, jokers; the base of jokers alone is the lowest joker."""
    size = length + twos + small + big
    return int(with_joined(made(SET, base, length, size), small, big, twos))


@njit
def width_of(play: int) -> int:
    """Return how many cards a play takes of each rank of its main group."""
    kind = kind_of(play)
    if kind == BOMB:
        return size_of(play)
    return length_of(play) if kind == SET else (_WIDTHS >> 4 * kind) & 15


@njit
def first_of(play: int) -> int:
    """Return the lowest rank of a play's main group."""
    run = STRAIGHT <= kind_of(play) <= PLANE_PAIR
    return key_of(play) - length_of(play) + 1 if run else key_of(play)


@njit
def count_of(play: int, rank: int) -> int:
    """Return how many cards of a rank a play takes."""
    count = (kickers_of(play) >> 2 * rank) & 3
    if first_of(play) <= rank <= key_of(play):
        count += width_of(play)
    if rank == TWO:
        count += twos_of(play)
    elif rank == SMALL:
        count += small_of(play)
    elif rank == BIG:
        count += big_of(play)
    return count


@njit
def holds(hand: Vector, play: int) -> bool:
    """Tell whether a hand has the cards of a play."""
    enough = True
    for rank in range(RANKS):
        enough &= hand[rank] >= count_of(play, rank)
    return bool(enough)


@njit
def take(hand: Vector, play: int) -> None:
    """Take the cards of a play out of a hand, which has them."""
    for rank in range(RANKS):
        hand[rank] -= count_of(play, rank)


@njit
def classify(terms: Vector, counts: Vector) -> int:
    """Return the play that these cards are, `NO_PLAY` if they are no combination of the game."""
    if terms[SETS]:
        return _as_set(terms, counts)
    total, ranks, low, high = 0, 0, -1, -1
    for rank in range(RANKS):
        if counts[rank] > 0:
            total += counts[rank]
            ranks += 1
            high = rank
            if low < 0:
                low = rank
    if total == 0 or total > terms[LARGEST]:
        return NO_PLAY
    if ranks == 1:
        return _as_group(terms, low, total)
    if low == SMALL:
        whole = counts[SMALL] == terms[PACKS] and counts[BIG] == terms[PACKS]
        return made_joker_bomb(terms) if terms[JOKER_BOMB_PLAYED] and whole else NO_PLAY
    play = _as_run(terms, counts, low, high, total)
    if play == NO_PLAY and terms[KICKERS]:
        play = _as_main_with_kickers(terms, counts, total)
    return play


@njit
def group_played(terms: Vector, rank: int, width: int) -> bool:
    """Tell whether so many equal cards, one to three, are played: jokers singly, and in pairs by the terms."""
    return bool(rank <= TWO or width == 1 or (width == 2 and terms[JOKER_PAIRS]))


@njit
def _as_group(terms: Vector, rank: int, total: int) -> int:
    if total <= 3:
        return made(total, rank, 1, total) if group_played(terms, rank, total) else NO_PLAY
    return made_bomb(terms, rank, total) if rank <= TWO and total <= terms[LARGEST_BOMB] else NO_PLAY


@njit
def _as_run(terms: Vector, counts: Vector, low: int, high: int, total: int) -> int:
    width = counts[low]
    length = high - low + 1
    if width > 3 or high > ACE or length * width != total:
        return NO_PLAY
    for rank in range(low, high + 1):
        if counts[rank] != width:
            return NO_PLAY
    shortest = terms[STRAIGHT_FROM + width - 1]
    return made(STRAIGHT + width - 1, high, length, total) if 0 < shortest <= length else NO_PLAY


@njit
def kind_with_kickers(trios: int, unit: int) -> int:
    """Return the kind of so many trios in a run, or of a `FOUR`, with single cards (`unit` 1) or pairs (2)."""
    if trios == FOUR:
        return FOUR_TWO_SINGLE + unit - 1
    return (TRIO_SINGLE if trios == 1 else PLANE_SINGLE) + unit - 1


@njit
def main_keys(counts: Vector, width: int, ranks: int) -> int:
    """Return the keys of the main groups, `width` cards or more of each of so many ranks in a run, as bits."""
    wide = 0
    for rank in range(TWO + 1 if ranks == 1 else TWO):
        wide |= (counts[rank] >= width) << rank
    keys = wide
    for step in range(1, ranks):
        keys &= wide << step
    return keys


@njit
def kicker_limit(terms: Vector, rank: int, first: int, last: int, unit: int) -> int:
    """Return how many kickers of a rank go with a main group of the ranks `first` .. `last`.

    Single cards (`unit` 1): three, but two next to a run, where three would lengthen it. Pairs (2): one.
    """
    if first <= rank <= last:
        return 0
    if unit == 2:
        return 1 if rank <= TWO else 0
    if terms[DISTINCT_KICKERS] or rank > TWO:
        return 1
    if first < last and rank <= ACE and first - 1 <= rank <= last + 1:
        return 2
    return 3


@njit
def _kickers(terms: Vector, counts: Vector, first: int, last: int, number: int, unit: int) -> int:
    """Return the cards outside the main group as so many kickers; 0: they may not be."""
    kickers, missing = 0, number * unit
    for rank in range(RANKS):
        count = counts[rank]
        if count > 0 and not first <= rank <= last:
            if count & (unit - 1) or count > unit * kicker_limit(terms, rank, first, last, unit):
                return 0
            kickers |= count << 2 * rank
            missing -= count
    rocket = counts[SMALL] > 0 and counts[BIG] > 0
    return kickers if missing == 0 and (terms[ROCKET_AS_KICKERS] or not rocket) else 0


@njit
def _as_main_with_kickers(terms: Vector, counts: Vector, total: int) -> int:
    for trios in range(MOST_TRIOS + 1):
        width, ranks, number = (4, 1, 2) if trios == FOUR else (3, trios, trios)
        for unit in range(1, 3):
            if width * ranks + unit * number != total:
                continue
            keys = main_keys(counts, width, ranks)
            for last in range(TWO + 1):
                main = (keys >> last) & 1 == 1
                kickers = _kickers(terms, counts, last - ranks + 1, last, number, unit) if main else 0
                if kickers > 0:
                    return with_kickers(made(kind_with_kickers(trios, unit), last, ranks, total), kickers)
    return NO_PLAY


@njit
def _as_set(terms: Vector, counts: Vector) -> int:
    base, twos = -1, 0
    for rank in range(TWO + 1):
        if counts[rank] > 0 and base >= 0:
            if rank < TWO or not terms[TWOS_FILL]:
                return NO_PLAY
            twos = counts[TWO]
        elif counts[rank] > 0:
            base = rank
    small, big = counts[SMALL], counts[BIG]
    if base >= 0:
        return made_set(base, counts[base], twos, small, big)
    return made_set(SMALL if small > 0 else BIG, 0, 0, small, big) if small + big > 0 else NO_PLAY


@njit
def beats(terms: Vector, top: int, play: int) -> bool:
    """Tell whether a play may be laid on the top play."""
    if terms[SETS]:
        needed = big_needed(terms, top)
        same_size = size_of(play) == size_of(top)
        return same_size and key_of(play) > key_of(top) and needed != UNBEATABLE and big_of(play) >= needed
    level, top_level = _level(play), _level(top)
    if level != top_level:
        return level > top_level
    return follows(top, kind_of(play), key_of(play), length_of(play))


@njit
def _level(play: int) -> int:
    """Return the class of bombs a play is of, by its size; the jokers' is the highest, 0 is no bomb."""
    kind = kind_of(play)
    if kind == JOKER_BOMB:
        return _JOKER_BOMB_LEVEL
    return size_of(play) if kind == BOMB else 0


@inlined
def follows(top: int, kind: int, key: int, length: int) -> bool:
    """Tell whether a combination is the top's with a higher key; with no top any is."""
    return top == NO_PLAY or (kind == kind_of(top) and length == length_of(top) and key > key_of(top))


@njit
def big_needed(terms: Vector, top: int) -> int:
    """Return how many big jokers a set must have to beat another, or `UNBEATABLE`.

    One for each small joker; where one big joker can be beaten, two more for it.
    """
    if big_of(top) == 0:
        return small_of(top)
    return small_of(top) + 2 if big_of(top) == 1 and terms[ONE_BIG_BEATABLE] else UNBEATABLE


@njit
def may_play(terms: Vector, cards: int, play: int) -> bool:
    """Tell whether a play may be made from a hand of so many cards: some sets only as the whole of it."""
    if size_of(play) == cards or not terms[SETS]:
        return True
    if key_of(play) == 0 and terms[THREES_LAST]:
        return False
    return not (key_of(play) > TWO and terms[JOKERS_LAST])


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    terms = np.zeros(TERMS, np.int64)
    hand = np.ones(RANKS, np.int64)
    terms[PACKS], terms[LARGEST] = 1, 20
    classify(terms, hand)
    play = made(SINGLE, 3, 1, 1)
    beats(terms, play, play)
    may_play(terms, 15, play)
    holds(hand, play)
    take(hand, play)
    for field in (kind_of, key_of, length_of, size_of, small_of, big_of, twos_of, kickers_of, first_of, without_named):
        field(play)
    count_of(play, 3)
    with_joined(with_kickers(play, 0), 0, 0, 0)

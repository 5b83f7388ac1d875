"""The plays of a hand without writing them, compiled: how many there are, and the one of a given number.

What `junto.games.climbing.moves` writes one by one is counted here kind by kind, and only the play that is asked for
is put together: to draw one at random takes tens of nanoseconds. Hands are packed (`junto.games.climbing.packed`);
for games of sets see `junto.games.climbing.drawing_sets`. The numbers of the plays follow no order that means anything.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import (
    ACE,
    BIG,
    BOMB,
    DISTINCT_KICKERS,
    FOUR,
    FOUR_TWO_SINGLE,
    JOKER_BOMB,
    JOKER_BOMB_PLAYED,
    JOKER_PAIRS,
    KICKERS,
    LARGEST,
    LARGEST_BOMB,
    MOST_TRIOS,
    NO_PLAY,
    PACKS,
    PAIR,
    ROCKET_AS_KICKERS,
    SINGLE,
    SMALL,
    STRAIGHT,
    STRAIGHT_FROM,
    TRIO,
    TRIO_STRAIGHT,
    key_of,
    kind_of,
    kind_with_kickers,
    length_of,
    made,
    made_bomb,
    made_joker_bomb,
    size_of,
    with_kickers,
)
from junto.games.climbing.packed import ALL, IN_RUNS, SUITED, above, at_least, count_in, lowest, nth, without
from junto.games.jit import inlined, njit
from junto.games.tricks.bits import count_cards, nth_card

Vector = npt.NDArray[np.int64]

EVERY: Final = 1 << 30
"""As a number: higher than that of any play."""
_ANY: Final = -1
"""As the key to be beaten: there is none."""
_FOUR_CARDS: Final = 4
_ALIKE: Final = 2
"""So many kickers can be chosen in as many ways for each of a hand's main groups of a kind."""


@inlined
def draw_action(terms: Vector, hand: int, top: int, others: int, word: int) -> int:
    """Return a play that beats the top (`NO_PLAY`: that may be led), or minus the number of one of `others`.

    `word` is 32 random bits: each of these is as likely as any other.
    """
    groups = _groups(terms, hand, top)
    found, more = count_cards(groups), 0
    if _may_have_more(terms, hand, top, found):
        more = -_more(terms, hand, top, EVERY)
    drawn = word * (found + more + others) >> 32
    if drawn < found:
        return _group(terms, top, nth_card(groups, drawn))
    drawn -= found
    return _more(terms, hand, top, drawn) if drawn < more else more - drawn


@njit
def look_up(terms: Vector, hand: int, top: int, number: int) -> int:
    """Return the play of a number, from 0, of those that beat the top (`NO_PLAY`: of those that may be led).

    If there are not so many: minus how many there are. The functions below do the same for a part of the plays.
    """
    groups = _groups(terms, hand, top)
    found = count_cards(groups)
    if number < found:
        return _group(terms, top, nth_card(groups, number))
    if not _may_have_more(terms, hand, top, found):
        return -found
    more = _more(terms, hand, top, number - found)
    return more if more > 0 else more - found


@inlined
def _groups(terms: Vector, hand: int, top: int) -> int:
    """Return the commonest plays as a set of bits, four a rank: see `_group`."""
    kind, fours = kind_of(top), at_least(hand, _FOUR_CARDS) & SUITED if terms[LARGEST_BOMB] else 0
    if top == NO_PLAY:
        pairs = at_least(hand, PAIR)
        if not terms[JOKER_PAIRS]:
            pairs &= SUITED
        return at_least(hand, SINGLE) | pairs >> 1 | (at_least(hand, TRIO) & SUITED) >> 2 | fours >> 3
    if kind <= TRIO_STRAIGHT:
        width, length = kind if kind <= TRIO else kind - TRIO, length_of(top)
        return above(_ends(terms, hand, width, length), key_of(top)) | fours >> 3
    if kind == BOMB and size_of(top) == _FOUR_CARDS:
        return above(fours, key_of(top)) >> 3
    return fours >> 3 if kind < BOMB else 0


@inlined
def _group(terms: Vector, top: int, bit: int) -> int:
    """Return the play of a bit of `_groups`.

    The lowest bit of a rank is a bomb of four, the highest what is like the top, which has no kickers, but of this
    key. Where there is no top it is a single card, and those between are a trio and a pair.
    """
    width, rank = _FOUR_CARDS - (bit & 3), bit >> 2
    if width == _FOUR_CARDS:
        return made_bomb(terms, rank, width)
    if top == NO_PLAY:
        return made(width, rank, 1, width)
    return made(kind_of(top), rank, length_of(top), size_of(top))


@inlined
def _may_have_more(terms: Vector, hand: int, top: int, found: int) -> bool:
    """Tell whether there may be plays that are not among the groups, of which so many were found."""
    # a trio with a kicker makes four groups, a run more
    more = found >= _FOUR_CARDS if top == NO_PLAY else kind_of(top) > TRIO_STRAIGHT
    bombs = terms[LARGEST_BOMB] > _FOUR_CARDS and at_least(hand, _FOUR_CARDS + 1) & SUITED != 0
    return bool(more or bombs or _has_all_jokers(terms, hand))


@inlined
def _has_all_jokers(terms: Vector, hand: int) -> bool:
    packs = terms[PACKS]
    return bool(terms[JOKER_BOMB_PLAYED] and hand >> 4 * SMALL == (packs << 4 | packs))


@njit
def _more(terms: Vector, hand: int, top: int, number: int) -> int:
    """Look up the plays that are not among the groups."""
    found, kind = 0, kind_of(top)
    if top == NO_PLAY:
        found = _longer(terms, hand, number)
    elif TRIO_STRAIGHT < kind < BOMB:
        trios = FOUR if kind >= FOUR_TWO_SINGLE else length_of(top)
        found = _with_kickers(terms, hand, trios, 2 - (kind & 1), key_of(top), number)
    if found > 0:
        return found
    bomb = _higher_bomb(terms, hand, top, number + found)
    return bomb if bomb > 0 else bomb + found


@inlined
def _ends(terms: Vector, hand: int, width: int, length: int) -> int:
    """Return the highest ranks of the runs of so many ranks that a hand has so many cards of; of length 1: all such."""
    wide = at_least(hand, width)
    if length > 1:
        wide &= IN_RUNS
    elif width > PAIR or (width == PAIR and not terms[JOKER_PAIRS]):
        wide &= SUITED
    ends = wide
    for step in range(1, length):
        ends &= wide << 4 * step
    return ends


@inlined
def _longer(terms: Vector, hand: int, number: int) -> int:
    """Look up the runs, and what carries kickers, that may be led."""
    left = number
    for width in range(SINGLE, TRIO + 1):
        found = _run(terms, hand, width, left)
        if found > 0:
            return found
        left += found
    trios = FOUR if at_least(hand, _FOUR_CARDS) & SUITED else 1
    while terms[KICKERS] and trios <= MOST_TRIOS and _ends(terms, hand, TRIO, max(trios, 1)):
        for unit in range(SINGLE, PAIR + 1):
            found = _with_kickers(terms, hand, trios, unit, _ANY, left)
            if found > 0:
                return found
            left += found
        trios = 1 if trios == FOUR else trios + 1
    return left - number


@inlined
def _run(terms: Vector, hand: int, width: int, number: int) -> int:
    """Look up the runs of single cards, pairs or trios."""
    length, left = terms[STRAIGHT_FROM + width - 1], number
    if length == 0:
        return 0
    wide = at_least(hand, width) & IN_RUNS
    ends = _ends(terms, hand, width, length)
    while ends and length * width <= terms[LARGEST]:
        found = count_cards(ends)
        if left < found:
            return made(STRAIGHT + width - 1, nth(ends, left), length, length * width)
        left -= found
        ends &= wide << 4 * length
        length += 1
    return int(left - number)


@njit
def _higher_bomb(terms: Vector, hand: int, top: int, number: int) -> int:
    """Look up the bombs of more than four cards, and that of the jokers, that beat the top."""
    left, smallest = number, size_of(top) if kind_of(top) == BOMB else 0
    if kind_of(top) == JOKER_BOMB:
        return 0
    for size in range(max(smallest, _FOUR_CARDS + 1), terms[LARGEST_BOMB] + 1):
        ranks = at_least(hand, size) & SUITED
        if size == smallest:
            ranks = above(ranks, key_of(top))
        found = count_cards(ranks)
        if left < found:
            return made_bomb(terms, nth(ranks, left), size)
        left -= found
    if _has_all_jokers(terms, hand):
        if left == 0:
            return made_joker_bomb(terms)
        left -= 1
    return left - number


@njit
def _with_kickers(terms: Vector, hand: int, trios: int, unit: int, key: int, number: int) -> int:
    """Look up so many trios in a run, or a `FOUR`, of a higher key, that carry single cards (`unit` 1) or pairs (2)."""
    width, ranks, kickers = (_FOUR_CARDS, 1, 2) if trios == FOUR else (TRIO, trios, trios)
    keys, left, size = above(_ends(terms, hand, width, ranks), key), number, width * ranks + unit * kickers
    if size > terms[LARGEST]:
        return 0
    if kickers <= _ALIKE and keys:
        ways = _ways(terms, hand, lowest(keys), ranks, kickers, unit)
        if left >= ways * count_cards(keys):
            return -ways * count_cards(keys)
        keys = 1 << 4 * nth(keys, left // ways)
        left %= ways
    while keys:
        last = lowest(keys)
        ways = _ways(terms, hand, last, ranks, kickers, unit)
        if left < ways:
            chosen = _chosen(terms, hand, last, ranks, kickers, unit, left)
            return int(with_kickers(made(kind_with_kickers(trios, unit), last, ranks, size), chosen * unit))
        left -= ways
        keys &= keys - 1
    return left - number


@inlined
def _kicker_ranks(terms: Vector, hand: int, first: int, last: int, unit: int) -> tuple[int, int, int]:
    """Return the ranks of which one kicker or more can go with a main group, two or more, and three.

    See `junto.games.climbing.kernel.kicker_limit`.
    """
    if unit == PAIR:
        return without(at_least(hand, PAIR) & SUITED, first, last), 0, 0
    singles = without(at_least(hand, SINGLE), first, last)
    if terms[DISTINCT_KICKERS]:
        return singles, 0, 0
    triples = without(at_least(hand, TRIO) & SUITED, first, last)
    if first < last:
        triples = without(triples, max(first - 1, 0), min(last + 1, ACE))
    return singles, without(at_least(hand, PAIR) & SUITED, first, last), triples


@inlined
def _ways(terms: Vector, hand: int, last: int, ranks: int, number: int, unit: int) -> int:
    """Return in how many ways so many kickers can be chosen beside a main group of so many ranks up to the last."""
    singles, doubles, triples = _kicker_ranks(terms, hand, last - ranks + 1, last, unit)
    kinds = count_cards(singles)
    if number == 1:
        return kinds
    ways = _choices(kinds, count_cards(doubles), count_cards(triples), number)
    if singles & ~SUITED == ALL & ~SUITED and not terms[ROCKET_AS_KICKERS]:
        ways -= _choices(kinds - 2, count_cards(doubles), count_cards(triples), number - 2)
    return ways


@njit
def _choices(ranks: int, doubles: int, triples: int, number: int) -> int:
    """Return how many multisets of up to five of so many ranks there are: some twice at most, of them some thrice."""
    if number < 2:
        return (1, ranks)[number] if number >= 0 else 0
    pairs = ranks * (ranks - 1) // 2
    if number == 2:
        return pairs + doubles
    others = ranks - 1
    if number == 3:
        return pairs * (ranks - 2) // 3 + doubles * others + triples
    two_doubles = doubles * (doubles - 1) // 2
    if number == 4:
        return (
            pairs * (ranks - 2) * (ranks - 3) // 12 + doubles * (others * (others - 1) // 2) + two_doubles
            + triples * others
        )  # fmt: skip
    return (
        pairs * (ranks - 2) * (ranks - 3) * (ranks - 4) // 60 + doubles * (others * (others - 1) * (others - 2) // 6)
        + two_doubles * (ranks - 2) + triples * (others * (others - 1) // 2 + doubles - 1)
    )  # fmt: skip


@njit
def _chosen(terms: Vector, hand: int, last: int, ranks: int, number: int, unit: int, which: int) -> int:
    """Return one of these ways: two bits a rank, how many kickers of it."""
    singles, doubles, triples = _kicker_ranks(terms, hand, last - ranks + 1, last, unit)
    if number == 1:
        return 1 << 2 * nth(singles, which)
    suited, twice, thrice = singles & SUITED, count_cards(doubles), count_cards(triples)
    kinds, chosen, missing = count_cards(suited), 0, number
    for jokers in range(4):
        if (jokers & 1 and not count_in(singles, SMALL)) or (jokers & 2 and not count_in(singles, BIG)):
            continue
        if jokers == 3 and not terms[ROCKET_AS_KICKERS]:
            continue
        missing = number - (jokers & 1) - (jokers >> 1)
        ways = _choices(kinds, twice, thrice, missing)
        if which < ways:
            chosen = (jokers & 1) << 2 * SMALL | (jokers >> 1) << 2 * BIG
            break
        which -= ways
    while missing > 0:
        rank = lowest(suited)
        suited &= suited - 1
        kinds -= 1
        twice = count_cards(doubles & suited)
        thrice = count_cards(triples & suited)
        taken = 0
        ways = _choices(kinds, twice, thrice, missing)
        while which >= ways:
            which -= ways
            taken += 1
            ways = _choices(kinds, twice, thrice, missing - taken)
        chosen |= taken << 2 * rank
        missing -= taken
    return chosen

"""Random hands of the climbing games, and every way to take cards out of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from junto.games.climbing import kernel
from junto.games.climbing.kernel import classify, may_play
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms
from junto.games.jit import njit

from . import by_the_page

Vector = npt.NDArray[np.int64]

RULES: dict[str, Terms] = {
    "dou-dizhu": DOU_DIZHU,
    "dou-dizhu distinct": replace(DOU_DIZHU, distinct_kickers=True),
    "dou-dizhu rocket": replace(DOU_DIZHU, rocket_as_kickers=True),
    "shuangkou": SHUANGKOU,
    "shuangkou joker pairs": replace(SHUANGKOU, joker_pairs=True),
    "baohuang": BAOHUANG,
    "baohuang jokers last": replace(BAOHUANG, jokers_last=True),
    "baohuang street": BAOHUANG_STREET,
    "baohuang street free": replace(BAOHUANG_STREET, threes_last=False),
}
PAGES: dict[str, tuple[by_the_page.Readings, by_the_page.Beats]] = {
    "dou-dizhu": (by_the_page.dou_dizhu, by_the_page.dou_dizhu_beats),
    "shuangkou": (by_the_page.shuangkou, by_the_page.shuangkou_beats),
    "baohuang": (by_the_page.baohuang, by_the_page.baohuang_beats),
}
BOTH_JOKERS = [kernel.SMALL, kernel.BIG]


def random_hand(terms: Terms, size: int, random: np.random.Generator) -> Vector:
    """Return so many cards of the pack: of all ranks, or of few neighbours and perhaps jokers, so that they combine."""
    pack = terms.pack.copy()
    if random.random() < 0.75:
        first = int(random.integers(0, kernel.TWO))
        kept = list(range(first, min(kernel.TWO + 1, first + int(random.integers(2, 8)))))
        pack[[rank for rank in range(kernel.RANKS) if rank not in [*kept, *BOTH_JOKERS]]] = 0
    cards = np.repeat(np.arange(kernel.RANKS), pack)
    chosen = random.permutation(cards)[:size]
    return np.bincount(chosen, minlength=kernel.RANKS).astype(np.int64)


@njit
def next_part(hand: Vector, part: Vector) -> bool:
    """Make of a part of a hand the next one, as a counter counts; at the end it is empty again."""
    for rank in range(part.size):
        if part[rank] < hand[rank]:
            part[rank] += 1
            return True
        part[rank] = 0
    return False


@njit
def write_by_force(terms: Vector, hand: Vector, out: Vector) -> int:
    """Write the plays that the parts of a hand are, by classifying all of them."""
    written, cards = 0, hand.sum()
    part = np.zeros_like(hand)
    while next_part(hand, part):
        play = classify(terms, part)
        if play != 0 and may_play(terms, cards, play):
            out[written] = play
            written += 1
    return written


def plays_by_force(terms: Vector, hand: Vector) -> list[int]:
    """Return the plays that the parts of a hand are."""
    out = np.empty(int(np.prod(hand + 1)), np.int64)
    return [int(play) for play in out[: write_by_force(terms, hand, out)]]


def counts_of_play(play: int) -> tuple[int, ...]:
    """Return the cards of a play as counts of ranks."""
    return tuple(kernel.count_of(play, rank) for rank in range(kernel.RANKS))

"""Ranks of the climbing games, low to high: 3 4 5 6 7 8 9 T J Q K A 2, the small joker B, the big joker R.

A hand is a vector of fifteen counts, one for each rank. Suits are left out: where they matter, cards are picked
for a play by `junto.games.climbing.pick`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import SMALL_JOKER, Card, rank_of
from junto.games.climbing import kernel

Vector = npt.NDArray[np.int64]

RANKS: Final = "3456789TJQKA2BR"
_PLACES: Final = {text: rank for rank, text in enumerate(RANKS)}


class RankError(ValueError):
    """A text that names no rank."""


_RANK_OF: Final = (*((rank_of(card) + 12) % 13 for card in range(SMALL_JOKER)), kernel.SMALL, kernel.BIG)


def rank_of_card(card: Card) -> int:
    """Return a card's rank in climbing games: 0 (three) .. 12 (two), 13 and 14 for the jokers."""
    return _RANK_OF[card]


def counts_of(cards: Iterable[Card]) -> Vector:
    """Return how many cards there are of each rank; equal cards of several packs count each."""
    counts = [0] * kernel.RANKS
    for card in cards:
        counts[_RANK_OF[card]] += 1
    return np.array(counts, np.int64)


def parse_ranks(text: str) -> Vector:
    """Return the counts of ranks in a text such as `3344BR`, in any order.

    Raises:
        RankError: a character names no rank.
    """
    counts = np.zeros(kernel.RANKS, np.int64)
    for letter in text:
        if letter not in _PLACES:
            raise RankError(f"{letter!r} is not a rank")
        counts[_PLACES[letter]] += 1
    return counts


def letters_of(ranks: Iterable[int]) -> str:
    """Return the letters of ranks, in their order: `44455539`."""
    return "".join(RANKS[rank] for rank in ranks)


def ranks_text(counts: Iterable[int]) -> str:
    """Return the ranks counted, low to high: `3344BR`."""
    return "".join(rank * int(count) for rank, count in zip(RANKS, counts, strict=True))

"""The worlds of one to four packs: how many cards of each rank of the climbing games lie in each place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import PACK, Card
from junto.games.climbing.kernel import RANKS
from junto.games.climbing.ranks import rank_of_card
from junto.games.jit import njit
from junto.search.streams import start_stream
from junto.search.worlds.counted import Counted
from junto.search.worlds.graph import Vector, Weights
from junto.search.worlds.layout import NODES, PLACE, PLACES, SCRATCH, fill_basins, pick_card
from junto.search.worlds.outline import Limit

Matrix = npt.NDArray[np.int64]

_RANKS: Final = tuple(map(rank_of_card, range(PACK)))
_RANK: Final = 15
_NAMED: Final = 4
"""A label is a card's rank; from this bit on, whether it is the named card."""


@njit
def draw_ranks(plan: Vector, odds: Weights, counts: Matrix, named: Vector, stream: Vector, scratch: Vector) -> None:
    """Draw a deal: add the cards of each rank to `counts[place, rank]`, the named ones besides to `named[place]`.

    What is known to lie in a place is to be there before. `plan` and `odds` are those of `RankWorlds`; `scratch` has
    room for `SCRATCH` numbers.
    """
    fill_basins(plan, odds, stream, scratch)
    first, second = int(stream[0]), int(stream[1])
    for place in range(plan[PLACES], plan[NODES], PLACE):
        hand = counts[plan[place]]
        copies = 0
        start, left, number = plan[place + 1], plan[place + 2], plan[place + 3]
        if number == left:
            for position in range(start, start + left):
                hand[scratch[position] & _RANK] += 1
                copies += scratch[position] >> _NAMED
        else:
            for rest in range(left, left - number, -1):
                label, first, second = pick_card(scratch, start, rest, first, second)
                hand[label & _RANK] += 1
                copies += label >> _NAMED
        named[plan[place]] += copies
    stream[0] = first
    stream[1] = second


@njit
def _draw_many(
    plan: Vector, odds: Weights, seed: int, number: int, counts: Matrix, named: Vector, stream: Vector,
    scratch: Vector,
) -> int:  # fmt: skip
    check = 0
    for world in range(number):
        counts[:] = 0
        named[:] = 0
        start_stream(stream, seed, world, 0)
        draw_ranks(plan, odds, counts, named, stream, scratch)
        for place in range(named.shape[0]):
            check = (check * 31 + counts[place, world % RANKS] + named[place]) & 0xFFFFFFFF
    return check


class RankWorlds(Counted):
    """All consistent deals of one to four packs; each weighs the same, of labelled cards."""

    __slots__ = ()

    def sample(self, seed: int, number: int) -> tuple[Matrix, Vector]:
        """Return the `number`-th draw of a seed: by place the cards of each rank, and the copies of the named card."""
        places = len(self._outline.sizes)
        counts, named, stream = np.zeros((places, RANKS), np.int64), np.zeros(places, np.int64), np.zeros(2, np.int64)
        start_stream(stream, seed, number, 0)
        draw_ranks(self.plan, self.odds, counts, named, stream, np.zeros(SCRATCH, np.int64))
        return counts, named


def count_rank_worlds(
    hidden: Iterable[Card],
    barred: Sequence[int],
    sizes: Sequence[int],
    named: Card | None = None,
    limit: Limit | None = None,
) -> RankWorlds:
    """Count the deals of hidden cards, equal ones repeated; place p takes `sizes[p]`, none in the set `barred[p]`.

    Of the `named` card each draw says how many copies lie in each place.

    Raises:
        NoWorld: there is none.
    """
    return RankWorlds.of(hidden, barred, sizes, lambda card: _RANKS[card] | (card == named) << _NAMED, limit)


def draw_rank_worlds(worlds: RankWorlds, seed: int, number: int, places: int) -> int:
    """Draw the first so many worlds of a seed; return a checksum."""
    return _draw_many(
        worlds.plan, worlds.odds, seed, number, np.zeros((places, RANKS), np.int64), np.zeros(places, np.int64),
        np.zeros(2, np.int64), np.zeros(SCRATCH, np.int64),
    )  # fmt: skip


def warm_up() -> None:
    """Compile the sampler."""
    worlds = count_rank_worlds([0, 0, 1, 1, 2, 2], [0b1, 0b10, 0], [2, 2, 2], named=2)
    worlds.sample(1, 0)
    draw_rank_worlds(worlds, 1, 1, 3)

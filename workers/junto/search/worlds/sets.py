"""The worlds of one pack: the set of cards in each place, as bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from junto.games.cards import cards_in
from junto.games.jit import njit
from junto.search.streams import start_stream
from junto.search.worlds.counted import Counted
from junto.search.worlds.graph import Vector, Weights
from junto.search.worlds.layout import NODES, PLACE, PLACES, SCRATCH, fill_basins, pick_card


@njit
def draw_world(plan: Vector, odds: Weights, hands: Vector, stream: Vector, scratch: Vector) -> None:
    """Draw a deal into `hands[place]`, one set of cards per place that takes any; other places stay as they are.

    `plan` and `odds` are those of `Worlds`; `scratch` has room for `SCRATCH` numbers.
    """
    fill_basins(plan, odds, stream, scratch)
    first, second = int(stream[0]), int(stream[1])
    for place in range(plan[PLACES], plan[NODES], PLACE):
        hand = 0
        start, left, number = plan[place + 1], plan[place + 2], plan[place + 3]
        if number == left:
            for position in range(start, start + left):
                hand |= 1 << scratch[position]
        else:
            for rest in range(left, left - number, -1):
                card, first, second = pick_card(scratch, start, rest, first, second)
                hand |= 1 << card
        hands[plan[place]] = hand
    stream[0] = first
    stream[1] = second


@njit
def _draw_many(
    plan: Vector, odds: Weights, seed: int, number: int, hands: Vector, stream: Vector, scratch: Vector
) -> int:
    check = 0
    for world in range(number):
        start_stream(stream, seed, world, 0)
        draw_world(plan, odds, hands, stream, scratch)
        for place in range(hands.shape[0]):
            check = (check * 31 + hands[place]) & 0xFFFFFFFF
    return check


class Worlds(Counted):
    """All consistent deals of one pack."""

    __slots__ = ()

    def sample(self, seed: int, number: int) -> list[int]:
        """Return the `number`-th draw of a seed: the set of cards in each place, by place."""
        hands = np.zeros(len(self._outline.sizes), np.int64)
        stream = np.zeros(2, np.int64)
        start_stream(stream, seed, number, 0)
        draw_world(self.plan, self.odds, hands, stream, np.zeros(SCRATCH, np.int64))
        return [int(hand) for hand in hands]


def count_worlds(unseen: int, barred: Sequence[int], sizes: Sequence[int]) -> Worlds:
    """Count the deals of a set of hidden cards; place p takes `sizes[p]` cards, none of them in `barred[p]`.

    Raises:
        NoWorld: there is none.
    """
    return Worlds.of(cards_in(unseen), barred, sizes)


def draw_worlds(worlds: Worlds, seed: int, number: int, hands: Vector) -> int:
    """Draw the first so many worlds of a seed; return a checksum. `hands` has room for the places."""
    return _draw_many(worlds.plan, worlds.odds, seed, number, hands, np.zeros(2, np.int64), np.zeros(SCRATCH, np.int64))


def warm_up() -> None:
    """Compile the sampler."""
    worlds = count_worlds(0b111111, [0b1, 0b10, 0], [2, 2, 2])
    worlds.sample(1, 0)
    worlds.chances(2)

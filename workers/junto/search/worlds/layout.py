"""Lay out one deal by its chances, compiled: a card's label is any number that says what is to be written of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from junto.games.cards import Card
from junto.games.jit import inlined, njit
from junto.search.streams import advance, draw_fraction
from junto.search.worlds.graph import Graph, Vector, Weights
from junto.search.worlds.outline import MOST_CARDS, ROOM, ROOM_BITS, Outline

# The plan of a draw: counts, then where its sections begin.
(
    _COUNT_CARDS, _COUNT_STEPS, _COUNT_BASINS, _LAST_START,
    _LABELS, _STEPS, PLACES, NODES, _TARGETS, _ROOMS, _SECTIONS,
) = range(11)  # fmt: skip
PLACE: Final = 4
"""How many numbers the plan has of each place, from `PLACES` to `NODES`: its own, then where its cards lie."""
_POOL: Final = MOST_CARDS
_GOALS: Final = 2 * MOST_CARDS
SCRATCH: Final = _GOALS + 8
"""Numbers that a draw needs room for: the cards group by group, basin by basin, where each basin's next goes."""


def plan_of(outline: Outline, graph: Graph, label: Callable[[Card], int]) -> Vector:
    """Return what a draw reads, besides the weights, as one vector."""
    labels = [label(card) for group, _ in outline.groups for card in group]
    group_starts = outline.group_starts
    steps: list[int] = []
    for number, (group, basin) in enumerate(outline.steps):
        fresh = number == 0 or outline.steps[number - 1][0] != group
        steps += [basin, group_starts[group], len(outline.groups[group][0]) if fresh else -1]
    nodes = np.empty(2 * graph.room.size + 2, np.int64)
    nodes[::2] = graph.first_edge
    nodes[1:-1:2] = graph.lowest
    sections: list[Sequence[int] | Vector] = [labels, steps, _places(outline), nodes, graph.target, graph.room]
    starts = list(itertools.accumulate((len(section) for section in sections[:-1]), initial=_SECTIONS))
    counts = [len(labels), len(outline.steps), len(outline.basins), group_starts[-2] if outline.groups else 0]
    return np.concatenate([np.array(part, np.int64) for part in (counts, starts, *sections)])


def _places(outline: Outline) -> list[int]:
    places, start = [], _POOL
    for basin in outline.basins:
        left = sum(outline.sizes[place] for place in basin)
        for place in basin:
            places += [place, start, left, outline.sizes[place]]
            left -= outline.sizes[place]
        start += sum(outline.sizes[place] for place in basin)
    return places


@inlined
def pick_card(cards: Vector, start: int, left: int, first: int, second: int) -> tuple[int, int, int]:
    """Take a random one of the `left` cards from `start` on, whose place the last of them gets.

    Return it and the next state of the random numbers.
    """
    word, first, second = advance(first, second)
    place = start + (word * left >> 32)
    card = cards[place]
    cards[place] = cards[start + left - 1]
    return card, first, second


@njit
def _pour(scratch: Vector, start: int, count: int, number: int, basin: int, stream: Vector) -> int:
    """Move `number` random cards of a group's `count` into a basin; return how many are left of the group."""
    goal = scratch[_GOALS + basin]
    scratch[_GOALS + basin] = goal + number
    if number == count:
        for position in range(start, start + count):
            scratch[goal] = scratch[position]
            goal += 1
        return 0
    first, second = int(stream[0]), int(stream[1])
    for place in range(number):
        scratch[goal + number - 1 - place], first, second = pick_card(scratch, start, count - place, first, second)
    stream[0] = first
    stream[1] = second
    return count - number


@inlined
def fill_basins(plan: Vector, odds: Weights, stream: Vector, scratch: Vector) -> None:
    """Draw the cards of each basin: their labels, into `scratch`, which has room for `SCRATCH` numbers.

    `odds` are the running sums of the graph's edges, then its nodes' weights.
    """
    basins, nodes, targets, rooms = plan[_COUNT_BASINS], plan[NODES], plan[_TARGETS], plan[_ROOMS]
    for position in range(plan[_COUNT_CARDS]):
        scratch[position] = plan[plan[_LABELS] + position]
    room = plan[rooms]
    goal = _POOL
    for basin in range(basins):
        scratch[_GOALS + basin] = goal
        goal += room >> (ROOM_BITS * basin) & ROOM
    node = 0
    left = 0
    for position in range(plan[_STEPS], plan[_STEPS] + 3 * plan[_COUNT_STEPS], 3):
        if plan[position + 2] >= 0:
            left = plan[position + 2]
        first = plan[nodes + 2 * node]
        last = plan[nodes + 2 * node + 2] - 1
        edge = first
        if edge < last:
            point = draw_fraction(stream) * odds[rooms - targets + node]
            while edge < last and odds[edge] <= point:
                edge += 1
        number = plan[nodes + 2 * node + 1] + edge - first
        node = plan[targets + edge]
        left = _pour(scratch, plan[position + 1], left, number, plan[position], stream)
    start = plan[_LAST_START]
    left = plan[_COUNT_CARDS] - start
    room = plan[rooms + node]
    for basin in range(basins):
        left = _pour(scratch, start, left, room >> (ROOM_BITS * basin) & ROOM, basin, stream)

"""Count the ways to share groups of cards out among basins, compiled.

Weights are floats: exact counts up to 2^53, relative error about 1e-15 beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.search.worlds.outline import MOST_CARDS, ROOM, ROOM_BITS, Outline

Vector = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]


def _pascal() -> Weights:
    table = np.zeros((MOST_CARDS + 1, MOST_CARDS + 1))
    table[:, 0] = 1.0
    for row in range(1, MOST_CARDS + 1):
        table[row, 1:] = table[row - 1, 1:] + table[row - 1, :-1]
    return table


_BINOMIAL: Final = _pascal()


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The counted deals.

    The edges of a node follow one another from `first_edge[node]` on; the k-th puts `lowest[node] + k` cards
    of the step's group into the step's basin. `step_start` is the number of each step's first node, then that
    of the first final node, then of all nodes. `room` is what each basin still takes at a node. `weight` are the ways
    behind each node, `reach` the running sums of those of its edges.
    """

    step_start: Vector
    room: Vector
    lowest: Vector
    first_edge: Vector
    target: Vector
    reach: Weights
    weight: Weights

    def averages(self) -> tuple[Weights, Weights]:
        """Return the probability that a draw passes each node, and how many cards each step moves on average."""
        chance, expected = np.zeros(self.weight.size), np.zeros(self.step_start.size - 2)
        _average(self.step_start, self.lowest, self.first_edge, self.target, self.reach, self.weight, chance, expected)
        return chance, expected


@inlined
def _held(room: int) -> int:
    """Return how many cards the basins still take together."""
    total = 0
    while room > 0:
        total += room & ROOM
        room >>= ROOM_BITS
    return total


@njit
def _expand(
    begin: int, end: int, edges: int, known: Vector, keys: Vector, room: Vector, lowest: Vector, first_edge: Vector,
    target: Vector, basin: int, stride: int, left_after: int, later_basins: int, fill: int, most: int,
) -> tuple[int, int]:  # fmt: skip
    """Add the edges of the nodes from `begin` to `end` and the nodes they lead to; return how many there are now.

    A node's `key` numbers it in mixed radix, and `known[key]` is the last node with that key, plus one.
    `left_after` cards belong to later groups, of which this basin can take `fill`; `later_basins` come after this
    one in the group's turn. It takes no more than `most`.
    """
    nodes = end
    for node in range(begin, end):
        cap = room[node] >> (ROOM_BITS * basin) & ROOM
        cards_left = _held(room[node]) - left_after
        low = max(0, cards_left - _held(room[node] & later_basins), cap - fill)
        lowest[node] = low
        first_edge[node] = edges
        key = keys[node] - low * stride
        for number in range(low, min(cards_left, cap, most) + 1):
            if known[key] <= end:  # of an earlier step, if any
                keys[nodes] = key
                room[nodes] = room[node] - (number << (ROOM_BITS * basin))
                nodes += 1
                known[key] = nodes
            target[edges] = known[key] - 1
            edges += 1
            key -= stride
    return nodes, edges


@njit
def _weigh(
    step_start: Vector, left_after: Vector, allowed: int, room: Vector, lowest: Vector, first_edge: Vector,
    target: Vector, reach: Weights, weight: Weights,
) -> None:  # fmt: skip
    """Write the ways behind each node, and the running sums of its edges' ways.

    `allowed` are the basins that the last group may lie in: each final node's room is filled with its cards.
    """
    steps = left_after.shape[0]
    for node in range(step_start[steps], step_start[steps + 1]):
        ways = 1.0
        total = 0
        rest = room[node]
        basin = 0
        while rest > 0:
            cap = rest & ROOM
            total += cap
            ways *= _BINOMIAL[total, cap] if cap == 0 or allowed >> basin & 1 else 0.0
            rest >>= ROOM_BITS
            basin += 1
        weight[node] = ways
    for step in range(steps - 1, -1, -1):
        for node in range(step_start[step], step_start[step + 1]):
            cards_left = _held(room[node]) - left_after[step]
            total_ways = 0.0
            number = lowest[node]
            for edge in range(first_edge[node], first_edge[node + 1]):
                total_ways += _BINOMIAL[cards_left, number] * weight[target[edge]]
                reach[edge] = total_ways
                number += 1
            weight[node] = total_ways


@njit
def _average(
    step_start: Vector, lowest: Vector, first_edge: Vector, target: Vector, reach: Weights, weight: Weights,
    chance: Weights, expected: Weights,
) -> None:  # fmt: skip
    chance[0] = 1.0
    for step in range(expected.shape[0]):
        for node in range(step_start[step], step_start[step + 1]):
            before = 0.0
            number = lowest[node]
            for edge in range(first_edge[node], first_edge[node + 1]):
                if chance[node] > 0.0:
                    share = chance[node] * (reach[edge] - before) / weight[node]
                    chance[target[edge]] += share
                    expected[step] += share * number
                before = reach[edge]
                number += 1


def _with_length(vector: Vector, length: int) -> Vector:
    if length <= vector.size:
        return vector
    longer: Vector = np.empty(2 * length, np.int64)
    longer[: vector.size] = vector
    return longer


def _strides(outline: Outline, root: int) -> list[int]:
    """Return what each basin's room counts in a node's key, then how many keys there are.

    A basin loses no more room than the groups before the last one have cards for it.
    """
    strides = [1]
    for basin in range(len(outline.basins)):
        moved = sum(len(cards) for cards, allowed in outline.groups[:-1] if allowed >> basin & 1)
        strides.append(strides[-1] * (min(root >> ROOM_BITS * basin & ROOM, moved) + 1))
    return strides


def graph_of(outline: Outline) -> Graph:
    """Count the deals of an outline."""
    steps, root = outline.steps, outline.room
    strides = _strides(outline, root)
    known = np.zeros(strides[-1], np.int64)
    keys, room = np.array([strides[-1] - 1]), np.array([root])
    lowest, first_edge, target = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    starts, edges = [0, 1], 0
    group_starts = outline.group_starts
    left_after = [group_starts[-1] - group_starts[group + 1] for group, _ in steps]
    for step, (group, basin) in enumerate(steps):
        widest = min(len(outline.groups[group][0]), root >> ROOM_BITS * basin & ROOM) + 1
        more = (starts[-1] - starts[-2]) * widest
        keys, room = _with_length(keys, starts[-1] + more), _with_length(room, starts[-1] + more)
        lowest, first_edge = _with_length(lowest, starts[-1] + more), _with_length(first_edge, starts[-1] + more)
        target = _with_length(target, edges + more)
        later_basins = sum(ROOM << ROOM_BITS * later for same, later in steps[step + 1 :] if same == group)
        nodes, edges = _expand(
            starts[-2], starts[-1], edges, known, keys, room, lowest, first_edge, target, basin, strides[basin],
            left_after[step], later_basins, outline.later(group, basin), outline.most(group, basin),
        )  # fmt: skip
        starts.append(nodes)
    first_edge = _with_length(first_edge, starts[-1] + 1)[: starts[-1] + 1]
    first_edge[starts[-2] :] = edges
    graph = Graph(
        np.array(starts), room[: starts[-1]], lowest[: starts[-1]], first_edge, target[:edges], np.empty(edges),
        np.empty(starts[-1]),
    )  # fmt: skip
    _weigh(
        graph.step_start, np.array(left_after, np.int64), outline.groups[-1][1] if outline.groups else 0, graph.room,
        graph.lowest, first_edge, graph.target, graph.reach, graph.weight,
    )  # fmt: skip
    return graph

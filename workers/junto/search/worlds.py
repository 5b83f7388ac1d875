"""Draw the hidden cards: uniformly from all ways in which they can lie.

A *place* is a hand or a hidden pile. Each has a size, and cards that it cannot hold. Cards that the same
places can hold form a *group*; places that can hold the same cards are one *basin*. How many ways there
are to share the groups out among the basins is counted by dynamic programming: a graph whose nodes are
what is still to be filled, whose edges say how many cards of a group go into a basin, and whose weights
count the deals behind them (labelled cards). A draw walks the graph from its root with these weights, then
picks which cards, then shuffles each basin out to its places. Nothing is tried and given up, so a draw
costs the same whatever is known. (Sampling consistent deals without bias is what GIB and Kermit did by
rejection; the counting makes it exact.)

Weights are floats: exact counts up to 2^53, relative error about 1e-15 beyond.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import cards_in
from junto.games.jit import inlined, njit
from junto.search.streams import advance, draw_fraction, start_stream

Vector = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]


class NoWorld(ValueError):
    """No way to place the hidden cards agrees with what is known: the knowledge contradicts itself."""


def _pascal() -> Weights:
    table = np.zeros((55, 55))
    table[:, 0] = 1.0
    for row in range(1, 55):
        table[row, 1:] = table[row - 1, 1:] + table[row - 1, :-1]
    return table


_BINOMIAL: Final = _pascal()

# The plan of a draw: counts, then where its sections begin.
(
    _COUNT_CARDS, _COUNT_STEPS, _COUNT_BASINS, _LAST_START,
    _CARDS, _STEPS, _BASINS, _MEMBERS, _NODES, _TARGETS, _ROOMS, _SECTIONS,
) = range(12)  # fmt: skip
_POOL: Final = 60
_GOALS: Final = 120
SCRATCH: Final = 128
"""Numbers that a draw needs room for: the cards group by group, basin by basin, where each basin's next goes."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """The hidden cards by group and the places by basin.

    `groups` are (cards, basins that may take them, as bits); the last one, the largest, fills what the others
    leave. `basins` are the places of each basin, smallest basin first. A *step* fills one basin from one group.
    """

    groups: tuple[tuple[tuple[int, ...], int], ...]
    basins: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

    @property
    def room(self) -> int:
        """What all basins take, six bits a basin."""
        return sum(
            sum(self.sizes[place] for place in basin) << (6 * number) for number, basin in enumerate(self.basins)
        )

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Group and basin of each step, for all groups but the last."""
        return [
            (group, basin)
            for group, (_, allowed) in enumerate(self.groups[:-1])
            for basin in range(len(self.basins))
            if allowed >> basin & 1
        ]


def _outline(unseen: int, barred: Sequence[int], sizes: Sequence[int]) -> _Outline:
    """Group the hidden cards and the places.

    Raises:
        NoWorld: the places are too many or too few, or a card can lie nowhere.
    """
    if sum(sizes) != unseen.bit_count():
        raise NoWorld(f"{unseen.bit_count()} cards are hidden, and there are places for {sum(sizes)}")
    open_places = [place for place, size in enumerate(sizes) if size > 0]
    cards_by_places: dict[int, list[int]] = {}
    for card in cards_in(unseen):
        allowed = sum(1 << place for place in open_places if not barred[place] >> card & 1)
        if not allowed:
            raise NoWorld("a hidden card can lie nowhere")
        cards_by_places.setdefault(allowed, []).append(card)
    places_by_groups: dict[tuple[bool, ...], list[int]] = {}
    for place in open_places:
        alike = tuple(bool(allowed >> place & 1) for allowed in cards_by_places)
        places_by_groups.setdefault(alike, []).append(place)
    basins = sorted(places_by_groups.values(), key=lambda places: sum(sizes[place] for place in places))
    groups = [
        (tuple(cards), sum(1 << number for number, basin in enumerate(basins) if allowed >> basin[0] & 1))
        for allowed, cards in cards_by_places.items()
    ]
    groups.sort(key=lambda group: group[1].bit_count())
    largest = max(range(len(groups)), key=lambda number: len(groups[number][0]), default=None)
    if largest is not None:
        groups.append(groups.pop(largest))
    return _Outline(tuple(groups), tuple(map(tuple, basins)), tuple(sizes))


@inlined
def _held(room: int) -> int:
    """Return how many cards the basins still take together."""
    total = 0
    while room > 0:
        total += room & 63
        room >>= 6
    return total


@njit
def _expand(
    begin: int, end: int, edges: int, known: Vector, keys: Vector, room: Vector, lowest: Vector, first_edge: Vector,
    target: Vector, basin: int, stride: int, left_after: int, later_basins: int, fill: int,
) -> tuple[int, int]:  # fmt: skip
    """Add the edges of the nodes from `begin` to `end` and the nodes they lead to; return how many there are now.

    `room` is what each basin still takes, six bits a basin; a node's `key` numbers it in mixed radix, and
    `known[key]` is the last node with that key, plus one. `left_after` cards belong to later groups, of which
    this basin can take `fill`; `later_basins` come after this one in the group's turn.
    """
    nodes = end
    for node in range(begin, end):
        cap = room[node] >> (6 * basin) & 63
        cards_left = _held(room[node]) - left_after
        low = max(0, cards_left - _held(room[node] & later_basins), cap - fill)
        lowest[node] = low
        first_edge[node] = edges
        key = keys[node] - low * stride
        for number in range(low, min(cards_left, cap) + 1):
            if known[key] <= end:  # of an earlier step, if any
                keys[nodes] = key
                room[nodes] = room[node] - (number << (6 * basin))
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
            cap = rest & 63
            total += cap
            ways *= _BINOMIAL[total, cap] if cap == 0 or allowed >> basin & 1 else 0.0
            rest >>= 6
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
    """Write the probability that a draw passes each node, and how many cards each step moves on average."""
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


@njit
def _take(cards: Vector, start: int, count: int, number: int, stream: Vector) -> int:
    """Move `number` random ones of the `count` cards from `start` on behind the others; return how many stay.

    When all are taken they stay in their order, which nobody looks at.
    """
    if number == count:
        return 0
    first, second = int(stream[0]), int(stream[1])
    for left in range(count, count - number, -1):
        word, first, second = advance(first, second)
        pick = start + (word * left >> 32)
        card = cards[pick]
        cards[pick] = cards[start + left - 1]
        cards[start + left - 1] = card
    stream[0] = first
    stream[1] = second
    return count - number


@njit
def _pour(scratch: Vector, start: int, count: int, number: int, basin: int, stream: Vector) -> int:
    """Move `number` random cards of a group's `count` into a basin; return how many are left of the group."""
    stay = _take(scratch, start, count, number, stream)
    goal = scratch[_GOALS + basin]
    for position in range(start + stay, start + count):
        scratch[goal] = scratch[position]
        goal += 1
    scratch[_GOALS + basin] = goal
    return stay


@njit
def draw_world(plan: Vector, odds: Weights, hands: Vector, stream: Vector, scratch: Vector) -> None:
    """Draw a deal into `hands[place]`, one set of cards per place that takes any; other places stay as they are.

    `plan` and `odds` are those of `Worlds`; `scratch` has room for `SCRATCH` numbers.
    """
    basins, nodes, targets, rooms = plan[_COUNT_BASINS], plan[_NODES], plan[_TARGETS], plan[_ROOMS]
    for position in range(plan[_COUNT_CARDS]):
        scratch[position] = plan[plan[_CARDS] + position]
    room = plan[rooms]
    goal = _POOL
    for basin in range(basins):
        scratch[_GOALS + basin] = goal
        goal += room >> (6 * basin) & 63
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
        left = _pour(scratch, start, left, room >> (6 * basin) & 63, basin, stream)
    start = _POOL
    member = plan[_MEMBERS]
    for basin in range(basins):
        left = scratch[_GOALS + basin] - start
        for _ in range(plan[plan[_BASINS] + basin]):
            stay = _take(scratch, start, left, plan[member + 1], stream)
            hand = 0
            for position in range(start + stay, start + left):
                hand |= 1 << scratch[position]
            hands[plan[member]] = hand
            left = stay
            member += 2
        start = scratch[_GOALS + basin]


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


@dataclass(frozen=True, slots=True, eq=False)
class _Graph:
    """The counted deals.

    The edges of a node follow one another from `first_edge[node]` on; the k-th puts `lowest[node] + k` cards
    of the step's group into the step's basin. `step_start` is the number of each step's first node, then that
    of the first final node, then of all nodes.
    """

    step_start: Vector
    room: Vector
    lowest: Vector
    first_edge: Vector
    target: Vector
    reach: Weights
    weight: Weights


def _with_length(vector: Vector, length: int) -> Vector:
    if length <= vector.size:
        return vector
    longer: Vector = np.empty(2 * length, np.int64)
    longer[: vector.size] = vector
    return longer


def _graph(outline: _Outline) -> _Graph:
    """Count the deals."""
    steps, root = outline.steps, outline.room
    strides = [1]
    for basin in range(len(outline.basins)):
        strides.append(strides[-1] * ((root >> 6 * basin & 63) + 1))
    known = np.zeros(strides[-1], np.int64)
    keys, room = np.array([strides[-1] - 1]), np.array([root])
    lowest, first_edge, target = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    starts, edges = [0, 1], 0
    group_sizes = [len(cards) for cards, _ in outline.groups]
    left_after = [sum(group_sizes[group + 1 :]) for group, _ in steps]
    for step, (group, basin) in enumerate(steps):
        widest = min(group_sizes[group], root >> 6 * basin & 63) + 1
        more = (starts[-1] - starts[-2]) * widest
        keys, room = _with_length(keys, starts[-1] + more), _with_length(room, starts[-1] + more)
        lowest, first_edge = _with_length(lowest, starts[-1] + more), _with_length(first_edge, starts[-1] + more)
        target = _with_length(target, edges + more)
        later_basins = sum(63 << 6 * later for same, later in steps[step + 1 :] if same == group)
        fill = sum(len(cards) for cards, allowed in outline.groups[group + 1 :] if allowed >> basin & 1)
        nodes, edges = _expand(
            starts[-2], starts[-1], edges, known, keys, room, lowest, first_edge, target, basin, strides[basin],
            left_after[step], later_basins, fill,
        )  # fmt: skip
        starts.append(nodes)
    first_edge = _with_length(first_edge, starts[-1] + 1)[: starts[-1] + 1]
    first_edge[starts[-2] :] = edges
    graph = _Graph(
        np.array(starts), room[: starts[-1]], lowest[: starts[-1]], first_edge, target[:edges], np.empty(edges),
        np.empty(starts[-1]),
    )  # fmt: skip
    _weigh(
        graph.step_start, np.array(left_after, np.int64), outline.groups[-1][1] if outline.groups else 0, graph.room,
        graph.lowest, first_edge, graph.target, graph.reach, graph.weight,
    )  # fmt: skip
    return graph


def _plan(outline: _Outline, graph: _Graph) -> Vector:
    """Return what a draw reads, besides the weights, as one vector."""
    cards = [card for group, _ in outline.groups for card in group]
    group_start = list(itertools.accumulate((len(group) for group, _ in outline.groups), initial=0))
    steps: list[int] = []
    for number, (group, basin) in enumerate(outline.steps):
        fresh = number == 0 or outline.steps[number - 1][0] != group
        steps += [basin, group_start[group], len(outline.groups[group][0]) if fresh else -1]
    members = [number for basin in outline.basins for place in basin for number in (place, outline.sizes[place])]
    nodes = np.empty(2 * graph.room.size + 2, np.int64)
    nodes[::2] = graph.first_edge
    nodes[1:-1:2] = graph.lowest
    sections: list[Sequence[int] | Vector] = [
        cards, steps, [len(basin) for basin in outline.basins], members, nodes, graph.target, graph.room,
    ]  # fmt: skip
    starts = list(itertools.accumulate((len(section) for section in sections[:-1]), initial=_SECTIONS))
    counts = [len(cards), len(outline.steps), len(outline.basins), group_start[-2] if outline.groups else 0]
    return np.concatenate([np.array(part, np.int64) for part in (counts, starts, *sections)])


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """All consistent deals of one decision, counted once. `plan` and `odds` are what `draw_world` reads."""

    plan: Vector
    odds: Weights
    _outline: _Outline
    _graph: _Graph

    @property
    def count(self) -> float:
        """How many deals there are."""
        ways = float(self._graph.weight[0])
        for basin in self._outline.basins:
            sizes = [self._outline.sizes[place] for place in basin]
            ways *= math.factorial(sum(sizes)) / math.prod(map(math.factorial, sizes))
        return ways

    def sample(self, seed: int, number: int) -> list[int]:
        """Return the `number`-th draw of a seed: the set of cards in each place, by place."""
        hands = np.zeros(len(self._outline.sizes), np.int64)
        stream = np.zeros(2, np.int64)
        start_stream(stream, seed, number, 0)
        draw_world(self.plan, self.odds, hands, stream, np.zeros(SCRATCH, np.int64))
        return [int(hand) for hand in hands]

    def chances(self, card: int) -> list[float]:
        """Return the probability that each place holds a hidden card, by place (exact, not sampled)."""
        outline, graph = self._outline, self._graph
        group = next(number for number, (cards, _) in enumerate(outline.groups) if card in cards)
        chance, expected = np.zeros(graph.weight.size), np.zeros(len(outline.steps))
        _average(
            graph.step_start, graph.lowest, graph.first_edge, graph.target, graph.reach, graph.weight, chance, expected
        )
        chances = [0.0] * len(outline.sizes)
        finals = slice(int(graph.step_start[-2]), int(graph.step_start[-1]))
        for basin, places in enumerate(outline.basins):
            if group == len(outline.groups) - 1:
                number = float(chance[finals] @ (graph.room[finals] >> 6 * basin & 63))
            else:
                number = float(expected[outline.steps.index((group, basin))]) if (group, basin) in outline.steps else 0
            room = sum(outline.sizes[place] for place in places)
            for place in places:
                chances[place] = number / len(outline.groups[group][0]) * outline.sizes[place] / room
        return chances


def count_worlds(unseen: int, barred: Sequence[int], sizes: Sequence[int]) -> Worlds:
    """Count the deals of a set of hidden cards; place p takes `sizes[p]` cards, none of them in `barred[p]`.

    Raises:
        NoWorld: there is none.
    """
    outline = _outline(unseen, barred, sizes)
    graph = _graph(outline)
    if graph.weight[0] <= 0.0:
        raise NoWorld("what is known of the hidden cards contradicts itself")
    return Worlds(_plan(outline, graph), np.concatenate((graph.reach, graph.weight)), outline, graph)


def draw_worlds(worlds: Worlds, seed: int, number: int, hands: Vector) -> int:
    """Draw the first so many worlds of a seed; return a checksum. `hands` has room for the places."""
    return _draw_many(worlds.plan, worlds.odds, seed, number, hands, np.zeros(2, np.int64), np.zeros(SCRATCH, np.int64))


def warm_up() -> None:
    """Compile the sampler."""
    worlds = count_worlds(0b111111, [0b1, 0b10, 0], [2, 2, 2])
    worlds.sample(1, 0)
    worlds.chances(2)

"""Draw the hidden cards: uniformly from all ways in which they can lie.

A *place* is a hand or a hidden pile. Each has a size, and cards that it cannot hold. Cards that the same
places can hold form a *group*; places that can hold the same cards are one *basin*. How many ways there
are to share the groups out among the basins is counted by dynamic programming: a graph whose nodes are
what is still to be filled, whose edges say how many cards of a group go into a basin, and whose weights
count the deals behind them (labelled cards). A draw walks the graph from its root with these weights, then
picks which cards, then shuffles each basin out to its places. Nothing is tried and given up, so a draw
costs the same whatever is known. (SEARCH: uniform sampling of consistent deals, as in GIB and Kermit,
made exact by counting.)

Weights are floats: exact counts up to 2^53, relative error about 1e-15 beyond.
"""
# ruff: noqa: PLR0917  # kernels take scalars by position

from __future__ import annotations

import functools
import itertools
import math
import operator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.tricks.bits import count_cards, lowest_card
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

# A packed graph: counts, then where its sections begin.
(
    _COUNT_CARDS, _COUNT_STEPS, _COUNT_BASINS, _LAST_START,
    _CARDS, _STEPS, _BASINS, _MEMBERS, _NODES, _TARGETS, _ROOMS, _SECTIONS,
) = range(12)  # fmt: skip


class WorldGraph(NamedTuple):
    """The counted deals, as kernels read them. All arrays are fixed once built.

    A *step* fills one basin from one group. `edges` of a node follow one another from `first_edge[node]`
    on; the k-th puts `lowest[node] + k` cards. `reach` are their running sums of weights.
    """

    cards: Vector
    """The hidden cards, group by group; the last group fills what the others leave."""
    group_start: Vector
    """Where each group begins in `cards`; one more entry for the end."""
    step_group: Vector
    step_basin: Vector
    step_start: Vector
    """Number of the first node of each step; then that of the first final node, then of all nodes."""
    lowest: Vector
    first_edge: Vector
    reach: Weights
    target: Vector
    weight: Weights
    """Ways to fill the basins behind each node; node 0 is the root."""
    room: Vector
    """For each node what each basin still takes, six bits a basin."""
    basin_start: Vector
    """Where each basin begins in `members`; one more entry for the end."""
    members: Vector
    """The places of each basin."""
    sizes: Vector
    """How many hidden cards each place holds."""


@njit
def _with_length(vector: Vector, length: int) -> Vector:
    """Return the vector, or a longer copy with room for `length` numbers."""
    if length <= vector.shape[0]:
        return vector
    longer = np.zeros(2 * length, np.int64)
    longer[: vector.shape[0]] = vector
    return longer


@njit
def _grouped(unseen: int, allowed: Vector, sizes: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the hidden cards by group, where groups start, and each group's places (as bits).

    Groups that can lie in few places come first; the largest group is the last.
    """
    keys = np.zeros(54, np.int64)
    for card in range(54):
        if unseen >> card & 1:
            for place in range(sizes.shape[0]):
                if sizes[place] > 0 and allowed[place] >> card & 1:
                    keys[card] |= 1 << place
    largest = 0
    most = 0
    for first in range(54):
        count = 0
        for card in range(54):
            count += unseen >> first & unseen >> card & 1 and keys[card] == keys[first]
        if count > most:
            most = count
            largest = keys[first]
    total = count_cards(unseen)
    cards = np.zeros(total, np.int64)
    starts = np.zeros(total + 1, np.int64)
    places = np.zeros(total, np.int64)
    filled = 0
    groups = 0
    for width in range(1, sizes.shape[0] + 2):
        for first in range(54):
            key = keys[first]
            wanted = width > sizes.shape[0] if key == largest else count_cards(key) == width
            if unseen >> first & 1 and wanted:
                places[groups] = key
                for card in range(first, 54):
                    if unseen >> card & 1 and keys[card] == key:
                        cards[filled] = card
                        filled += 1
                        unseen &= ~(1 << card)
                groups += 1
                starts[groups] = filled
    return cards, starts[: groups + 1], places[:groups]


@njit
def _basins(places: Vector, sizes: Vector) -> tuple[Vector, Vector]:
    """Return where basins start and their places: those that occur in the same groups, smallest first."""
    count = sizes.shape[0]
    owner = np.full(count, -1, np.int64)
    size = np.zeros(count, np.int64)
    for place in range(count):
        if sizes[place] == 0:
            continue
        for other in range(place + 1):
            same = owner[other] == other or other == place
            for group in range(places.shape[0]):
                same = same and (places[group] >> place & 1) == (places[group] >> other & 1)
            if same:
                owner[place] = other
                size[other] += sizes[place]
                break
    starts = np.zeros(count + 1, np.int64)
    members = np.zeros(count, np.int64)
    basins = 0
    filled = 0
    while True:
        chosen = -1
        for place in range(count):
            if size[place] > 0 and (chosen < 0 or size[place] < size[chosen]):
                chosen = place
        if chosen < 0:
            return starts[: basins + 1], members[:filled]
        size[chosen] = 0
        for place in range(count):
            if owner[place] == chosen:
                members[filled] = place
                filled += 1
        basins += 1
        starts[basins] = filled


@njit
def _steps(places: Vector, starts: Vector, members: Vector) -> tuple[Vector, Vector]:
    """Return group and basin of each step, for all groups but the last: that one takes the room that is left."""
    basins = starts.shape[0] - 1
    groups = np.zeros(places.shape[0] * basins, np.int64)
    targets = np.zeros(places.shape[0] * basins, np.int64)
    count = 0
    for group in range(places.shape[0] - 1):
        for basin in range(basins):
            if places[group] >> members[starts[basin]] & 1:
                groups[count] = group
                targets[count] = basin
                count += 1
    return groups[:count], targets[:count]


@njit
def _ways(room: int, basins: int, allowed: int) -> float:
    """Return in how many ways the last group fills the basins, all of which it must be allowed in."""
    ways = 1.0
    total = 0
    for basin in range(basins):
        cap = room >> (6 * basin) & 63
        if cap > 0 and not allowed >> basin & 1:
            return 0.0
        total += cap
        ways *= _BINOMIAL[total, cap]
    return ways


@njit
def _held(room: int) -> int:
    """Return how many cards the basins still take together."""
    total = 0
    while room > 0:
        total += room & 63
        room >>= 6
    return total


@njit
def _expanded(
    root: int, group_start: Vector, step_group: Vector, step_basin: Vector, fills: Vector
) -> tuple[Vector, Vector, Vector, Vector, Vector]:
    """Return the nodes that the root leads to, and their edges: step_start, room, lowest, first_edge, target.

    `fills[step]` are the cards of later groups that the step's basin can take. A node's `key` numbers its
    room in mixed radix; `known[key]` is the last node with that key, plus one.
    """
    steps = step_group.shape[0]
    stride = np.ones(11, np.int64)
    for basin in range(10):
        stride[basin + 1] = stride[basin] * ((root >> (6 * basin) & 63) + 1)
    known = np.zeros(stride[10], np.int64)
    step_start = np.zeros(steps + 2, np.int64)
    step_start[1] = 1
    keys = np.full(1, stride[10] - 1, np.int64)
    room = np.full(1, root, np.int64)
    lowest = np.zeros(1, np.int64)
    first_edge = np.zeros(1, np.int64)
    target = np.zeros(1, np.int64)
    edges = 0
    for step in range(steps):
        basin = step_basin[step]
        group = step_group[step]
        size = group_start[group + 1] - group_start[group]
        widest = min(size, root >> (6 * basin) & 63) + 1
        frontier = step_start[step + 1] - step_start[step]
        length = step_start[step + 1] + frontier * widest
        keys = _with_length(keys, length)
        room = _with_length(room, length)
        lowest = _with_length(lowest, length)
        first_edge = _with_length(first_edge, length)
        target = _with_length(target, edges + frontier * widest)
        later_basins = 0
        later = step + 1
        while later < steps and step_group[later] == group:
            later_basins |= 63 << (6 * step_basin[later])
            later += 1
        step_start[step + 2], edges = _expand_step(
            step_start[step], step_start[step + 1], edges, known, keys, room, lowest, first_edge, target,
            basin, stride[basin], group_start[-1] - group_start[group + 1], later_basins, fills[step],
        )  # fmt: skip
    nodes = step_start[steps + 1]
    first_edge = _with_length(first_edge, nodes + 1)
    first_edge[step_start[steps] : nodes + 1] = edges
    return step_start, room[:nodes].copy(), lowest[:nodes].copy(), first_edge[: nodes + 1].copy(), target[:edges].copy()


@njit
def _expand_step(
    begin: int, end: int, edges: int, known: Vector, keys: Vector, room: Vector, lowest: Vector, first_edge: Vector,
    target: Vector, basin: int, stride: int, left_after: int, later_basins: int, fill: int,
) -> tuple[int, int]:  # fmt: skip
    """Add the edges of the nodes from `begin` to `end` and the nodes they lead to; return how many there are now.

    `left_after` cards belong to later groups; `later_basins` are the basins (six bits each) that come after
    this one in the group's turn.
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
def build_graph(unseen: int, allowed: Vector, sizes: Vector) -> WorldGraph:
    """Count the deals of the `unseen` cards: place p takes `sizes[p]` of the cards in `allowed[p]`.

    The sizes add up to the number of unseen cards, and each of these is allowed somewhere. Without any
    consistent deal the root's weight is 0.
    """
    cards, group_start, places = _grouped(unseen, allowed, sizes)
    basin_start, members = _basins(places, sizes)
    basins = basin_start.shape[0] - 1
    step_group, step_basin = _steps(places, basin_start, members)
    root = 0
    last_allowed = 0
    for basin in range(basins):
        for member in range(basin_start[basin], basin_start[basin + 1]):
            root += sizes[members[member]] << (6 * basin)
        if places[-1] >> members[basin_start[basin]] & 1:
            last_allowed |= 1 << basin
    fills = np.zeros(step_group.shape[0], np.int64)
    for step in range(step_group.shape[0]):
        for group in range(step_group[step] + 1, places.shape[0]):
            if places[group] >> members[basin_start[step_basin[step]]] & 1:
                fills[step] += group_start[group + 1] - group_start[group]
    step_start, room, lowest, first_edge, target = _expanded(root, group_start, step_group, step_basin, fills)
    weight = np.zeros(room.shape[0])
    reach = np.zeros(target.shape[0])
    for node in range(step_start[-2], room.shape[0]):
        weight[node] = _ways(room[node], basins, last_allowed)
    for step in range(step_group.shape[0] - 1, -1, -1):
        left_after = cards.shape[0] - group_start[step_group[step] + 1]
        for node in range(step_start[step], step_start[step + 1]):
            cards_left = _held(room[node]) - left_after
            total = 0.0
            number = lowest[node]
            for edge in range(first_edge[node], first_edge[node + 1]):
                total += _BINOMIAL[cards_left, number] * weight[target[edge]]
                reach[edge] = total
                number += 1
            weight[node] = total
    return WorldGraph(
        cards, group_start, step_group, step_basin, step_start, lowest, first_edge, reach, target, weight, room,
        basin_start, members, sizes,
    )  # fmt: skip


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
def pack_graph(graph: WorldGraph) -> tuple[Vector, Weights]:
    """Return what a draw reads as two vectors, which are cheap to hand from kernel to kernel."""
    basins = graph.basin_start.shape[0] - 1
    cards = graph.cards.shape[0]
    steps = graph.step_group.shape[0]
    members = graph.members.shape[0]
    nodes = graph.weight.shape[0]
    plan = np.zeros(
        _SECTIONS + cards + 3 * steps + 2 * basins + 2 * members + 3 * nodes + graph.target.shape[0] + 2, np.int64
    )
    plan[_CARDS] = _SECTIONS
    plan[_STEPS] = plan[_CARDS] + cards
    plan[_BASINS] = plan[_STEPS] + 3 * steps
    plan[_MEMBERS] = plan[_BASINS] + basins
    plan[_NODES] = plan[_MEMBERS] + 2 * members
    plan[_TARGETS] = plan[_NODES] + 2 * nodes + 1
    plan[_ROOMS] = plan[_TARGETS] + graph.target.shape[0]
    plan[_COUNT_CARDS], plan[_COUNT_STEPS], plan[_COUNT_BASINS] = cards, steps, basins
    plan[_LAST_START] = graph.group_start[-2]
    plan[plan[_CARDS] : plan[_CARDS] + cards] = graph.cards
    for step in range(steps):
        group = graph.step_group[step]
        fresh = step == 0 or graph.step_group[step - 1] != group
        plan[plan[_STEPS] + 3 * step] = graph.step_basin[step]
        plan[plan[_STEPS] + 3 * step + 1] = graph.group_start[group]
        plan[plan[_STEPS] + 3 * step + 2] = graph.group_start[group + 1] - graph.group_start[group] if fresh else -1
    for basin in range(basins):
        plan[plan[_BASINS] + basin] = graph.basin_start[basin + 1] - graph.basin_start[basin]
    for member in range(members):
        plan[plan[_MEMBERS] + 2 * member] = graph.members[member]
        plan[plan[_MEMBERS] + 2 * member + 1] = graph.sizes[graph.members[member]]
    for node in range(nodes):
        plan[plan[_NODES] + 2 * node] = graph.first_edge[node]
        plan[plan[_NODES] + 2 * node + 1] = graph.lowest[node]
    plan[plan[_NODES] + 2 * nodes] = graph.target.shape[0]
    plan[plan[_TARGETS] : plan[_ROOMS]] = graph.target
    plan[plan[_ROOMS] : plan[_ROOMS] + nodes] = graph.room
    return plan, np.concatenate((graph.reach, graph.weight))


@njit
def draw_world(plan: Vector, odds: Weights, hands: Vector, stream: Vector, scratch: Vector) -> None:
    """Draw a deal into `hands[place]`, one set of cards per place that takes any.

    `plan` and `odds` are a packed graph. `hands` of other places stay as they are. `scratch` has room for
    128 numbers.
    """
    total, steps, basins = plan[_COUNT_CARDS], plan[_COUNT_STEPS], plan[_COUNT_BASINS]
    nodes, targets, rooms = plan[_NODES], plan[_TARGETS], plan[_ROOMS]
    # scratch: 0..53 the cards group by group, 60..113 basin by basin, 120.. where the next card of a basin goes
    for place in range(total):
        scratch[place] = plan[plan[_CARDS] + place]
    room = plan[rooms]
    offset = 60
    for basin in range(basins):
        scratch[120 + basin] = offset
        offset += room >> (6 * basin) & 63
    node = 0
    left = 0
    for position in range(plan[_STEPS], plan[_STEPS] + 3 * steps, 3):
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
    left = total - start
    room = plan[rooms + node]
    for basin in range(basins):
        left = _pour(scratch, start, left, room >> (6 * basin) & 63, basin, stream)
    start = 60
    member = plan[_MEMBERS]
    for basin in range(basins):
        left = scratch[120 + basin] - start
        for _ in range(plan[plan[_BASINS] + basin]):
            stay = _take(scratch, start, left, plan[member + 1], stream)
            hand = 0
            for position in range(start + stay, start + left):
                hand |= 1 << scratch[position]
            hands[plan[member]] = hand
            left = stay
            member += 2
        start = scratch[120 + basin]


@njit
def _pour(scratch: Vector, start: int, count: int, number: int, basin: int, stream: Vector) -> int:
    """Move `number` random cards of a group's `count` into a basin; return how many are left of the group."""
    stay = _take(scratch, start, count, number, stream)
    goal = scratch[120 + basin]
    for position in range(start + stay, start + count):
        scratch[goal] = scratch[position]
        goal += 1
    scratch[120 + basin] = goal
    return stay


@njit
def _expected_counts(graph: WorldGraph, groups: int) -> Weights:
    """Return how many cards of each group each basin gets, on average over all deals."""
    basins = graph.basin_start.shape[0] - 1
    steps = graph.step_group.shape[0]
    expected = np.zeros((groups, basins))
    chance = np.zeros(graph.weight.shape[0])
    chance[0] = 1.0
    for step in range(steps):
        for node in range(graph.step_start[step], graph.step_start[step + 1]):
            before = 0.0
            for edge in range(graph.first_edge[node], graph.first_edge[node + 1]):
                if graph.weight[node] > 0.0:
                    share = chance[node] * (graph.reach[edge] - before) / graph.weight[node]
                    before = graph.reach[edge]
                    chance[graph.target[edge]] += share
                    number = graph.lowest[node] + edge - graph.first_edge[node]
                    expected[graph.step_group[step], graph.step_basin[step]] += share * number
    for node in range(graph.step_start[steps], graph.step_start[steps + 1]):
        for basin in range(basins):
            expected[groups - 1, basin] += chance[node] * (graph.room[node] >> (6 * basin) & 63)
    return expected


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """All consistent deals of one decision, counted once. `plan` and `odds` are what `draw_world` reads."""

    graph: WorldGraph
    plan: Vector
    odds: Weights

    @property
    def count(self) -> float:
        """How many deals there are."""
        graph = self.graph
        ways = float(graph.weight[0])
        for first, end in itertools.pairwise(graph.basin_start.tolist()):
            sizes = graph.sizes[graph.members[first:end]].tolist()
            ways *= math.factorial(sum(sizes)) / math.prod(map(math.factorial, sizes))
        return ways

    def sample(self, seed: int, number: int) -> list[int]:
        """Return the `number`-th draw of a seed: the set of cards in each place, by place."""
        hands = np.zeros(self.graph.sizes.shape[0], np.int64)
        stream = np.zeros(2, np.int64)
        start_stream(stream, seed, number, 0)
        draw_world(self.plan, self.odds, hands, stream, np.zeros(128, np.int64))
        return [int(hand) for hand in hands]

    def chances(self, card: int) -> list[float]:
        """Return the probability that each place holds a hidden card, by place (exact, not sampled)."""
        graph = self.graph
        group = int(np.searchsorted(graph.group_start, np.flatnonzero(graph.cards == card)[0], "right")) - 1
        size = int(graph.group_start[group + 1] - graph.group_start[group])
        expected = _expected_counts(graph, graph.group_start.shape[0] - 1)[group]
        chances = [0.0] * graph.sizes.shape[0]
        for basin, number in enumerate(expected):
            places = graph.members[graph.basin_start[basin] : graph.basin_start[basin + 1]]
            for place in places:
                chances[place] = float(number / size * graph.sizes[place] / graph.sizes[places].sum())
        return chances


def count_worlds(unseen: int, barred: list[int], sizes: list[int]) -> Worlds:
    """Count the deals of a set of hidden cards; place p takes `sizes[p]` cards, none of them in `barred[p]`.

    Raises:
        NoWorld: there is none.
    """
    if sum(sizes) != unseen.bit_count():
        raise NoWorld(f"{unseen.bit_count()} cards are hidden, and there are places for {sum(sizes)}")
    allowed = [unseen & ~cards if size else 0 for cards, size in zip(barred, sizes, strict=True)]
    if functools.reduce(operator.or_, allowed, 0) != unseen:
        raise NoWorld("a hidden card can lie nowhere")
    graph = build_graph(unseen, np.array(allowed, np.int64), np.array(sizes, np.int64))
    if graph.weight[0] <= 0.0:
        raise NoWorld("what is known of the hidden cards contradicts itself")
    return Worlds(graph, *pack_graph(graph))


def warm_up() -> None:
    """Compile the sampler."""
    worlds = count_worlds(0b111111, [0b1, 0b10, 0], [2, 2, 2])
    worlds.sample(1, 0)
    worlds.chances(lowest_card(0b100))

"""All consistent deals of one decision, counted once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from junto.games.cards import Card
from junto.search.worlds.graph import Graph, Vector, Weights, graph_of
from junto.search.worlds.layout import plan_of
from junto.search.worlds.outline import ROOM, ROOM_BITS, Limit, NoWorld, Outline, outline_of


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """All consistent deals of one decision. `plan` and `odds` are what a draw reads."""

    plan: Vector
    odds: Weights
    _outline: Outline
    _graph: Graph

    @classmethod
    def of(
        cls,
        hidden: Iterable[Card],
        barred: Sequence[int],
        sizes: Sequence[int],
        label: Callable[[Card], int] = int,
        limit: Limit | None = None,
    ) -> Self:
        """Count the deals of some hidden cards, equal ones repeated; a draw writes each card's `label`.

        Place p takes `sizes[p]` cards, none of them in the set `barred[p]`. At most seven places, and four packs.

        Raises:
            NoWorld: there is none.
        """
        outline = outline_of(hidden, barred, sizes, limit)
        graph = graph_of(outline)
        if graph.weight[0] <= 0.0:
            raise NoWorld("what is known of the hidden cards contradicts itself")
        return cls(plan_of(outline, graph, label), np.concatenate((graph.reach, graph.weight)), outline, graph)

    @property
    def count(self) -> float:
        """How many deals there are, of labelled cards."""
        ways = float(self._graph.weight[0])
        for basin in self._outline.basins:
            sizes = [self._outline.sizes[place] for place in basin]
            ways *= math.factorial(sum(sizes)) / math.prod(map(math.factorial, sizes))
        return ways

    def chances(self, card: Card) -> list[float]:
        """Return the probability that each place holds a hidden card, one of several equal ones, by place.

        It is exact, not sampled.
        """
        outline, graph = self._outline, self._graph
        group = next(number for number, (cards, _) in enumerate(outline.groups) if card in cards)
        chance, expected = graph.averages()
        chances = [0.0] * len(outline.sizes)
        finals = slice(int(graph.step_start[-2]), int(graph.step_start[-1]))
        for basin, places in enumerate(outline.basins):
            if group == len(outline.groups) - 1:
                number = float(chance[finals] @ (graph.room[finals] >> ROOM_BITS * basin & ROOM))
            else:
                number = float(expected[outline.steps.index((group, basin))]) if (group, basin) in outline.steps else 0
            room = sum(outline.sizes[place] for place in places)
            for place in places:
                chances[place] = number / len(outline.groups[group][0]) * outline.sizes[place] / room
        return chances

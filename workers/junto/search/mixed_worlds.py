"""Worlds where one thing or another must hold: each case is counted by itself, and drawn as often as it is likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from junto.search.streams import draw_fraction, start_stream
from junto.search.worlds.outline import NoWorld
from junto.search.worlds.sets import Worlds

PART_STREAM: Final = 3
"""What this stream of a world is for: which part it comes from."""


@dataclass(frozen=True, slots=True, eq=False)
class MixedWorlds:
    """The consistent deals of one decision where one thing or another must hold: disjoint `parts`, each counted."""

    parts: tuple[Worlds, ...]

    @property
    def count(self) -> float:
        """How many deals there are."""
        return sum(part.count for part in self.parts)

    @property
    def shares(self) -> list[float]:
        """Return the share of each part in all deals."""
        count = self.count
        return [part.count / count for part in self.parts]

    def sample(self, seed: int, number: int) -> list[int]:
        """Return the `number`-th draw of a seed: the set of cards in each place, by place."""
        stream = np.zeros(2, np.int64)
        start_stream(stream, seed, number, PART_STREAM)
        point = float(draw_fraction(stream))
        for part, share in zip(self.parts, self.shares, strict=True):
            point -= share
            if point < 0.0:
                return part.sample(seed, number)
        return self.parts[-1].sample(seed, number)

    def chances(self, card: int) -> list[float]:
        """Return the probability that each place holds a hidden card, by place (exact, not sampled)."""
        rows = [
            [share * chance for chance in part.chances(card)]
            for part, share in zip(self.parts, self.shares, strict=True)
        ]
        return [sum(column) for column in zip(*rows, strict=True)]


def mixed(parts: Sequence[Worlds]) -> Worlds | MixedWorlds:
    """Return disjoint worlds together.

    Raises:
        NoWorld: there are none.
    """
    if not parts:
        raise NoWorld("what is known of the hidden cards contradicts itself")
    return parts[0] if len(parts) == 1 else MixedWorlds(tuple(parts))

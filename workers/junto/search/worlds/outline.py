"""The hidden cards by group, and the places by basin: what there is to count."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from junto.games.cards import Card
from junto.search.decisions import StrategyError

MOST_CARDS: Final = 216
"""Four packs."""
ROOM_BITS: Final = 8
"""What several basins take is one number, so many bits a basin: at most seven basins."""
ROOM: Final = (1 << ROOM_BITS) - 1


class NoWorld(StrategyError, ValueError):
    """No way to place the hidden cards agrees with what is known: the knowledge contradicts itself."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Of the `cards`, a set, place p holds no more than `most[p]`. They can lie in the same places, all of them."""

    cards: int
    most: tuple[int, ...]

    def binds(self, place: int, size: int) -> bool:
        """Tell whether a place of this size could hold more."""
        return self.most[place] < size


@dataclass(frozen=True, slots=True)
class Outline:
    """The hidden cards by group and the places by basin.

    `groups` are (cards, basins that may take them, as bits); the last one, the largest, fills what the others
    leave. `basins` are the places of each basin, smallest basin first. A *step* fills one basin from one group. The
    cards of a `limit` are a group of their own, not the last, and each place that it binds a basin.
    """

    groups: tuple[tuple[tuple[Card, ...], int], ...]
    basins: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    limit: Limit | None = None

    @property
    def room(self) -> int:
        """What all basins take."""
        return sum(
            sum(self.sizes[place] for place in basin) << (ROOM_BITS * number)
            for number, basin in enumerate(self.basins)
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

    @property
    def group_starts(self) -> list[int]:
        """Where each group begins when they follow one another, and how many cards there are."""
        return list(itertools.accumulate((len(cards) for cards, _ in self.groups), initial=0))

    def most(self, group: int, basin: int) -> int:
        """Return how many cards of a group a basin may hold at most."""
        cards, place = self.groups[group][0], self.basins[basin][0]
        if self.limit is None or not self.limit.cards >> cards[0] & 1:
            return len(cards)
        return min(len(cards), self.limit.most[place]) if self.limit.binds(place, self.sizes[place]) else len(cards)

    def later(self, group: int, basin: int) -> int:
        """Return how many cards of the groups after this one a basin may take."""
        return sum(len(cards) for cards, allowed in self.groups[group + 1 :] if allowed >> basin & 1)


def outline_of(
    hidden: Iterable[Card], barred: Sequence[int], sizes: Sequence[int], limit: Limit | None = None
) -> Outline:
    """Group the hidden cards and the places; place p takes `sizes[p]` cards, none of them in the set `barred[p]`.

    Raises:
        NoWorld: the places are too many or too few, or a card can lie nowhere.
    """
    open_places = [place for place, size in enumerate(sizes) if size > 0]
    cards_by_places: dict[tuple[int, bool], list[Card]] = {}
    for card, copies in Counter(hidden).items():
        allowed = sum(1 << place for place in open_places if not barred[place] >> card & 1)
        limited = limit is not None and bool(limit.cards >> card & 1)
        cards_by_places.setdefault((allowed, limited), []).extend([card] * copies)
    number = sum(map(len, cards_by_places.values()))
    if sum(sizes) != number:
        raise NoWorld(f"{number} cards are hidden, and there are places for {sum(sizes)}")
    if any(not allowed for allowed, _ in cards_by_places):
        raise NoWorld("a hidden card can lie nowhere")
    basins = _basins(open_places, sizes, [allowed for allowed, _ in cards_by_places], limit)
    groups = [
        (limited, tuple(cards), sum(1 << number for number, basin in enumerate(basins) if allowed >> basin[0] & 1))
        for (allowed, limited), cards in cards_by_places.items()
    ]
    groups.sort(key=lambda group: group[2].bit_count())
    last = max((group for group in groups if not group[0]), key=lambda group: len(group[1]), default=None)
    ordered = [group[1:] for group in groups if group is not last]
    if last is not None or ordered:
        ordered.append(((), 0) if last is None else last[1:])
    return Outline(tuple(ordered), tuple(map(tuple, basins)), tuple(sizes), limit)


def _basins(places: Iterable[int], sizes: Sequence[int], groups: Sequence[int], limit: Limit | None) -> list[list[int]]:
    """Return the places that can hold the same cards together, smallest first; `groups` are places, as bits."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for place in places:
        alone = place if limit is not None and limit.binds(place, sizes[place]) else -1
        alike.setdefault((alone, *(allowed >> place & 1 for allowed in groups)), []).append(place)
    return sorted(alike.values(), key=lambda basin: sum(sizes[place] for place in basin))

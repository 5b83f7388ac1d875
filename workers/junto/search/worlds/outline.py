"""The hidden cards by group, and the places by basin: what there is to count."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from junto.games.cards import Card

MOST_CARDS: Final = 216
"""Four packs."""
ROOM_BITS: Final = 8
"""What several basins take is one number, so many bits a basin: at most seven basins."""
ROOM: Final = (1 << ROOM_BITS) - 1


class NoWorld(ValueError):
    """No way to place the hidden cards agrees with what is known: the knowledge contradicts itself."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The hidden cards by group and the places by basin.

    `groups` are (cards, basins that may take them, as bits); the last one, the largest, fills what the others
    leave. `basins` are the places of each basin, smallest basin first. A *step* fills one basin from one group.
    """

    groups: tuple[tuple[tuple[Card, ...], int], ...]
    basins: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

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

    def later(self, group: int, basin: int) -> int:
        """Return how many cards of the groups after this one a basin may take."""
        return sum(len(cards) for cards, allowed in self.groups[group + 1 :] if allowed >> basin & 1)


def outline_of(hidden: Iterable[Card], barred: Sequence[int], sizes: Sequence[int]) -> Outline:
    """Group the hidden cards and the places; place p takes `sizes[p]` cards, none of them in the set `barred[p]`.

    Raises:
        NoWorld: the places are too many or too few, or a card can lie nowhere.
    """
    open_places = [place for place, size in enumerate(sizes) if size > 0]
    cards_by_places: dict[int, list[Card]] = {}
    for card in hidden:
        allowed = sum(1 << place for place in open_places if not barred[place] >> card & 1)
        cards_by_places.setdefault(allowed, []).append(card)
    number = sum(map(len, cards_by_places.values()))
    if sum(sizes) != number:
        raise NoWorld(f"{number} cards are hidden, and there are places for {sum(sizes)}")
    if 0 in cards_by_places:
        raise NoWorld("a hidden card can lie nowhere")
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
    return Outline(tuple(groups), tuple(map(tuple, basins)), tuple(sizes))

"""All ways to place hidden cards, one by one: the yardstick of the sampler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def holders(cards: Sequence[int], barred: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to place the cards, equal ones being different things: the place of each card."""
    left, found = list(sizes), [0] * len(cards)

    def place(number: int) -> Iterator[tuple[int, ...]]:
        if number == len(cards):
            yield tuple(found)
            return
        for where in range(len(sizes)):
            if left[where] and not barred[where] >> cards[number] & 1:
                left[where] -= 1
                found[number] = where
                yield from place(number + 1)
                left[where] += 1

    yield from place(0)


def placements(cards: Sequence[int], barred: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to place different cards: the set of cards in each place, by place."""
    for found in holders(cards, barred, sizes):
        hands = [0] * len(sizes)
        for card, where in zip(cards, found, strict=True):
            hands[where] |= 1 << card
        yield tuple(hands)

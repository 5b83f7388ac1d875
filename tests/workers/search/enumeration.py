"""All ways to place hidden cards, one by one: the yardstick of the sampler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def placements(cards: Sequence[int], barred: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to place the cards: the set of cards in each place, by place."""
    left, hands = list(sizes), [0] * len(sizes)

    def place(number: int) -> Iterator[tuple[int, ...]]:
        if number == len(cards):
            yield tuple(hands)
            return
        card = cards[number]
        for where in range(len(sizes)):
            if left[where] and not barred[where] >> card & 1:
                left[where] -= 1
                hands[where] |= 1 << card
                yield from place(number + 1)
                left[where] += 1
                hands[where] ^= 1 << card

    yield from place(0)

"""Tribute (進貢): cards that change hands at the start of a deal, for the result of the last one.

All are computed from the fresh hands at once. The best cards of those who pay go into a pool, highest first, and
are taken out of it in turn; no card is given back. Source: Baohuang's page, sections 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from junto.games.cards import Card, suit_of
from junto.games.climbing.ranks import rank_of_card
from junto.games.view import Alliance, Clearing, Tribute


@dataclass(frozen=True, slots=True)
class Owed:
    """What a scored deal leaves for the next one: who was what, the seats in the order of their places, the cleared.

    `won` is above 0 if the emperor's side won, below 0 if it lost, 0 for a draw.
    """

    emperor: int
    guard: int | None
    alliance: Alliance
    order: tuple[int, ...]
    won: int
    cleared: tuple[Clearing, ...] = ()

    @property
    def rebels(self) -> tuple[int, ...]:
        """The rebels, in the order in which they went out."""
        return tuple(seat for seat in self.order if seat not in (self.emperor, self.guard))


def tributes_of(owed: Owed, hands: Sequence[Sequence[Card]]) -> tuple[Tribute, ...]:
    """Return the tributes from these fresh hands, in the order of the pool, and after them what cleared seats pay."""
    pool = [(card, payer) for payer, count in payers_of(owed) for card in sorted(hands[payer], key=best_first)[:count]]
    pool.sort(key=lambda paid: (-rank_of_card(paid[0]), owed.order.index(paid[1]), -suit_of(paid[0])))
    regular = [Tribute(payer, taker, card) for (card, payer), taker in zip(pool, takers_of(owed), strict=False)]
    return (*regular, *_penalties(owed.cleared, hands_after(hands, regular)))


def hands_after(hands: Sequence[Sequence[Card]], tributes: Iterable[Tribute]) -> list[list[Card]]:
    """Return the hands when these tributes are paid."""
    after = [list(hand) for hand in hands]
    for tribute in tributes:
        after[tribute.from_seat].remove(tribute.card)
        after[tribute.to_seat].append(tribute.card)
    return after


def best_first(card: Card) -> tuple[int, int]:
    """Order cards by rank, highest first, and in a rank clubs, diamonds, hearts, spades."""
    return -rank_of_card(card), -suit_of(card)


def payers_of(owed: Owed) -> list[tuple[int, int]]:
    """Return who pays how many cards."""
    is_open = owed.alliance is Alliance.OPEN_SOLO
    if owed.won > 0:
        return [(seat, 2 if is_open else 1) for seat in owed.rebels]
    if owed.won == 0:
        return []
    if owed.guard is not None:
        return [(owed.emperor, 2), (owed.guard, 1)]
    return [(owed.emperor, 8 if is_open else 4)]


def takers_of(owed: Owed) -> list[int]:
    """Return who takes the cards of the pool, from the highest to the lowest."""
    if owed.won < 0:
        return list(owed.rebels) * (2 if owed.alliance is Alliance.OPEN_SOLO else 1)
    if owed.guard is not None:
        return [owed.emperor, owed.guard, owed.emperor]
    return [owed.emperor] * 8


def _penalties(cleared: Iterable[Clearing], hands: list[list[Card]]) -> Iterator[Tribute]:
    """Yield what cleared seats pay, one after the other: the best card to who cleared them."""
    for clearing in cleared:
        if not hands[clearing.seat]:
            continue
        penalty = Tribute(clearing.seat, clearing.by_seat, min(hands[clearing.seat], key=best_first))
        hands[:] = hands_after(hands, [penalty])
        yield penalty

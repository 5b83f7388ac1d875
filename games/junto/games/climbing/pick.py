"""Pick a play's cards from a hand: which suits go, where the rules leave them free."""

from __future__ import annotations

from collections.abc import Iterable

from junto.games.cards import Card, suit_of
from junto.games.climbing import kernel
from junto.games.climbing.ranks import rank_of_card


class CardsMissing(ValueError):
    """A hand has not the cards of the play."""


def cards_of(play: int, hand: Iterable[Card], named: Card | None = None) -> tuple[Card, ...]:
    """Return the cards of a play from a hand with equal cards repeated: ranks low to high, in a rank clubs first.

    Of the named card as many as the play says are taken, not as many as suits would have it. Source: Baohuang's
    page, action identity.

    Raises:
        CardsMissing: the hand has not enough of them.
    """
    wanted = [kernel.count_of(play, rank) for rank in range(kernel.RANKS)]
    copies = kernel.named_of(play)
    picked = [] if named is None else [card for card in hand if card == named][:copies]
    if len(picked) < copies:
        raise CardsMissing("the hand has not so many of the named card")
    for card in picked:
        wanted[rank_of_card(card)] -= 1
    if min(wanted) < 0:
        raise CardsMissing("the play has not so many cards of the named card's rank")
    for card in sorted(hand, key=lambda card: -suit_of(card)):
        rank = rank_of_card(card)
        if wanted[rank] and card != named:
            wanted[rank] -= 1
            picked.append(card)
    if any(wanted):
        raise CardsMissing("the hand has not the cards of this play")
    return tuple(sorted(picked, key=lambda card: (rank_of_card(card), -suit_of(card))))

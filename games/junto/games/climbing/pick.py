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
    ordered = sorted(hand, key=lambda card: (rank_of_card(card), -suit_of(card)))
    named_cards = [card for card in ordered if card == named][: kernel.named_of(play)]
    others = [card for card in ordered if card != named]
    picked = []
    for rank in range(kernel.RANKS):
        own = named_cards if named is not None and rank_of_card(named) == rank else []
        count = kernel.count_of(play, rank) - len(own)
        free = [card for card in others if rank_of_card(card) == rank]
        if not 0 <= count <= len(free):
            raise CardsMissing("the hand has not the cards of this play")
        picked += own + free[:count]
    if len(named_cards) < kernel.named_of(play):
        raise CardsMissing("the hand has not so many of the named card")
    return tuple(sorted(picked, key=lambda card: (rank_of_card(card), -suit_of(card))))

"""Naming the guard: which cards an emperor can show, who the guard is then, and when everybody knows.

The emperor shows three copies of a card, and the holder of the fourth is his guard (保鏢); if he has it himself he
plays alone, and nobody else knows (暗獨). Or he shows all four: an open solo (明獨). Nobody but the guard need know
who it is before a copy of the card is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from junto.games.actions import ShowCards
from junto.games.cards import SMALL_JOKER, Card
from junto.games.climbing import kernel
from junto.games.climbing.ranks import rank_of_card
from junto.games.view import Alliance

COPIES: Final = 4
"""How many copies of a card there are."""
SHOWN: Final = 3
"""How many copies must be shown."""


def shows_of(cards: Iterable[Card]) -> tuple[ShowCards, ...]:
    """Return what a hand can show, lowest rank first, in a rank spades first; none if it does not qualify.

    Jokers and twos cannot be shown.
    """
    copies = Counter(card for card in cards if card < SMALL_JOKER and rank_of_card(card) != kernel.TWO)
    many = sorted((card for card in copies if copies[card] >= SHOWN), key=lambda card: (rank_of_card(card), card))
    return tuple(ShowCards(card, count) for card in many for count in range(SHOWN, copies[card] + 1))


def is_qualified(cards: Iterable[Card]) -> bool:
    """Tell whether a hand can be an emperor's."""
    return bool(shows_of(cards))


def alliance_of(emperor: int, show: ShowCards, hands: Sequence[Sequence[Card]]) -> tuple[Alliance, int | None]:
    """Return whether an emperor who shows this has a guard, and who it is."""
    if show.count == COPIES:
        return Alliance.OPEN_SOLO, None
    holders = (seat for seat, hand in enumerate(hands) if seat != emperor and show.card in hand)
    guard = next(holders, None)
    return (Alliance.HIDDEN_SOLO if guard is None else Alliance.PARTNER), guard


def discovered(emperor: int, show: ShowCards, played: Iterable[tuple[int, int]]) -> tuple[Alliance | None, int | None]:
    """Return what everybody can conclude from the copies of the named card that seats have played, and the guard.

    Args:
        emperor: the emperor.
        show: what he showed.
        played: seats and how many copies each played, in any order.
    """
    if show.count == COPIES:
        return Alliance.OPEN_SOLO, None
    copies: Counter[int] = Counter()
    for seat, count in played:
        copies[seat] += count
    guard = next((seat for seat in copies if seat != emperor and copies[seat]), None)
    if guard is not None:
        return Alliance.PARTNER, guard
    return (Alliance.HIDDEN_SOLO if copies[emperor] == COPIES else None), None


def default_show(shows: Sequence[ShowCards]) -> ShowCards:
    """Return what is shown for an emperor whose time is up: three of the lowest rank, in a rank spades first."""
    return next(show for show in shows if show.count == SHOWN)

"""Cards as small integers, and their text form.

A suited card is `suit * 13 + rank`: suits in the order S H D C (0..3), ranks from the two (0) to the
ace (12). The small (black) joker `BJ` is 52, the big (red) joker `RJ` 53; a game with one joker uses
`RJ`. A hand of a one-pack game is a set of bits in an `int64` (54 bits are never negative). A game with
several packs repeats equal numbers.
The numbers are names, not an order: each game says which card beats which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

Card = int
"""A card's number, 0..53."""

SUITS: Final = "SHDC"
RANKS: Final = "23456789TJQKA"
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
NO_TRUMP: Final = 4
"""As a strain: no suit is trumps."""
STRAINS: Final = ("S", "H", "D", "C", "NT")
SMALL_JOKER: Final = 52
BIG_JOKER: Final = 53
PACK: Final = 54

_TEXTS: Final = (*(suit + rank for suit in SUITS for rank in RANKS), "BJ", "RJ")
_CARDS: Final = {text: card for card, text in enumerate(_TEXTS)}


class CardError(ValueError):
    """A text that names no card."""


def card_text(card: Card) -> str:
    """Return a card's text: `SA`, `HT`, `BJ`, `RJ`."""
    return _TEXTS[card]


def parse_card(text: str) -> Card:
    """Return the card that `text` names.

    Raises:
        CardError: it names none.
    """
    try:
        return _CARDS[text]
    except KeyError:
        raise CardError(f"{text!r} is not a card") from None


def cards_text(cards: Iterable[Card]) -> str:
    """Return the cards' texts with spaces between them, in the given order."""
    return " ".join(_TEXTS[card] for card in cards)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that `text` lists, in its order.

    Raises:
        CardError: a word names no card.
    """
    return tuple(parse_card(word) for word in text.split())


def suit_of(card: Card) -> int:
    """Return a card's printed suit, 0..3; 4 for a joker."""
    return card // 13


def rank_of(card: Card) -> int:
    """Return a suited card's rank, 0 (two) .. 12 (ace)."""
    return card % 13


def mask_of(cards: Iterable[Card]) -> int:
    """Return the set of the cards as bits."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[Card]:
    """Yield the cards of a set of bits, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low

"""Cards, suits and strains: a number on the wire is the domain's number + 1, since 0 says "none"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from junto.games.cards import NO_TRUMP, PACK, Card
from junto.v1 import cards_pb2
from junto.wire.errors import WireError

CARDS: Final = tuple(cards_pb2.Card.ValueType(card + 1) for card in range(PACK))
"""The wire's number of every card."""

SUITS: Final = tuple(cards_pb2.Suit.ValueType(suit + 1) for suit in range(4))
"""The wire's number of every suit."""

STRAINS: Final = tuple(cards_pb2.Strain.ValueType(strain + 1) for strain in range(NO_TRUMP + 1))
"""The wire's number of every strain."""


def write_cards(cards: Iterable[Card]) -> list[cards_pb2.Card.ValueType]:
    """Return the wire's numbers of cards, in their order."""
    return [CARDS[card] for card in cards]


def write_row(cards: Iterable[Card | None]) -> list[cards_pb2.Card.ValueType]:
    """Return the wire's numbers of cards that lie in a row; `CARD_UNSPECIFIED` for one that lies face down."""
    return [cards_pb2.CARD_UNSPECIFIED if card is None else CARDS[card] for card in cards]


def write_suit(suit: int | None) -> cards_pb2.Suit.ValueType:
    """Return the wire's number of a suit; `SUIT_UNSPECIFIED` for none."""
    return cards_pb2.SUIT_UNSPECIFIED if suit is None else SUITS[suit]


def write_strain(strain: int | None) -> cards_pb2.Strain.ValueType:
    """Return the wire's number of a strain; `STRAIN_UNSPECIFIED` for none."""
    return cards_pb2.STRAIN_UNSPECIFIED if strain is None else STRAINS[strain]


def read_card(number: int) -> Card:
    """Return the card of a number.

    Raises:
        WireError: the number is no card's, `CARD_UNSPECIFIED` included.
    """
    if 0 < number <= PACK:
        return number - 1
    raise WireError(f"there is no card with the number {number}")


def read_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Return the cards of numbers, in their order.

    Raises:
        WireError: a number is no card's, `CARD_UNSPECIFIED` included.
    """
    cards = tuple([number - 1 for number in numbers])
    if cards and not (min(cards) >= 0 and max(cards) < PACK):
        wrong = next(card + 1 for card in cards if not 0 <= card < PACK)
        raise WireError(f"there is no card with the number {wrong}")
    return cards


def read_row(numbers: Iterable[int]) -> tuple[Card | None, ...]:
    """Return the cards of numbers that lie in a row; None for `CARD_UNSPECIFIED`, face down.

    Raises:
        WireError: a number is no card's.
    """
    return tuple([read_card(number) if number else None for number in numbers])


def read_suit(number: int) -> int:
    """Return the suit, 0..3, of a number.

    Raises:
        WireError: the number is no suit's.
    """
    if 0 < number <= len(SUITS):
        return number - 1
    raise WireError(f"there is no suit with the number {number}")


def read_strain(number: int) -> int | None:
    """Return the strain, 0..4, of a number; None for `STRAIN_UNSPECIFIED`.

    Raises:
        WireError: the number is no strain's.
    """
    if 0 <= number <= len(STRAINS):
        return number - 1 if number else None
    raise WireError(f"there is no strain with the number {number}")

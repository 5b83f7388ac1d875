"""Hands as everybody sees them: sizes, and the cards in them that all know."""

from __future__ import annotations

from junto.games.cards import Card
from junto.games.knowledge.sheet import Sheet
from junto.games.view import HandView


def resized(hands: tuple[HandView, ...], seat: int, by: int, gone: tuple[Card, ...]) -> tuple[HandView, ...]:
    """Return the hands after one of them grew by so many cards; those that are `gone` lie open no more."""
    at = place(hands, seat)
    hand = hands[at]
    left = hand.open
    if left:
        still = list(left)
        for card in gone:
            if card in still:
                still.remove(card)
        left = tuple(still)
    return (*hands[:at], HandView(seat, hand.size + by, left), *hands[at + 1 :])


def taken(hands: tuple[HandView, ...], seat: int, count: int, cards: tuple[Card, ...]) -> tuple[HandView, ...]:
    """Return the hands after a seat took cards; those that were seen on their way lie open in its hand."""
    at = place(hands, seat)
    hand = hands[at]
    return (*hands[:at], HandView(seat, hand.size + count, (*hand.open, *cards)), *hands[at + 1 :])


def place(hands: tuple[HandView, ...], seat: int) -> int:
    """Return where a seat's hand lies: hands that changed places are not in the order of their numbers."""
    return seat if hands[seat].seat == seat else next(at for at, hand in enumerate(hands) if hand.seat == seat)


def joined(known: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return what lies open when these cards, of those in a place, are shown: of equal ones as many as were seen."""
    missing = list(cards)
    for card in known:
        if card in missing:
            missing.remove(card)
    return (*known, *missing)


def show_hand(sheet: Sheet, seat: int, cards: tuple[Card, ...]) -> None:
    """Write down that cards of a hand were shown."""
    at = place(sheet.hands, seat)
    hand = sheet.hands[at]
    shown = HandView(seat, hand.size, joined(hand.open, cards))
    sheet.hands = (*sheet.hands[:at], shown, *sheet.hands[at + 1 :])

"""How cards, suits and seats look in a terminal: suit signs where the output can show them, letters elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from typing import Final

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play, text
from junto.games.cards import BIG_JOKER, RANKS, SMALL_JOKER, SUITS, Card, rank_of, suit_of

SIGNS: Final = "♠♥♦♣"
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs", "no trumps")


@cache
def suit_signs() -> str:
    """Return the signs of the four suits that standard output can show."""
    try:
        SIGNS.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return SUITS
    return SIGNS


def card_face(card: Card) -> str:
    """Return how a card looks: `♥T`, `RJ`."""
    if card in {SMALL_JOKER, BIG_JOKER}:
        return "RJ" if card == BIG_JOKER else "BJ"
    return suit_signs()[suit_of(card)] + RANKS[rank_of(card)]


def card_faces(cards: Iterable[Card]) -> str:
    """Return how cards look, in their order."""
    return " ".join(map(card_face, cards))


def hand_order(card: Card) -> tuple[int, int]:
    """Return what a hand is sorted by: jokers first, then the suits, high cards first."""
    return (-1, -card) if card >= SMALL_JOKER else (suit_of(card), -rank_of(card))


def by_suits(cards: Iterable[Card]) -> str:
    """Return a hand as it is held: sorted, a gap between the suits."""
    groups: dict[int, list[str]] = {}
    for card in sorted(cards, key=hand_order):
        groups.setdefault(hand_order(card)[0], []).append(card_face(card))
    return "   ".join(" ".join(group) for group in groups.values())


def action_face(action: Action) -> str:
    """Return what a seat did, to be put after its name: `bids 13`, `plays ♥T`, in the third person."""
    match action:
        case Pass():
            return "passes"
        case Bid():
            return text(action).replace("bid", "bids", 1)
        case ChooseTrump(suit):
            return f"names {SUIT_NAMES[suit]} trumps"
        case Discard(cards):
            return f"puts back {card_faces(cards)}" if cards else "puts cards back"
        case CallCard(card):
            return f"calls {card_face(card)}"
        case Play(card, naming, calls):
            named = "" if naming is None else f", naming {SUIT_NAMES[naming]}"
            return f"plays {card_face(card)}{named}" + "".join(f", calling {card_face(called)}" for called in calls)
        case _:
            return text(action)

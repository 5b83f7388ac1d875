"""How cards, suits and seats look in a terminal: suit signs where the output can show them, letters elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from junto.games.actions import (
    Action,
    AgreeToClaim,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    Discard,
    DoubleBid,
    Pass,
    Play,
    RedoubleBid,
    RefuseClaim,
    text,
)
from junto.games.cards import BIG_JOKER, NO_TRUMP, RANKS, SMALL_JOKER, SUITS, Card, rank_of, suit_of
from junto.games.view import Contract, Doubling, Vulnerability

SIGNS: Final = "♠♥♦♣"
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs", "no trumps")
DOUBLINGS: Final = {Doubling.DOUBLED: " doubled", Doubling.REDOUBLED: " redoubled"}
FACE_DOWN: Final = "--"


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


def suit_face(suit: int) -> str:
    """Return how a suit, or no trumps, looks: `♥`, `NT`."""
    return "NT" if suit == NO_TRUMP else suit_signs()[suit]


def row_face(cards: Iterable[Card | None]) -> str:
    """Return how cards that lie in a row look, some of them face down."""
    return " ".join(FACE_DOWN if card is None else card_face(card) for card in cards)


def bid_face(bid: Bid) -> str:
    """Return how a bid looks: `13`, `4♠`, `3NT`."""
    return f"{bid.amount}{'' if bid.strain is None else suit_face(bid.strain)}"


def contract_face(contract: Contract, unit: str) -> str:
    """Return how a contract looks: what was bid if that has a strain, and how much of the unit has to be captured."""
    target = None if contract.target is None else amount(contract.target, unit)
    if contract.bid.strain is None:
        return target or bid_face(contract.bid)
    doubled = DOUBLINGS.get(contract.doubling, "") if contract.doubling is not None else ""
    return f"{bid_face(contract.bid)}{doubled}" + ("" if target is None else f", {target}")


def vulnerability_face(vulnerability: Vulnerability, places: Sequence[str]) -> str:
    """Return who is vulnerable in a deal of bridge, of those who sit at the four places, clockwise."""
    match vulnerability:
        case Vulnerability.NONE:
            return "nobody is vulnerable"
        case Vulnerability.BOTH:
            return "everybody is vulnerable"
        case _:
            first = 0 if vulnerability is Vulnerability.NORTH_SOUTH else 1
            return f"{places[first]} and {places[first + 2]} are vulnerable"


def amount(number: int, unit: str) -> str:
    """Return so many of a unit, which is a plural: `1 trick`, `3 court cards`."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


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
            return f"bids {bid_face(action)}"
        case DoubleBid():
            return "doubles"
        case RedoubleBid():
            return "redoubles"
        case ChooseTrump(suit):
            return f"names {SUIT_NAMES[suit]} trumps"
        case Discard(cards):
            return f"puts back {card_faces(cards)}" if cards else "puts cards back"
        case CallCard(card):
            return f"calls {card_face(card)}"
        case Play(card, naming, calls):
            named = "" if naming is None else f", naming {SUIT_NAMES[naming]}"
            return f"plays {card_face(card)}{named}" + "".join(f", calling {card_face(called)}" for called in calls)
        case Claim(tricks):
            return f"claims {amount(tricks, 'tricks')} of those that are left"
        case AgreeToClaim():
            return "agrees to the claim"
        case RefuseClaim():
            return "refuses the claim: play goes on"
        case _:
            return text(action)

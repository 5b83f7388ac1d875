"""Hands of Baohuang in tests, by their ranks or card by card."""

from __future__ import annotations

from junto.games.cards import BIG_JOKER, SMALL_JOKER, Card, parse_card
from junto.games.climbing.ranks import RANKS, rank_of_card


def hand(*cards: str) -> list[Card]:
    """Return cards such as `S9`, `B`, `R`."""
    jokers = {"B": SMALL_JOKER, "R": BIG_JOKER}
    return [jokers[card] if card in jokers else parse_card(card) for card in cards]


def ranked(ranks: str, suit: str = "C") -> list[Card]:
    """Return cards of these ranks, all of one suit."""
    return hand(*(rank if rank in "BR" else suit + rank for rank in ranks))


def ranks_of(cards: list[Card]) -> str:
    """Return the ranks of cards, low to high."""
    return "".join(RANKS[rank] for rank in sorted(map(rank_of_card, cards)))

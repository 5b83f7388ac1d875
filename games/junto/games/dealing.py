"""How cards come to seats, and who deals where the deal goes round the table.

Each dealer sits next to the last one, in the order of the seats' numbers. The match carries the next deal's dealer. A
void deal passes the deal on like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from junto.games.cards import Card
from junto.games.core import Deal, Match, RuleError
from junto.games.events import CardsMoved, Seen, only
from junto.games.phases import DECK, HANDS
from junto.games.shuffle import DealSeed

_DEALER: Final = "dealer"
_VOIDS: Final = "voids"


def carried_dealer(match: Match) -> int | None:
    """Return who deals the match's next deal; None if nobody has dealt in it yet."""
    carried = match.carried_value(_DEALER)
    return carried[0] if carried else None


def dealer_of(match: Match, seed: DealSeed, seats: int) -> int:
    """Return who deals the match's next deal; the first dealer is a random one.

    Raises:
        RuleError: what the match carries is no seat.
    """
    dealer = carried_dealer(match)
    if dealer is None:
        return seed.stream(_DEALER).below(seats)
    if dealer not in range(seats):
        raise RuleError(f"nobody sits at seat {dealer}, who would deal")
    return dealer


def deal_passed_on(match: Match, deal: Deal, seats: int) -> Match:
    """Return the match carrying the seat after the deal's dealer as the next one."""
    assert deal.shared.dealer is not None
    return match.carrying(**{_DEALER: ((deal.shared.dealer + 1) % seats,)})


def voids_in(match: Match) -> int:
    """Return how many of the match's last deals in a row were void, in games that limit them."""
    carried = match.carried_value(_VOIDS)
    return carried[0] if carried else 0


def with_voids(match: Match, voids: int) -> Match:
    """Return the match carrying that so many of its last deals in a row were void."""
    return match.carrying(**{_VOIDS: (voids,)})


def hands_dealt(hands: Sequence[Sequence[Card]]) -> list[Seen]:
    """Return the dealing of hands to seats: each sees its own, and of the others how many."""
    events = []
    for seat, hand in enumerate(hands):
        backs = CardsMoved(DECK, HANDS[seat], len(hand))
        events.append(only(seat, replace(backs, cards=tuple(sorted(hand))), backs))
    return events

"""Who deals, where the deal goes round the table: each dealer sits next to the last one, clockwise.

The match carries the next deal's dealer. A void deal passes the deal on like any other.
"""

from __future__ import annotations

from typing import Final

from junto.games.core import Deal, Match
from junto.games.shuffle import DealSeed

_DEALER: Final = "dealer"


def carried_dealer(match: Match) -> int | None:
    """Return who deals the match's next deal; None if nobody has dealt in it yet."""
    carried = match.carried_value(_DEALER)
    return carried[0] if carried else None


def dealer_of(match: Match, seed: DealSeed, seats: int) -> int:
    """Return who deals the match's next deal; the first dealer is a random one."""
    dealer = carried_dealer(match)
    return seed.stream(_DEALER).below(seats) if dealer is None else dealer


def deal_passed_on(match: Match, deal: Deal, seats: int) -> Match:
    """Return the match carrying the seat after the deal's dealer as the next one."""
    assert deal.shared.dealer is not None
    return match.carrying(**{_DEALER: ((deal.shared.dealer + 1) % seats,)})

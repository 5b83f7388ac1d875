"""How far an auction is, as numbers, compiled: one implementation for the server and the search.

An auction is an int64 vector, read by the names below. A bid is a whole number that says how high it is
(`HouseRules.height_of`); 0 stands for a pass.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks.bits import count_cards
from junto.games.tricks.kernel import NOBODY

Vector = npt.NDArray[np.int64]

BIDDER, BID, PASSES, OUT, AUCTION = range(5)
"""Places: who made the last bid, that bid, the passes since, the seats that may not bid any more (a set).

Before the first bid they are `NOBODY`, 0 and the passes so far. `AUCTION` is the vector's length.
"""
A_PASS: Final = 0


def new_auction() -> Vector:
    """Return an auction in which nobody has called."""
    auction = np.zeros(AUCTION, np.int64)
    auction[BIDDER] = NOBODY
    return auction


@njit
def note_call(auction: Vector, seat: int, bid: int, pass_is_final: int) -> None:
    """Note what a seat called."""
    if bid != A_PASS:
        auction[BIDDER] = seat
        auction[BID] = bid
        auction[PASSES] = 0
        return
    auction[PASSES] += 1
    if pass_is_final:
        auction[OUT] |= 1 << seat


@inlined
def lowest_bid(auction: Vector, min_bid: int, step: int) -> int:
    """Return the lowest bid that is legal now: a step above the last one."""
    return int(max(min_bid, auction[BID] + step))


@inlined
def caller_after(auction: Vector, seats: int, turn: int, seat: int) -> int:
    """Return who calls after a seat: the next one who is not out. Somebody must not be.

    `turn` is 1 where the auction goes clockwise, else -1.
    """
    seat = (seat + turn + seats) % seats
    while auction[OUT] >> seat & 1:
        seat = (seat + turn + seats) % seats
    return int(seat)


@njit
def is_settled(auction: Vector, seats: int, highest: int) -> bool:
    """Tell whether nobody calls any more.

    All have passed and nobody bids; or the last bid is the highest, or all others have passed since it or
    are out.
    """
    if auction[BIDDER] == NOBODY:
        return bool(auction[PASSES] == seats)
    against = max(auction[PASSES], count_cards(auction[OUT]))
    return bool(auction[BID] >= highest or against >= seats - 1)


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    auction = new_auction()
    note_call(auction, 0, 11, 0)
    lowest_bid(auction, 11, 1)
    caller_after(auction, 5, -1, 0)
    is_settled(auction, 5, 16)

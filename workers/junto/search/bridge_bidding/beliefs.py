"""What an auction tells of the hidden hands: how well a world agrees with the calls that were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.search.bridge_bidding.holding import holding_of
from junto.search.bridge_bidding.meaning import Meaning
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.system import position_after, would_call

SEATS: Final = 4
RANGES: Final = 10
"""Columns of a row of ranges: high-card points low, high; then low, high of each suit, S H D C."""


def misfit(hand: int, meanings: Sequence[Meaning], seat: int) -> int:
    """Return how far a hand is from what a seat's calls have said: 0 for a hand that fits all of them.

    Args:
        hand: thirteen cards as a bit set.
        meanings: the meanings of the whole auction, as `explain` returns them.
        seat: the seat, counted from the first caller.
    """
    held = holding_of(hand)
    return sum(meaning.misfit(held) for meaning in meanings[seat::SEATS])


def consistent(hand: int, meanings: Sequence[Meaning], seat: int) -> bool:
    """Tell whether a hand is one that all of a seat's calls describe; `seat` counts from the first caller."""
    held = holding_of(hand)
    return all(meaning.admits(held) for meaning in meanings[seat::SEATS])


def disagreements(hand: int, calls: bytes, seat: int, *, first_side: bool = False, other_side: bool = False) -> int:
    """Return at how many of a seat's turns the system calls something else with a hand than was called.

    This is the sharpest test: it also knows what the seat did not bid. Passes after the seat's side has let
    the auction go count like any call.
    """
    return sum(
        would_call(hand, position_after(calls[:index], first_side, other_side)) != calls[index]
        for index in range(seat, len(calls), SEATS)
    )


def shown_ranges(position: Position) -> npt.NDArray[np.int64]:
    """Return a row of `RANGES` numbers for each seat from the first caller: what its calls together have shown."""
    rows = [[*shown.hcp, *(end for ends in shown.lengths for end in ends)] for shown in position.shown]
    return np.array(rows, np.int64)

"""Calls as small numbers, in the order of the auction, and which are legal (Laws 17-22).

Pass is 0, double 1, redouble 2; bids are 3 (`1C`) to 37 (`7NT`), so a higher bid is a higher number.
An auction is a string of bytes, which is quick to compare and to look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid, text
from junto.games.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES

PASS: Final = 0
DOUBLE: Final = 1
REDOUBLE: Final = 2
FIRST_BID: Final = 3
CALLS: Final = 38
MINORS: Final = (CLUBS, DIAMONDS)
MAJORS: Final = (HEARTS, SPADES)
LETTERS: Final = "SHDCN"

_ORDER: Final = (3, 2, 1, 0, 4)
_FIXED: Final[dict[int, Action]] = {PASS: Pass(), DOUBLE: DoubleBid(), REDOUBLE: RedoubleBid()}
_FIXED_NAMES: Final = ("P", "X", "XX")


class AuctionError(ValueError):
    """The calls are no auction: one is not a call, is not legal in its turn, or comes after the end.

    `index` is the place of that call among them, if there is one.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


def bid(level: int, strain: int) -> int:
    """Return the number of a bid; strains 0..3 are S H D C, 4 is no trumps."""
    return FIRST_BID + 5 * (level - 1) + _ORDER[strain]


def level_of(call: int) -> int:
    """Return a bid's level, 1..7."""
    return (call - FIRST_BID) // 5 + 1


def strain_of(call: int) -> int:
    """Return a bid's strain."""
    return _ORDER[(call - FIRST_BID) % 5]


def outranks(suit: int, other: int) -> bool:
    """Tell whether a strain stands above another: no trumps, spades, hearts, diamonds, clubs."""
    return _ORDER[suit] > _ORDER[other]


def is_game(call: int) -> bool:
    """Tell whether a bid is worth a hundred trick points or more when it is made."""
    level, strain = level_of(call), strain_of(call)
    return level >= (3 if strain == NO_TRUMP else 4 if strain in MAJORS else 5)


def call_name(call: int) -> str:
    """Return a call as it is written: `P`, `X`, `XX`, `1C`, `3NT`."""
    if call < FIRST_BID:
        return _FIXED_NAMES[call]
    strain = strain_of(call)
    return f"{level_of(call)}{'NT' if strain == NO_TRUMP else LETTERS[strain]}"


NAMES: Final = tuple(call_name(call) for call in range(CALLS))
NUMBERS: Final = {name: call for call, name in enumerate(NAMES)}
ACTIONS: Final[tuple[Action, ...]] = tuple(
    _FIXED[call] if call in _FIXED else Bid(level_of(call), strain_of(call)) for call in range(CALLS)
)
_CODES: Final = {action: call for call, action in enumerate(ACTIONS)}


def read_call(name: str) -> int:
    """Return the call that is written so.

    Raises:
        AuctionError: none is.
    """
    try:
        return NUMBERS[name]
    except KeyError:
        raise AuctionError(f"{name!r} is not a call of bridge") from None


def encode(actions: Iterable[Action]) -> bytes:
    """Return the auction of some actions; legality is not looked at.

    Raises:
        AuctionError: one of them is not a call of bridge.
    """
    found = bytearray()
    for index, action in enumerate(actions):
        if action not in _CODES:
            raise AuctionError(f"call {index + 1}, {text(action)!r}, is not a call of bridge", index)
        found.append(_CODES[action])
    return bytes(found)


def has_ended(calls: Sequence[int]) -> bool:
    """Tell whether three passes follow a bid, or four passes opened."""
    return len(calls) >= 4 and not any(calls[-3:]) and (any(calls[:-3]) or len(calls) == 4)

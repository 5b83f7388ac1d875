"""Duplicate scoring, compiled: what a contract is worth (Laws of Duplicate Bridge 2017, Law 77).

One implementation for the server and the search. Strains are 0..3 for S H D C and 4 for no trumps; `doubled` is
0, 1 (doubled) or 2 (redoubled). Who deals and who is vulnerable follows from a board's number.
"""

from __future__ import annotations

from typing import Final

from junto.games.cards import NO_TRUMP
from junto.games.jit import njit
from junto.games.view import Vulnerability

BOOK: Final = 6
"""Tricks that a side takes before they count: a bid of n asks for n more."""
_FIRST_NO_TRUMP: Final = 10
"""What the first trick in no trumps counts above the others."""
_NONE, _NS, _EW, _BOTH = (
    Vulnerability.NONE, Vulnerability.NORTH_SOUTH, Vulnerability.EAST_WEST, Vulnerability.BOTH,
)  # fmt: skip
_VULNERABILITY: Final = (
    _NONE, _NS, _EW, _BOTH, _NS, _EW, _BOTH, _NONE, _EW, _BOTH, _NONE, _NS, _BOTH, _NONE, _NS, _EW,
)  # fmt: skip


@njit
def trick_value(strain: int) -> int:
    """Return what an odd trick counts: 30 in the majors and no trumps, 20 in the minors."""
    return 20 if strain == 2 or strain == 3 else 30  # noqa: PLR1714  # a tuple is slow here


@njit
def score(level: int, strain: int, doubled: int, vulnerable: int, tricks: int, slam_taken: int) -> int:
    """Return what declarer's side gets for `tricks` (of 13) in a contract; the other side gets the negative.

    The flags are 0 or 1. With `slam_taken` a contract that is made earns a slam's bonus for the tricks taken,
    without it for the tricks bid.
    """
    over = tricks - BOOK - level
    if over < 0:
        return -penalty(-over, doubled, vulnerable)
    odd = level * trick_value(strain) + (_FIRST_NO_TRUMP if strain == NO_TRUMP else 0)
    points = odd << doubled
    game = (500 if vulnerable else 300) if points >= 100 else 50
    slam = _slam(tricks - BOOK if slam_taken else level, vulnerable)
    return points + game + slam + 50 * doubled + over * _overtrick(strain, doubled, vulnerable)


@njit
def penalty(short: int, doubled: int, vulnerable: int) -> int:
    """Return what the defenders get for so many tricks (1 or more) that declarer's side is short."""
    if doubled == 0:
        return short * (100 if vulnerable else 50)
    points = 300 * short - 100
    if not vulnerable:
        # The first costs 100, the next two 200 each.
        points -= 100 * min(short, 3)
    return points * doubled


@njit
def _overtrick(strain: int, doubled: int, vulnerable: int) -> int:
    if doubled == 0:
        return trick_value(strain)
    return (200 if vulnerable else 100) * doubled


@njit
def _slam(level: int, vulnerable: int) -> int:
    if level == 6:
        return 750 if vulnerable else 500
    if level == 7:
        return 1500 if vulnerable else 1000
    return 0


def board_dealer(board: int) -> int:
    """Return who deals a board (1, 2, 3 ...): seats 0 to 3 in turn."""
    return (board - 1) % 4


def board_vulnerability(board: int) -> Vulnerability:
    """Return who is vulnerable on a board (1, 2, 3 ...); it repeats every 16 boards."""
    return _VULNERABILITY[(board - 1) % 16]


def is_vulnerable(vulnerability: Vulnerability, seat: int) -> bool:
    """Tell whether the side of a seat (or a place at the table, 0..3) is vulnerable."""
    return vulnerability is _BOTH or vulnerability is (_EW if seat % 2 else _NS)


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    score(4, 0, 0, 0, 10, 0)

"""What a match of Baohuang carries from deal to deal: the tribute that is owed, and how many deals in a row were void.

A void deal leaves the tribute as it is. The last scored deal's emperor is in it: on the street he is asked first.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

from junto.games.baohuang.offer import PLAYERS
from junto.games.baohuang.tribute import Owed
from junto.games.climbing.course import NOBODY
from junto.games.core import Match, RuleError
from junto.games.dealing import voids_in, with_voids
from junto.games.view import Alliance, Clearing

_TRIBUTE: Final = "tribute"
_CLEARED: Final = "cleared"


def owed_in(match: Match) -> Owed | None:
    """Return what the last scored deal leaves; None: there was none.

    Raises:
        RuleError: what the match carries is no such thing.
    """
    carried, cleared = match.carried_value(_TRIBUTE), match.carried_value(_CLEARED) or ()
    if carried is None:
        return None
    try:
        return _owed(carried, cleared)
    except ValueError:
        raise RuleError(f"{carried} and {cleared} are no tribute of five players") from None


def _owed(carried: tuple[int, ...], cleared: tuple[int, ...]) -> Owed:
    emperor, guard, number, won, *order = carried
    alliance, others = Alliance(number), [seat for seat in order if seat != emperor]
    guards = others if alliance is Alliance.PARTNER else [NOBODY]
    if sorted(order) != list(range(PLAYERS)) or emperor not in order or guard not in guards:
        raise ValueError(carried)
    clearings = tuple(Clearing(seat, by_seat) for seat, by_seat in zip(cleared[::2], cleared[1::2], strict=True))
    if any(one.seat == one.by_seat or not {one.seat, one.by_seat} <= {*order} for one in clearings):
        raise ValueError(cleared)
    return Owed(emperor, None if guard == NOBODY else guard, alliance, tuple(order), won, clearings)


def with_void(match: Match) -> Match:
    """Return the match after a void deal."""
    return with_voids(match, voids_in(match) + 1)


def with_owed(match: Match, owed: Owed) -> Match:
    """Return the match after a scored deal."""
    guard = NOBODY if owed.guard is None else owed.guard
    return with_voids(match, 0).carrying(
        **{
            _TRIBUTE: (owed.emperor, guard, int(owed.alliance), owed.won, *owed.order),
            _CLEARED: tuple(chain.from_iterable((clearing.seat, clearing.by_seat) for clearing in owed.cleared)),
        }
    )

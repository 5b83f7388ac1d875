"""What a climbing deal is worth, compiled: one implementation for the server and the search.

`places` are by seat: 1 for the first out; 0 for a seat that has none. Sources: the games' rule pages.
"""

from __future__ import annotations

from typing import Final

from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import BOMBS_COUNT, MOST_MULTIPLIER, SCORING, SEATS, SHARES, UNIT, ZERO_SUM, Vector
from junto.games.jit import njit

LANDLORD, TEAMS, COURT, STREET = range(4)
"""How a game scores: Dou Dizhu; Shuangkou; Baohuang, by places; Baohuang, as on the street."""

DECLARER, PARTNER, BID, IS_OPEN, BOMBS, DECLARER_PLAYS, OTHER_PLAYS, STAKES = range(8)
"""Places in the *stakes*, what a deal's score hangs on besides places.

Landlord or emperor; the guard (`NOBODY`: none); the bid; whether a solo was declared openly; bombs and rockets
played; plays (passes are none) of the landlord and of the peasants.
"""
NO_SPRING, SPRING, ANTI_SPRING = range(1, 4)
"""Whether one side never got to play (numbers as in the API)."""
_LAST: Final = 5


@njit
def spring_of(stakes: Vector, landlord_won: bool) -> int:
    """Return whether the peasants made no play (春天), or the landlord none but the first (反春天)."""
    if landlord_won:
        return SPRING if stakes[OTHER_PLAYS] == 0 else NO_SPRING
    return ANTI_SPRING if stakes[DECLARER_PLAYS] == 1 else NO_SPRING


@njit
def multiplier_of(terms: Vector, stakes: Vector, spring: int) -> int:
    """Return by what a bid is multiplied: by two for each bomb, or by their number, and by two for a spring."""
    bombs = stakes[BOMBS]
    multiplier = max(1, bombs) if terms[BOMBS_COUNT] else 1 << bombs
    if spring != NO_SPRING:
        multiplier *= 2
    return int(min(multiplier, terms[MOST_MULTIPLIER]) if terms[MOST_MULTIPLIER] > 0 else multiplier)


@njit
def court_points(terms: Vector, stakes: Vector, places: Vector) -> int:
    """Return what the emperor's side gets: above 0 it has won, below 0 lost."""
    emperor, guard = places[stakes[DECLARER]], 0
    if stakes[PARTNER] != NOBODY:
        guard = places[stakes[PARTNER]]
    if terms[SCORING] == COURT:
        points = 6 - 2 * emperor + (6 - 2 * guard if guard > 0 else 0)
        return int(2 * points if stakes[IS_OPEN] else points)
    if guard == 0 or (emperor > 1 and guard > 1):
        return 1 if emperor == 1 else -1
    if emperor == 1:
        return 0 if guard == _LAST else 1
    return 1 if emperor == 2 else 0 if emperor == 3 else -1


@njit
def write_scores(scores: Vector, terms: Vector, stakes: Vector, places: Vector) -> None:
    """Write every seat's points for a finished deal."""
    seats, declarer, partner = terms[SEATS], stakes[DECLARER], stakes[PARTNER]
    if terms[SCORING] == TEAMS:
        first = 0
        while places[first] != 1:
            first += 1
        other = places[(first + 2) & 3]
        points = 4 - other if 2 <= other <= 3 else 0
        for seat in range(seats):
            own = (seat + first) & 1 == 0
            scores[seat] = points if own else -points if terms[ZERO_SUM] else 0
        return
    solo = partner == NOBODY
    if terms[SCORING] == LANDLORD:
        won = places[declarer] == 1
        points = terms[UNIT] * stakes[BID] * multiplier_of(terms, stakes, spring_of(stakes, won))
        points = points if won else -points
    else:
        points = court_points(terms, stakes, places)
    shared = terms[SHARES] or terms[SCORING] == LANDLORD
    for seat in range(seats):
        if seat == declarer:
            scores[seat] = points * ((seats - 1 if solo else 2) if shared else 1)
        else:
            scores[seat] = points if seat == partner else -points


def warm_up() -> None:
    """Compile the scoring, with the types the server calls it with."""
    import numpy as np  # noqa: PLC0415

    from junto.games.climbing.terms import BAOHUANG, DOU_DIZHU  # noqa: PLC0415  # which imports this module's constants

    places = np.arange(1, 6)
    stakes = np.array([0, NOBODY, 1, 0, 0, 1, 1])
    write_scores(np.zeros(5, np.int64), DOU_DIZHU.vector, stakes, places)
    court_points(BAOHUANG.vector, stakes, places)
    spring_of(stakes, landlord_won=True)
    multiplier_of(DOU_DIZHU.vector, stakes, NO_SPRING)

"""What a search tries in the play of a climbing game: enough to find the best, few enough to try each often."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.kernel import kickers_of, with_kickers
from junto.games.climbing.moves import tell_apart
from junto.games.view import Choices
from junto.search.climbing.groups import PLAYS, VALUES
from junto.search.climbing.policy import choose, rate
from junto.search.climbing.position import Position
from junto.search.climbing.state import APPLY, COPIES, NAMED_RANK, PASS, TURN

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_SAME_MAIN: Final = 2
"""How many choices of kickers are tried with one main group."""


def play_candidates(position: Position, choices: Choices, most: int, desk: Matrix) -> list[int]:
    """Return actions to try, at most so many plays: what the rules of thumb do, then what they think best of.

    To pass, and to ask for the lead, is always tried where it is allowed.
    """
    terms, habits, state, hand = position.terms, position.habits, position.state, position.hand
    found = [int(choose(terms, habits, state, hand, desk))]
    if choices.passing:
        found.append(PASS)
    if choices.applying:
        found.append(APPLY)
    listed = () if choices.combination is None else choices.combination.plays
    plays = np.array([one.play for one in listed], np.int64)
    desk[PLAYS, : plays.size] = plays
    if plays.size:
        rate(terms, habits, state, hand, desk, plays.size)
    order = np.argsort(-desk[VALUES, : plays.size], kind="stable")
    tried: dict[int, int] = {}
    for play in plays[order].tolist():
        main = play ^ with_kickers(0, kickers_of(play))
        tried[main] = tried.get(main, 0) + 1
        if tried[main] <= _SAME_MAIN:
            found += _told_apart(position, play)
        if len(found) >= most + 2:
            break
    return list(dict.fromkeys(found))


def _told_apart(position: Position, play: int) -> list[int]:
    """Return a play with as few copies of the named card as it can have, and with as many."""
    state = position.state
    copies = int(state[COPIES + state[TURN]])
    if copies == 0:
        return [play]
    out = np.full(copies + 1, play, np.int64)
    number = tell_apart(position.hand, state[NAMED_RANK], copies, out, 1)
    return list(dict.fromkeys((int(out[0]), int(out[number - 1]))))

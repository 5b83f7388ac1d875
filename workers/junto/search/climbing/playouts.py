"""Play a world of a climbing game to its end, at random or by the rules of thumb."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY
from junto.games.climbing.moves import tell_apart, write_plays
from junto.games.jit import njit
from junto.search.climbing.state import APPLY, COPIES, NAMED_RANK, PASS, TOP, TURN, act, may_ask
from junto.search.streams import draw_below

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

MOST_PLAYS: Final = 8192
"""A hand never has more plays, copies of the named card told apart."""


@njit
def random_action(terms: Vector, state: Vector, hand: Vector, plays: Vector, stream: Vector) -> int:
    """Draw one of all legal actions of the seat to act, whose hand it is; each is as likely as any other."""
    number = write_plays(terms, hand, state[TOP], plays)
    copies = state[COPIES + state[TURN]]
    if copies > 0:
        number = tell_apart(hand, state[NAMED_RANK], copies, plays, number)
    others = 0 if state[TOP] == PASS else 2 if may_ask(terms, state) else 1
    drawn = draw_below(stream, number + others)
    if drawn < number:
        return int(plays[drawn])
    return PASS if drawn == number else APPLY


@njit
def play_on_random(terms: Vector, state: Vector, hands: Matrix, plays: Vector, stream: Vector) -> int:
    """Play a world at random from the state it is in to the end; return how many actions that took."""
    actions = 0
    while state[TURN] != NOBODY:
        action = random_action(terms, state, hands[state[TURN]], plays, stream)
        act(terms, state, hands, action)
        actions += 1
    return actions

"""Play a world of a climbing game to its end, at random or by the rules of thumb."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import NO_PLAY, RANKS, SEATS
from junto.games.climbing.moves import tell_apart, write_plays
from junto.games.jit import njit
from junto.search.climbing.endings import UNSOLVED, cards_left, solve, worth_to
from junto.search.climbing.groups import PLAYS, clear
from junto.search.climbing.habits import ENDING_CARDS, ENDING_POSITIONS
from junto.search.climbing.policy import choose
from junto.search.climbing.state import APPLY, COPIES, NAMED_RANK, PASS, STATE, TOP, TURN, act, may_ask, score
from junto.search.streams import draw_below

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

Table = npt.NDArray[np.int64]
"""Three axes: deals or worlds, seats, ranks."""
_ALWAYS: Final = 256
MOST_PLAYS: Final = 8192
"""Room for a hand's plays, copies of the named card told apart; what has no room, of hands that are never seen, is left
out."""
_FEWER: Final = 3
"""An ending that could not be solved is looked at again when there are so many cards fewer."""


@njit
def random_action(terms: Vector, state: Vector, hand: Vector, plays: Vector, stream: Vector) -> int:
    """Draw one of all legal actions of the seat to act, whose hand it is; each is as likely as any other."""
    copies = state[COPIES + state[TURN]]
    number = min(write_plays(terms, hand, state[TOP], plays), plays.size // (copies + 1))
    if copies > 0:
        number = tell_apart(hand, state[NAMED_RANK], copies, plays, number)
    others = 0 if state[TOP] == NO_PLAY else 2 if may_ask(terms, state) else 1
    drawn = draw_below(stream, number + others)
    if drawn < number:
        return int(plays[drawn])
    return PASS if drawn == number else APPLY


@njit
def play_on(
    terms: Vector, habits: Vector, state: Vector, hands: Matrix, seat: int, noise: int, desk: Matrix, stream: Vector,
    scores: Vector,
) -> int:  # fmt: skip
    """Play a world to its end by the rules of thumb and return what it is worth to a seat.

    In `noise` of 256 cases (256: always) a seat does anything legal. Once few enough cards are left the world is
    solved, if that does not take too long.
    """
    clear(desk)
    few = habits[ENDING_CARDS]
    while state[TURN] != NOBODY:
        if few > 0 and cards_left(terms, state) <= few:
            value = solve(terms, state, hands, seat, habits[ENDING_POSITIONS], desk)
            if value != UNSOLVED:
                return value
            few = cards_left(terms, state) - _FEWER
        turn = state[TURN]
        if noise > 0 and draw_below(stream, _ALWAYS) < noise:
            action = random_action(terms, state, hands[turn], desk[PLAYS], stream)
        else:
            action = choose(terms, habits, state, hands[turn], desk)
        act(terms, state, hands, action)
    return worth_to(terms, state, seat, scores)


@njit
def play_deals(
    terms: Vector, mine: Vector, theirs: Vector, places: int, begun: Matrix, dealt: Table,
    state: Vector, hands: Matrix, desk: Matrix, scores: Matrix,
) -> int:  # fmt: skip
    """Play deals by the rules of thumb from the states they have begun in; return how many actions it took.

    Every seat's points are written. The seats in `places`, as bits, have the habits `mine`, the rest `theirs`.
    """
    actions = 0
    for deal in range(begun.shape[0]):
        for place in range(STATE):
            state[place] = begun[deal, place]
        for seat in range(terms[SEATS]):
            for rank in range(RANKS):
                hands[seat, rank] = dealt[deal, seat, rank]
        clear(desk)
        while state[TURN] != NOBODY:
            turn = state[TURN]
            action = choose(terms, mine if places >> turn & 1 else theirs, state, hands[turn], desk)
            act(terms, state, hands, action)
            actions += 1
        score(terms, state, scores[deal])
    return actions


@njit
def write_leads(terms: Vector, hands: Matrix, plays: Vector) -> int:
    """Write what each of some hands may lead, one after the other; return how many plays that are in all."""
    number = 0
    for place in range(hands.shape[0]):
        number += write_plays(terms, hands[place], NO_PLAY, plays)
    return number

"""How well worlds explain what others have done, compiled; and worlds that explain it better.

Every consistent deal is equally likely before anybody acts. An action makes those likelier in which the rules of thumb
would have done the same; nobody follows them to the letter, so any other action only divides a world's weight by some
number (policy-based inference, as in Skat: Rebstock et al., CoG 2019). What a seat does hangs on its own hand and on
what all have seen: the weight of a world is the product of the weights of its hands.

Of many decisions hardly any deal that is drawn blindly explains most. So worlds are *stirred*: two hidden cards of two
places change places, and the exchange stays as often as the hands explain the actions so much better or worse
(Metropolis; chains over deals for trick-taking games: Solinas et al., NeurIPS 2023).
"""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing.course import NOBODY
from junto.games.climbing.kernel import NO_PLAY, RANKS, key_of, kind_of, length_of, size_of
from junto.games.climbing.scoring import DECLARER, PARTNER
from junto.games.jit import inlined, njit
from junto.search.climbing.before_play import worth_of
from junto.search.climbing.groups import clear
from junto.search.climbing.history import CALLER, LEAST, MOST, SINCE_CALL
from junto.search.climbing.policy import choose
from junto.search.climbing.state import ALL_KNOW, COPIES, NAMED_RANK, PASS, STAKES_AT, STATE, TOP
from junto.search.climbing.worlds import COPIES_AT, Table, Weights, World
from junto.search.streams import draw_below, draw_fraction, start_stream

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

LEAD, ANSWER, SAT_OUT, JOINED, CALL = range(5)
"""Places of the *doubts*: what it tells against a hand, as a logarithm, that it would have led something else; beaten a
play otherwise; beaten it, where its seat passed; passed, where it did not. Last, of each hundredth of the worth by
which a hand misses a call. They are set by hand, not fitted."""
DOUBTS: Final = np.array([log(0.05), log(0.04), log(0.04), log(0.04), -0.01])
FARTHEST: Final = 300
"""A call that is missed by more counts like one by so much; set by hand."""
STIR_STREAM: Final = 16
"""From this stream of a world on: what is stirred in it."""


@inlined
def _alike(one: int, other: int) -> bool:
    """Tell whether two plays are the same, kickers and copies of the named card aside."""
    same_kind = kind_of(one) == kind_of(other) and size_of(one) == size_of(other)
    return same_kind and key_of(one) == key_of(other) and length_of(one) == length_of(other)


@njit
def doubt(
    terms: Vector, habits: Vector, doubts: Weights, worth: Vector, calls: Matrix, states: Matrix, done: Vector,
    since: Matrix, first: int, last: int, seat: int, held: World, state: Vector, hand: Vector, desk: Matrix,
) -> float:  # fmt: skip
    """Return the logarithm of a hand's weight, by its seat's calls and by its decisions from `first` to `last`.

    `held` are the cards by rank, then the copies of the named card. `state` and what follows it is written on.
    """
    found = 0.0
    for call in range(calls.shape[0]):
        if calls[call, CALLER] == seat:
            for rank in range(RANKS):
                hand[rank] = held[rank] + calls[call, SINCE_CALL + rank]
            value = worth_of(terms, habits, worth, hand, desk)
            missed = max(calls[call, LEAST] - value, value - calls[call, MOST] + 1)
            found += doubts[CALL] * min(FARTHEST, max(0, missed))
    clear(desk)
    for place in range(first, last):
        for number in range(STATE):
            state[number] = states[place, number]
        for rank in range(RANKS):
            hand[rank] = held[rank] + since[place, rank]
        if state[NAMED_RANK] != NOBODY:
            state[COPIES + seat] = held[COPIES_AT] + since[place, COPIES_AT]
            if not state[ALL_KNOW] and seat != state[STAKES_AT + DECLARER] and state[COPIES + seat] > 0:
                state[STAKES_AT + PARTNER] = seat
        chosen, did = choose(terms, habits, state, hand, desk), done[place]
        if chosen == did:
            continue
        clear(desk)
        if chosen > PASS and did > PASS and _alike(chosen, did):
            continue
        if state[TOP] == NO_PLAY:
            found += doubts[LEAD]
        elif did <= PASS:
            found += doubts[SAT_OUT]
        else:
            found += doubts[ANSWER if chosen > PASS else JOINED]
    return found


@njit
def weigh(
    terms: Vector, habits: Vector, doubts: Weights, worth: Vector, calls: Matrix, states: Matrix, done: Vector,
    since: Matrix, starts: Vector, table: Table, logs: Weights, state: Vector, hand: Vector, desk: Matrix,
) -> None:  # fmt: skip
    """Write the logarithm of the weight of each hand of each world: `logs[world, seat]`."""
    for row in range(table.shape[0]):
        for seat in range(starts.shape[0] - 1):
            logs[row, seat] = doubt(
                terms, habits, doubts, worth, calls, states, done, since, starts[seat], starts[seat + 1], seat,
                table[row, seat], state, hand, desk,
            )  # fmt: skip


@njit
def _draw_card(held: World, seen: Vector, copies: int, named_rank: int, size: int, stream: Vector) -> int:
    """Draw the rank of one of a place's hidden cards, of which it has so many; never the named card."""
    rest = size - (held[COPIES_AT] - copies if named_rank != NOBODY else 0)
    if rest == 0:
        return NOBODY
    number = draw_below(stream, rest)
    for rank in range(RANKS):
        number -= held[rank] - seen[rank] - (held[COPIES_AT] - copies if rank == named_rank else 0)
        if number < 0:
            return rank
    return NOBODY


@inlined
def _exchange(world: World, here: int, there: int, given: int, taken: int) -> None:
    world[here, given] -= 1
    world[there, given] += 1
    world[there, taken] -= 1
    world[here, taken] += 1


@njit
def stir(
    terms: Vector, habits: Vector, doubts: Weights, worth: Vector, calls: Matrix, states: Matrix, done: Vector,
    since: Matrix, starts: Vector, table: Table, logs: Weights, state: Vector, hand: Vector, desk: Matrix,
    seen: Matrix, copies: Vector, named_rank: int, places: Vector, sizes: Vector, free: Matrix, part: float,
    times: int, seed: int, first: int, purpose: int, stream: Vector,
) -> None:  # fmt: skip
    """Try to exchange cards so many `times` in each world, and keep their `logs`; they are numbered from `first` on.

    Each of two of the `places`, which have so many (`sizes`) hidden cards, gives one, where the card is `free` to lie
    in the other (by place and rank); the named card stays. All cards are as likely to be given: so deals of labelled
    cards are alike but for their weight, which counts only in `part` (of its logarithm).
    """
    seats = starts.shape[0] - 1
    new = np.zeros(2)
    for row in range(table.shape[0]):
        world = table[row]
        start_stream(stream, seed, first + row, purpose)
        for _ in range(times):
            one = draw_below(stream, places.shape[0])
            other = (one + 1 + draw_below(stream, places.shape[0] - 1)) % places.shape[0]
            here, there = places[one], places[other]
            given = _draw_card(world[here], seen[here], copies[here], named_rank, sizes[here], stream)
            taken = _draw_card(world[there], seen[there], copies[there], named_rank, sizes[there], stream)
            luck = draw_fraction(stream)
            nothing = given == taken or min(given, taken) == NOBODY
            if nothing or not (free[there, given] and free[here, taken]):
                continue
            _exchange(world, here, there, given, taken)
            gain = 0.0
            for number in range(2):
                seat = there if number else here
                new[number] = 0.0
                if seat < seats:
                    new[number] = doubt(
                        terms, habits, doubts, worth, calls, states, done, since, starts[seat], starts[seat + 1], seat,
                        world[seat], state, hand, desk,
                    )  # fmt: skip
                    gain += new[number] - logs[row, seat]
            if luck < np.exp(part * gain):
                for number in range(2):
                    seat = there if number else here
                    if seat < seats:
                        logs[row, seat] = new[number]
            else:
                _exchange(world, there, here, given, taken)

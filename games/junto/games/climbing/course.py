"""The course of a climbing deal, compiled: who acts next, who leads after a round, and when a deal is over.

Seats with cards are a set of bits (`holding`); play goes from a seat to the next number, past seats without cards.
The *owner* is the seat whose play is on top; he may have gone out with it. Sources: the games' rule pages.
"""

from __future__ import annotations

from typing import Final

from junto.games.climbing.kernel import ENDING, HEIR, SEATS, Vector
from junto.games.jit import inlined, njit

NOBODY: Final = -1
FIRST_OUT, ONE_LEFT, PARTNERS_OUT = range(3)
"""When a deal is over: a seat has gone out; one seat has cards; or one has, or two partners are the first out."""
NEXT, PARTNER, APPLICANT = range(3)
"""Who leads when a round's owner has gone out: the next seat, his partner if he has cards, who has asked for it."""


@inlined
def next_seat(seats: int, seat: int) -> int:
    """Return the seat after another one."""
    return seat + 1 if seat + 1 < seats else 0


@njit
def next_holder(seats: int, holding: int, seat: int) -> int:
    """Return the next seat with cards after another one; there is one besides it."""
    seat = next_seat(seats, seat)
    while not holding >> seat & 1:
        seat = next_seat(seats, seat)
    return seat


@njit
def next_answer(seats: int, holding: int, seat: int, owner: int) -> int:
    """Return who answers the owner's play after `seat` (first: after himself), `NOBODY` when all have."""
    seat = next_seat(seats, seat)
    while seat != owner:
        if holding >> seat & 1:
            return seat
        seat = next_seat(seats, seat)
    return NOBODY


@njit
def may_apply(terms: Vector, holding: int, owner: int, applicant: int) -> bool:
    """Tell whether the seat that answers may ask for the lead: its owner is out, and nobody has asked (接風)."""
    return bool(terms[HEIR] == APPLICANT and applicant == NOBODY and not holding >> owner & 1)


@njit
def next_leader(terms: Vector, holding: int, owner: int, applicant: int) -> int:
    """Return who leads after a round that nobody answers any more."""
    if holding >> owner & 1:
        return owner
    seats = terms[SEATS]
    if terms[HEIR] == APPLICANT and applicant != NOBODY:
        return applicant
    if terms[HEIR] == PARTNER:
        partner = (owner + 2) & 3
        if holding >> partner & 1:
            return partner
    return int(next_holder(seats, holding, owner))


@njit
def is_over(terms: Vector, holding: int) -> bool:
    """Tell whether a deal is over, when these seats have cards."""
    ending, everybody = terms[ENDING], (1 << terms[SEATS]) - 1
    if ending == FIRST_OUT:
        return bool(holding != everybody)
    if ending == PARTNERS_OUT and holding in {0b0101, 0b1010}:
        return True
    return bool(holding & (holding - 1) == 0)


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    from junto.games.climbing.terms import SHUANGKOU  # noqa: PLC0415  # which imports this module's constants

    terms = SHUANGKOU.vector
    next_answer(4, 0b1111, 0, 0)
    may_apply(terms, 0b1111, 0, NOBODY)
    next_leader(terms, 0b1111, 0, NOBODY)
    is_over(terms, 0b1111)

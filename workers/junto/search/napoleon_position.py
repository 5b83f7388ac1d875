"""A seat's knowledge at a Napoleon table as the vectors that kernels read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.games.napoleon.bidding import lowest_bid, new_auction, note_call
from junto.games.tricks.kernel import NO_CARD, NOBODY
from junto.games.view import Phase
from junto.search.napoleon_knowledge import NapoleonKnowledge
from junto.search.napoleon_state import ABOVE, STATE, begin_play, replay, write_above

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

HIGHEST_BID, PASSED_OVER, PLAYED, CALLS = range(4)
"""Columns of `calls_of`."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayPosition:
    """A position in the play: rules, stronger cards, state, points by seat, and who showed the secretary cards.

    `plays` are all cards so far: rows of (seat, card, led suit, cards called). `leader` led to the first trick.
    """

    rules: Vector
    above: Vector
    state: Vector
    points: Vector
    holders: Vector
    plays: Matrix
    leader: int


def play_position(known: NapoleonKnowledge) -> PlayPosition:
    """Return the position in the play that a seat's knowledge describes."""
    rules = known.rules
    above, state, points = np.zeros(ABOVE, np.int64), np.zeros(STATE, np.int64), np.zeros(7, np.int64)
    write_above(above, rules)
    leader = known.house.first_leader(known.napoleon)
    begin_play(state, known.napoleon, known.target, leader, known.shown)
    rows = [(seat, card, trick.led, trick.called) for trick in known.tricks for seat, card in trick.cards]
    plays = np.array(rows, np.int64).reshape(-1, 4)
    replay(rules, state, points, plays)
    played_by = {card: seat for seat, card, _, _ in rows}
    holders = np.array([played_by.get(card, NOBODY) for card in (*known.secretaries, NO_CARD, NO_CARD)[:2]], np.int64)
    return PlayPosition(rules, above, state, points, holders, plays, leader)


def base_hands(known: NapoleonKnowledge) -> Vector:
    """Return the hands by place as far as the seat knows them: its own, and in the play the cards it put back."""
    base = np.zeros(known.house.seats + 1, np.int64)
    base[known.seat] = known.hand
    base[-1] = own_put_back(known) if known.phase is Phase.PLAY else 0
    return base


def own_put_back(known: NapoleonKnowledge) -> int:
    """Return the cards that the seat knows to be put back and the others do not."""
    return known.put_back & ~known.shown


def calls_of(known: NapoleonKnowledge) -> Matrix:
    """Return a row for each seat: its highest bid, the lowest bid it passed over last (0: none), cards played."""
    calls, auction = np.zeros((known.house.seats, CALLS), np.int64), new_auction()
    for seat, bid in known.calls:
        if bid:
            calls[seat, HIGHEST_BID], calls[seat, PASSED_OVER] = bid, 0
        else:
            calls[seat, PASSED_OVER] = lowest_bid(auction, known.house.lowest_bid, known.house.bid_step)
        note_call(auction, seat, bid, int(known.house.pass_is_final))
    for trick in known.tricks:
        for seat, card in trick.cards:
            calls[seat, PLAYED] |= 1 << card
    return calls


def auction_so_far(known: NapoleonKnowledge) -> Vector:
    """Return the auction after the calls so far, as `junto.games.napoleon.bidding` has it."""
    auction = new_auction()
    for seat, bid in known.calls:
        note_call(auction, seat, bid, int(known.house.pass_is_final))
    return auction

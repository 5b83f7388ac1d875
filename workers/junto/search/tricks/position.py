"""A seat's knowledge in a trick-taking game as the vectors that kernels read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.games.napoleon.bidding import lowest_bid, new_auction, note_call
from junto.games.tricks.kernel import NO_CARD, NOBODY
from junto.games.view import Phase
from junto.search.tricks.knowledge import Knowledge
from junto.search.tricks.state import ABOVE, STATE, begin_play, replay, write_above
from junto.search.tricks.weighing import BID_MADE, CALLS, PASSED_OVER, PLAYED

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PlayPosition:
    """A position in the play: rules, stronger cards, state, points by place, and who showed the called cards.

    `plays` are all cards so far: rows of (place, card, led suit, cards called). `leader` led to the first trick.
    """

    rules: Vector
    above: Vector
    state: Vector
    points: Vector
    holders: Vector
    plays: Matrix
    leader: int


def play_position(known: Knowledge) -> PlayPosition:
    """Return the position in the play that a seat's knowledge describes."""
    rules = known.rules
    above, state, points = np.zeros(ABOVE, np.int64), np.zeros(STATE, np.int64), np.zeros(7, np.int64)
    write_above(above, rules)
    begin_play(state, known.declarer, known.partner, known.dummy, known.contract, known.leader, known.shown)
    rows = [(place, card, trick.led, trick.called) for trick in known.tricks for place, card in trick.cards]
    plays = np.array(rows, np.int64).reshape(-1, 4)
    replay(rules, state, points, plays)
    played_by = {card: place for place, card, _, _ in rows}
    holders = np.array([played_by.get(card, NOBODY) for card in (*known.secretaries, NO_CARD, NO_CARD)[:2]], np.int64)
    if known.partner >= 0:
        holders[0] = known.partner
    return PlayPosition(rules, above, state, points, holders, plays, known.leader)


def base_hands(known: Knowledge) -> Vector:
    """Return the hands by place as far as the seat's own: its cards, and in the play those it put back unseen."""
    base = np.zeros(known.terms.seats + 1, np.int64)
    base[known.place] = known.own
    base[-1] = own_put_back(known) if known.phase is Phase.PLAY else 0
    return base


def own_put_back(known: Knowledge) -> int:
    """Return the cards that the seat knows to be put back and the others do not."""
    return known.put_back & ~known.shown


def calls_of(known: Knowledge) -> Matrix:
    """Return a row of `CALLS` numbers for each place: what it has bid, passed over and played.

    Bids are heights (`HouseRules.height_of`).
    """
    calls, auction = np.zeros((known.terms.seats, CALLS), np.int64), new_auction()
    house = known.house
    for place, bid in known.calls:
        assert house is not None
        if bid:
            calls[place, BID_MADE], calls[place, PASSED_OVER] = bid, 0
        else:
            calls[place, PASSED_OVER] = lowest_bid(auction, house.lowest_bid, house.bid_step)
        note_call(auction, place, bid, int(house.pass_is_final))
    for trick in known.tricks:
        for place, card in trick.cards:
            calls[place, PLAYED] |= 1 << card
    return calls


def auction_so_far(known: Knowledge) -> Vector:
    """Return the auction after the calls so far, as `junto.games.napoleon.bidding` has it."""
    auction = new_auction()
    for place, bid in known.calls:
        assert known.house is not None
        note_call(auction, place, bid, int(known.house.pass_is_final))
    return auction

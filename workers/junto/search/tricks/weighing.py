"""How well a world explains what the seats have done, compiled: evidence for each world, and what it makes of its odds.

Every consistent deal is equally likely before anybody acts. A bid, a call or a card makes those deals likelier
in which the rules of thumb would have acted so. Nobody follows them to the letter; what was done against them is
counted by *kind* (a bid above the hand's worth, a lead, a trick not taken, points withheld ...), together with what
a hidden partner would or would not do, and a world's weight is exp of the sum of what each kind costs. The costs were
fitted to deals (`junto.search.tricks.habits`). (Policy-based inference as in Skat: Rebstock et al., CoG 2019.)

What lies hidden among the cards put back is told so clearly by who put them there that of a thousand worlds drawn
evenly about ten would count. So these are first exchanged until they agree with it (`settle`), and the rest is weighed.
"""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, nth_card
from junto.games.tricks.kernel import (
    COUNTING,
    SEATS,
    SECOND_SECRETARY,
    SECRETARIES,
    SECRETARY,
    SPECIAL,
    TRUMP,
    TRUMPS,
    TWOS,
    WHOLE_SUIT,
)
from junto.search.streams import draw_below, draw_fraction, start_stream
from junto.search.tricks.policy import choose_follow, choose_lead
from junto.search.tricks.setup import (
    CALL_FIRST,
    FORCED_SOLO,
    PER_STEP,
    best_trump,
    bid_trump,
    choose_call,
    choose_put_back,
    worth_bidding,
)
from junto.search.tricks.state import (
    BEST_POWER,
    BEST_SEAT,
    COUNT,
    DECLARER,
    LED,
    REVEALED,
    TRICK,
    copy_into,
    legal_now,
    open_hand,
    play_card,
)
from junto.search.worlds.graph import Weights
from junto.search.worlds.sets import draw_world

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

BID_MADE, PASSED_OVER, PLAYED, CALLS = range(4)
"""Columns of a seat's `calls`: its highest bid, the lowest bid it passed over last (0: none), the cards it played."""

(
    BID_ABOVE, BID_BELOW, DECLARER_ABOVE, OTHER_SUIT, OWN_CARD, OTHER_CALL, OTHER_PUT_BACK, OUT_OF_RANGE,
    LED_ALIKE, LED_OTHER, LED_OTHER_ALLIED, LED_OTHER_DECLARING, LED_TRUMP_ALLIED, LED_TRUMP,
    ALIKE, TRICK_LEFT, TRICK_TAKEN, GIVEN, WITHHELD, OTHER,
) = range(20)  # fmt: skip
"""Kinds of evidence, counted: steps of a bid or pass above or below the hand's worth (the declarer's apart), a suit
bid that is not the best, a card called that the declarer holds, or another than the rules would call, cards put back
that they would keep, points outside the ranges of a bridge auction; leads like the rules' and unlike them, by whom;
trumps led by a partner who is hidden, and by others; cards that follow like the rules' and unlike them."""
_VOID: Final = 5
"""The kinds from `TRICK_LEFT` on again, where the card did not follow suit."""
TO_DECLARER_ALLIED, TO_DECLARER, OVER_DECLARER_ALLIED, OVER_DECLARER, OTHER_TRUMP, EVIDENCE = range(25, 31)
"""Points given to the declarer's card while it is the best, and that card beaten: by his hidden partner, by others.
And trumps that are not the declarer's best."""
SETUP: Final = (DECLARER_ABOVE, OTHER_TRUMP, OTHER_CALL, OTHER_PUT_BACK)
"""The kinds that `settle` draws worlds by, so that they need not be weighed."""
_SETTLING: Final = 12
"""So many exchanges of two cards are tried in each world."""
_SETTLE_STREAM: Final = 4
"""What this stream of a world is for: the exchanges."""
_MOST_STEPS: Final = 8
_MOST_OUTSIDE: Final = 12


@njit
def draw_many(
    plan: Vector, odds: Weights, seed: int, first: int, pool: Matrix, stream: Vector, scratch: Vector
) -> None:
    """Draw the worlds from number `first` on into the rows of `pool`, the hands by place, over what is known."""
    for world in range(pool.shape[0]):
        start_stream(stream, seed, first + world, 0)
        draw_world(plan, odds, pool[world], stream, scratch)


@njit
def write_evidence(
    pool: Matrix, evidence: Matrix, house: Vector, rules: Vector, above: Vector, begun: Vector, seat: int,
    declarer: int, trump: int, has_called: bool, is_settled: bool, calls: Matrix, ranges: Matrix, plays: Matrix,
    hands: Vector, state: Vector, features: Vector,
) -> None:  # fmt: skip
    """Write how often each kind of evidence occurs in each world of `pool`: `evidence[world, kind]`.

    A row of `pool` is the hands by place. `declarer`, `trump` are -1 while there is none. `house` is empty where no
    partner's card is called, `ranges` where no bridge was bid; `begun` is the state before the first lead, with
    `rules`, and `plays` count from the first card on. `has_called`: the declarer has called a card; `is_settled`: the
    kinds of `SETUP` are left out. What the `seat` itself did tells it nothing.
    """
    for world in range(pool.shape[0]):
        row, found = pool[world], evidence[world]
        for kind in range(EVIDENCE):
            found[kind] = 0
        seats = calls.shape[0]
        for other in range(seats):
            hand = row[other] | calls[other, PLAYED]
            hands[other] = hand
            if other == seat:
                continue
            if ranges.shape[0] > 0:
                found[OUT_OF_RANGE] += _outside(ranges[other], hand)
            if house.shape[0] == 0:
                continue
            if other != declarer:
                _note_calls(found, house, features, hand, calls[other])
            else:
                if has_called and not house[FORCED_SOLO] and hand & rules[SECRETARIES]:
                    found[OWN_CARD] = 1
                if trump >= 0 and not is_settled:
                    _note_setup(found, house, rules, features, hand, row[seats], trump, calls[other], has_called)
        if plays.shape[0] > 0:
            hands[seats] = row[seats]
            copy_into(state, begun)
            _note_plays(found, rules, above, state, hands, seat, plays)


@njit
def _steps(hundredths: int) -> int:
    """Return how many steps, begun ones too, a call is away from a hand's worth."""
    return min(_MOST_STEPS, max(0, (hundredths + 99) // 100))


@njit
def _note_calls(found: Vector, house: Vector, features: Vector, hand: int, calls: Vector) -> None:
    """Hold the calls of a seat that did not become declarer against its hand."""
    if calls[BID_MADE] == 0 and calls[PASSED_OVER] == 0:
        return
    best = best_trump(house, features, hand)
    worth = worth_bidding(house, features, hand, best)
    if calls[BID_MADE] > 0:
        found[BID_ABOVE] += _steps(100 * calls[BID_MADE] // house[PER_STEP] - worth)
        suit = bid_trump(house, calls[BID_MADE])
        if suit >= 0 and suit != best:
            found[OTHER_SUIT] += 1
    if calls[PASSED_OVER] > 0:
        found[BID_BELOW] += _steps(worth - 100 * calls[PASSED_OVER] // house[PER_STEP])


@njit
def _note_setup(
    found: Vector, house: Vector, rules: Vector, features: Vector, hand: int, put_back: int, trump: int,
    calls: Vector, has_called: bool,
) -> None:  # fmt: skip
    """Hold the declarer's bid, call and cards put back against the hand that he kept.

    What he called before he saw the kitty is held against the hand as it became: close enough.
    """
    bid = 100 * calls[BID_MADE] // house[PER_STEP]
    found[DECLARER_ABOVE] = _steps(bid - worth_bidding(house, features, hand, trump))
    found[OTHER_TRUMP] = 1 if best_trump(house, features, hand) != trump else 0
    found[OTHER_CALL] = 0
    found[OTHER_PUT_BACK] = 0
    if not has_called:
        return
    if not house[FORCED_SOLO] and hand & rules[SECRETARIES] == 0 and rules[SECOND_SECRETARY] < 0:
        excluded = 0 if house[CALL_FIRST] else put_back
        found[OTHER_CALL] = 1 if choose_call(house, hand, trump, excluded) != rules[SECRETARY] else 0
    kept = put_back & ~choose_put_back(house, hand | put_back, trump, count_cards(put_back))
    found[OTHER_PUT_BACK] = count_cards(kept)


@njit
def settle(
    pool: Matrix, house: Vector, rules: Vector, seat: int, declarer: int, calls: Vector, barred: Vector,
    costs: Vector, seed: int, first: int, found: Vector, features: Vector, stream: Vector,
) -> None:  # fmt: skip
    """Exchange cards of each world until the declarer's set-up is about as likely as what it costs makes it.

    Of worlds drawn evenly hardly any explains which cards were put back, and few are worth weighing. So hidden cards
    of the pile put back and of the declarer change places with others, each time with the chance of Metropolis
    et al. (1953); cards that nobody puts back do not come into the pile. Called cards stay where they are: who holds
    them is weighed. `calls` are the declarer's, `barred` the cards that each place cannot hold.
    """
    seats, trump = house[SEATS], rules[TRUMP]
    fixed = rules[SECRETARIES]
    dear = fixed | rules[SPECIAL] | rules[TRUMPS] | rules[COUNTING]
    for world in range(pool.shape[0]):
        row = pool[world]
        start_stream(stream, seed, first + world, _SETTLE_STREAM)
        cost = _setup_cost(found, house, rules, features, row, declarer, trump, calls, costs)
        for step in range(_SETTLING):
            source = declarer if step & 3 == 3 else seats
            others = 0
            for place in range(seats):
                if place != source and place != seat:  # noqa: PLR1714  # a set is slow here
                    others |= row[place]
            own = row[source] & ~fixed
            others &= ~barred[source] & ~(dear if source == seats else fixed)
            if own == 0 or others == 0:
                continue
            mine = nth_card(own, draw_below(stream, count_cards(own)))
            other = nth_card(others, draw_below(stream, count_cards(others)))
            place = 0
            while not row[place] >> other & 1:
                place += 1
            if barred[place] >> mine & 1:
                continue
            both = 1 << mine | 1 << other
            row[source] ^= both
            row[place] ^= both
            after = _setup_cost(found, house, rules, features, row, declarer, trump, calls, costs)
            if after > cost and draw_fraction(stream) >= math.exp((cost - after) / 100.0):
                row[source] ^= both
                row[place] ^= both
            else:
                cost = after


@njit
def _setup_cost(
    found: Vector, house: Vector, rules: Vector, features: Vector, row: Vector, declarer: int, trump: int,
    calls: Vector, costs: Vector,
) -> int:  # fmt: skip
    """Return what the kinds of `SETUP` cost a world."""
    put_back = row[house[SEATS]]
    _note_setup(found, house, rules, features, row[declarer] | calls[PLAYED], put_back, trump, calls, True)
    cost = 0
    for kind in SETUP:
        cost += found[kind] * costs[kind]
    return int(cost)


@njit
def _outside(ranges: Vector, hand: int) -> int:
    """Return by how many points thirteen cards are outside what the calls of a bridge auction have shown.

    The ranges are of points, then of lengths by suit; a card too many or too few counts as two points.
    """
    points = 0
    for rank in range(9, 13):
        points += (rank - 8) * count_cards(hand & TWOS << rank)
    outside = max(0, ranges[0] - points) + max(0, points - ranges[1])
    for suit in range(4):
        length = count_cards(hand >> (13 * suit) & WHOLE_SUIT)
        outside += 2 * (max(0, ranges[2 + 2 * suit] - length) + max(0, length - ranges[3 + 2 * suit]))
    return int(min(outside, _MOST_OUTSIDE))


@njit
def _note_plays(
    found: Vector, rules: Vector, above: Vector, state: Vector, hands: Vector, seat: int, plays: Matrix
) -> None:
    """Hold the cards that the other seats played against the rules; `hands` are as before the first, and are written.

    A card that could not be chosen otherwise tells nothing.
    """
    seats = rules[SEATS]
    declarer = state[DECLARER]
    for play in range(plays.shape[0]):
        player, card = plays[play, 0], plays[play, 1]
        hand = hands[player]
        legal = legal_now(rules, state, hand)
        if player != seat and legal & (legal - 1):
            known = open_hand(state, hands, player)
            if player == declarer:
                known |= hands[seats]
            allied = player != declarer and hand & rules[SECRETARIES] != 0 and not state[REVEALED] >> player & 1
            if state[COUNT] == 0:
                chosen, _ = choose_lead(rules, state, player, hand, known)
                _note_lead(found, rules, player == declarer, allied, chosen, card)
            else:
                chosen = choose_follow(rules, above, state, player, hand, known)
                _note_follow(found, rules, state, allied, chosen, card)
        hands[player] = hand & ~(1 << card)
        play_card(rules, state, player, card, plays[play, 2], plays[play, 3])


@njit
def _note_lead(found: Vector, rules: Vector, declaring: bool, allied: bool, chosen: int, card: int) -> None:
    """Count a lead against what the rules would have led."""
    if _alike(rules, chosen, card):
        found[LED_ALIKE] += 1
    elif declaring:
        found[LED_OTHER_DECLARING] += 1
    else:
        found[LED_OTHER_ALLIED if allied else LED_OTHER] += 1
    if not declaring and rules[TRUMPS] >> card & 1:
        found[LED_TRUMP_ALLIED if allied else LED_TRUMP] += 1


@njit
def _note_follow(found: Vector, rules: Vector, state: Vector, allied: bool, chosen: int, card: int) -> None:
    """Count a card that followed against what the rules would have played."""
    beats = kernel.power(rules, state[TRICK], state[LED], card, False) > state[BEST_POWER]
    counts = rules[COUNTING] >> card & 1
    if _alike(rules, chosen, card):
        found[ALIKE] += 1
    else:
        would_beat = kernel.power(rules, state[TRICK], state[LED], chosen, False) > state[BEST_POWER]
        would_count = rules[COUNTING] >> chosen & 1
        kind = OTHER
        if would_beat != beats:
            kind = TRICK_TAKEN if beats else TRICK_LEFT
        elif counts != would_count:
            kind = GIVEN if counts else WITHHELD
        found[kind + (0 if card // 13 == state[LED] else _VOID)] += 1
    if state[BEST_SEAT] == state[DECLARER]:
        if beats:
            found[OVER_DECLARER_ALLIED if allied else OVER_DECLARER] += 1
        elif counts:
            found[TO_DECLARER_ALLIED if allied else TO_DECLARER] += 1


@njit
def _alike(rules: Vector, card: int, other: int) -> bool:
    """Tell whether two cards are of one suit and both count, or neither."""
    return card // 13 == other // 13 and (rules[COUNTING] >> card & 1) == (rules[COUNTING] >> other & 1)

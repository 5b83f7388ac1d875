"""Rules of thumb before the play of a Napoleon deal: bidding, trumps, the kitty, the secretary.

One implementation for the `greedy` strategy and for the worlds of a search, in which the rest of the set-up
follows these rules. What a hand is worth with a trump suit is estimated in hundredths of a court card: the
weights were fitted to playouts of random deals by the rules of thumb.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.napoleon import HouseRules
from junto.games.napoleon.bidding import A_PASS, caller_after, is_settled, lowest_bid, note_call
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, highest_card, lowest_card
from junto.games.tricks.kernel import (
    BIG_JOKER,
    COUNTING,
    COURT_CARDS,
    JOKERS,
    SEATS,
    SMALL_JOKER,
    TERMS,
    WHOLE_SUIT,
)
from junto.games.tricks.scoring import captured_points, lost_points, write_hopeless_scores, write_scores
from junto.search.napoleon_policy import lowest_rank
from junto.search.napoleon_state import begin_play, write_above
from junto.search.playouts import holder_of, play_on

Vector = npt.NDArray[np.int64]

(
    KITTY, MIN_BID, BID_STEP, HIGHEST_BID, TURN, PASS_IS_FINAL, COURT_PENALTY, FORCED_SOLO, TWO_SECRETARIES, HOUSE,
) = range(TERMS, TERMS + 10)  # fmt: skip
"""Places of the house vector behind the terms: what kernels need of `HouseRules`."""
FEATURES: Final = 12
_LEAST_PLAYERS: Final = 3
WEIGHTS: Final = np.array(
    [
        [-4, 56, 81, 88, 92, 78, 184, 187, 53, 42, 37, 32],
        [910, 35, 52, 56, 54, 40, 75, 74, 47, 33, -3, 1],
        [666, 56, 49, 81, 78, 56, 103, 95, 60, 40, -3, 3],
        [766, 44, 44, 86, 81, 54, 65, 54, 64, -19, -28, 2],
        [1106, 30, 33, 63, 69, 57, 40, 29, 32, -10, -18, 1],
        [-4, 56, 81, 88, 92, 78, 184, 187, 53, 42, 37, 32],
        [240, 66, 76, 81, 91, 77, 169, 173, 100, 52, -19, -2],
        [158, 81, 65, 81, 97, 78, 175, 176, 110, 60, -31, -1],
        [423, 50, 56, 97, 100, 76, 133, 121, 118, 25, -87, -5],
        [749, 15, 25, 107, 94, 69, 151, 130, 115, 56, -106, 2],
    ],
    np.int64,
)
"""A row for each number of players from 3 to 7, then the same where Napoleon must play alone."""
_BOLD: Final = 100
_BOLD_ALONE: Final = 250
CHANGE_COST: Final = 120
"""By how many hundredths of a court card another trump suit must be better: it raises the contract by one."""


def house_vector(house: HouseRules) -> Vector:
    """Return the house rules as kernels read them: the terms, then what the set-up needs."""
    vector = np.zeros(HOUSE, np.int64)
    vector[:TERMS] = house.terms.vector
    vector[TERMS:] = (
        house.kitty,
        house.lowest_bid,
        house.bid_step,
        house.highest_bid,
        house.turn,
        house.pass_is_final,
        house.court_penalty,
        house.forced_solo,
        house.secretaries == 2,
    )
    return vector


@njit
def hand_features(features: Vector, hand: int, trump: int) -> None:
    """Write what the worth of a hand with a trump suit is made of."""
    trumps = hand >> (13 * trump) & WHOLE_SUIT
    length = count_cards(trumps)
    features[0] = 1
    features[1] = length
    features[2] = trumps >> 12 & 1
    features[3] = trumps >> 11 & 1
    features[4] = trumps >> 10 & 1
    features[5] = trumps >> 9 & 1
    features[6] = hand >> BIG_JOKER & 1
    features[7] = hand >> SMALL_JOKER & 1
    for place in range(8, FEATURES):
        features[place] = 0
    for suit in range(4):
        if suit != trump:
            cards = hand >> (13 * suit) & WHOLE_SUIT
            features[8] += cards >> 12 & 1
            features[9] += 1 if cards >> 11 == 3 else 0
            features[10] += count_cards(cards >> 9)
            features[11] += max(0, 2 - count_cards(cards))


@njit
def hand_worth(house: Vector, features: Vector, hand: int, trump: int) -> int:
    """Return the court cards, in hundredths, that Napoleon's side may hope for, before he sees the kitty."""
    hand_features(features, hand, trump)
    row = house[SEATS] - _LEAST_PLAYERS + (5 if house[FORCED_SOLO] else 0)
    worth = 0
    for place in range(FEATURES):
        worth += features[place] * WEIGHTS[row, place]
    return int(worth)


@njit
def best_trump(house: Vector, features: Vector, hand: int) -> int:
    """Return the suit with which a hand is worth most."""
    chosen = 0
    most = -1 << 30
    for suit in range(4):
        worth = hand_worth(house, features, hand, suit)
        if worth > most:
            most = worth
            chosen = suit
    return chosen


@njit
def worth_bidding(house: Vector, features: Vector, hand: int, trump: int) -> int:
    """Return up to what a hand is worth bidding with a trump suit, in hundredths of a court card.

    That is above its worth: a contract that fails costs less than one that is made earns, much less so alone.
    """
    return hand_worth(house, features, hand, trump) + (_BOLD_ALONE if house[FORCED_SOLO] else _BOLD)


@njit
def bid_limit(house: Vector, features: Vector, hand: int) -> int:
    """Return the highest number that a hand is worth bidding."""
    return int(worth_bidding(house, features, hand, best_trump(house, features, hand)) // 100)


@njit
def choose_put_back(hand: int, trump: int, number: int) -> int:
    """Return the cards to put back: low plain cards, out of short suits first; then trumps, courts, jokers."""
    trumps = WHOLE_SUIT << (13 * trump)
    put_back = 0
    for _ in range(number):
        rest = hand & ~put_back
        plain = rest & ~trumps & ~JOKERS & ~COURT_CARDS
        if plain == 0:
            low = rest & trumps & ~COURT_CARDS
            courts = rest & ~trumps & ~JOKERS
            if low:
                put_back |= 1 << lowest_card(low)
            elif courts:
                put_back |= 1 << lowest_rank(courts)
            else:
                put_back |= 1 << lowest_card(rest)
            continue
        chosen = -1
        least = 1 << 30
        while plain:
            card = lowest_card(plain)
            plain &= plain - 1
            suit = WHOLE_SUIT << (13 * (card // 13))
            cost = card % 13 + 4 * count_cards(rest & suit) + 4 * count_cards(hand & suit & COURT_CARDS)
            if cost < least:
                least = cost
                chosen = card
        put_back |= 1 << chosen
    return put_back


@njit
def choose_secretary(house: Vector, hand: int, trump: int, excluded: int) -> int:
    """Return the card to call: the highest trump that Napoleon lacks, else an ace that he lacks, and so on down.

    Forced to play alone he calls the card that gains most by it: his lowest. `excluded` are the cards that
    he put back and the first of two secretary cards.
    """
    if house[FORCED_SOLO]:
        own = hand & ~JOKERS & ~excluded
        low = own & ~(WHOLE_SUIT << (13 * trump)) & ~COURT_CARDS
        return lowest_rank(low or own)
    others = ((1 << 52) - 1) & ~hand & ~excluded
    trumps = others & WHOLE_SUIT << (13 * trump)
    if trumps:
        top = highest_card(trumps)
        if top % 13 >= 8:
            return top
    for rank in range(12, -1, -1):
        for suit in range(4):
            if others >> (13 * suit + rank) & 1:
                return 13 * suit + rank
    return lowest_card(others)


@njit
def choose_change(house: Vector, features: Vector, hand: int, trump: int) -> int:
    """Return the suit to change trumps to, having seen the kitty; -1: none is better by more than it costs."""
    other = best_trump(house, features, hand)
    gain = hand_worth(house, features, hand, other) - hand_worth(house, features, hand, trump)
    return other if gain > CHANGE_COST else -1


@njit
def finish_deal(
    house: Vector, hands: Vector, napoleon: int, bid: int, trump: int, put_back: int, first: int, second: int,
    noise: int, rules: Vector, above: Vector, state: Vector, points: Vector, scores: Vector, features: Vector,
    stream: Vector,
) -> int:  # fmt: skip
    """Play a world on from the end of the auction, or from later on, to the scores; return what was captured.

    `hands[seats]` is the kitty, empty once Napoleon took it. What is not settled yet is settled by the rules
    of thumb: `trump`, `first` and `second` secretary (-1), `put_back` (-1; else these cards may still be in
    Napoleon's hand). `bid` counts a change of trumps. Court cards that are put back raise the contract here.
    A hopeless contract returns -1. All vectors from `rules` on are written.
    """
    seats = house[SEATS]
    if trump < 0:
        trump = best_trump(house, features, hands[napoleon])
    hand = hands[napoleon] | hands[seats]
    if put_back < 0:
        put_back = choose_put_back(hand, trump, house[KITTY])
    hand &= ~put_back
    hands[napoleon] = hand
    shown = put_back & house[COUNTING] if house[COURT_PENALTY] else 0
    contract = bid + count_cards(shown)
    hands[seats] = put_back & ~shown
    if contract > kernel.most_points(house):
        write_hopeless_scores(scores, house, napoleon, contract)
        return -1
    if first < 0:
        first = choose_secretary(house, hand, trump, put_back)
    if house[TWO_SECRETARIES] and second < 0:
        second = choose_secretary(house, hand, trump, put_back | 1 << first)
    kernel.write_rules(rules, house, trump, first, second)
    write_above(above, rules)
    begin_play(state, napoleon, contract, kernel.first_leader(house, napoleon), shown)
    holder, second_holder = holder_of(hands, seats, first), holder_of(hands, seats, second)
    for seat in range(seats):
        points[seat] = 0
    play_on(rules, above, state, hands, points, noise, stream)
    captured = captured_points(points, seats, napoleon, holder, second_holder)
    lost = lost_points(points, seats, captured)
    write_scores(scores, rules, napoleon, holder, second_holder, contract, captured, lost)
    return captured


@njit
def finish_auction(house: Vector, limits: Vector, auction: Vector, seat: int) -> None:
    """Let the seats bid on by their limits until the auction is settled; `seat` called last."""
    seats = house[SEATS]
    while not is_settled(auction, seats, house[HIGHEST_BID]):
        seat = caller_after(auction, seats, house[TURN], seat)
        bid = lowest_bid(auction, house[MIN_BID], house[BID_STEP])
        note_call(auction, seat, bid if limits[seat] >= bid else A_PASS, house[PASS_IS_FINAL])


def warm_up() -> None:
    """Compile what Python calls."""
    house = np.zeros(HOUSE, np.int64)
    house[SEATS] = 5
    features = np.zeros(FEATURES, np.int64)
    bid_limit(house, features, 1)
    best_trump(house, features, 1)
    choose_change(house, features, 1, 0)
    choose_put_back(0b111, 0, 2)
    choose_secretary(house, 1, 0, 2)

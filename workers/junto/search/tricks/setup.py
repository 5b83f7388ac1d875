"""Rules of thumb before the play where a partner's card is called: bidding, trumps, the kitty, the call.

One implementation for the `greedy` strategy and for the worlds of a search, in which the rest of the set-up
follows these rules. What a hand is worth with a trump suit is estimated in hundredths of a bidding step (a court
card; five points): the weights were fitted to playouts of random deals by the rules of thumb.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.napoleon.bidding import A_PASS, caller_after, is_settled, lowest_bid, new_auction, note_call
from junto.games.napoleon.house import HouseRules
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, highest_card, lowest_card
from junto.games.tricks.kernel import (
    ALMIGHTY,
    BIG_JOKER,
    COUNTING,
    JACK,
    JACKS,
    JOKERS,
    JOKERS_IN_PACK,
    SEATS,
    SMALL_JOKER,
    SMOTHERED_TRICKS,
    SPADE_ACE,
    TERMS,
    TRICKS,
    WHOLE_SUIT,
    same_colour,
    strong_suit_cards,
)
from junto.games.tricks.scoring import BY_POINTS, BY_STAKES, write_hopeless_scores
from junto.search.tricks.playouts import holder_of, play_on, score_world
from junto.search.tricks.policy import lowest_rank
from junto.search.tricks.state import begin_play, write_above

Vector = npt.NDArray[np.int64]

(
    KITTY, MIN_BID, BID_STEP, HIGHEST_BID, TURN, PASS_IS_FINAL, COURT_PENALTY, FORCED_SOLO, TWO_SECRETARIES,
    CALL_FIRST, JOKERS_CALLED, BIDS_SUITS, TRUMP_CHANGE, PER_STEP, ROW, HOUSE,
) = range(TERMS, TERMS + 16)  # fmt: skip
"""Places of the house vector behind the terms: what kernels need of `HouseRules`.

`PER_STEP` is what a bid's height rises by a step; `ROW` is the game's in `WEIGHTS`.
"""
FEATURES: Final = 14
_LEAST_PLAYERS: Final = 3
_FOUR, _JAPANESE, _HUNDRED = 10, 11, 13
_SUITS: Final = 4
WEIGHTS: Final = np.array(
    [
        [-4, 56, 81, 88, 92, 78, 184, 187, 53, 42, 37, 32, 0, 0],
        [910, 35, 52, 56, 54, 40, 75, 74, 47, 33, -3, 1, 0, 0],
        [666, 56, 49, 81, 78, 56, 103, 95, 60, 40, -3, 3, 0, 0],
        [766, 44, 44, 86, 81, 54, 65, 54, 64, -19, -28, 2, 0, 0],
        [1106, 30, 33, 63, 69, 57, 40, 29, 32, -10, -18, 1, 0, 0],
        [-4, 56, 81, 88, 92, 78, 184, 187, 53, 42, 37, 32, 0, 0],
        [240, 66, 76, 81, 91, 77, 169, 173, 100, 52, -19, -2, 0, 0],
        [158, 81, 65, 81, 97, 78, 175, 176, 110, 60, -31, -1, 0, 0],
        [423, 50, 56, 97, 100, 76, 133, 121, 118, 25, -87, -5, 0, 0],
        [749, 15, 25, 107, 94, 69, 151, 130, 115, 56, -106, 2, 0, 0],
        [905, 43, 61, 64, 54, 35, 51, 0, 57, 44, -2, -4, 0, 0],
        [878, 65, 17, 43, 43, 92, 13, 0, 24, 70, -8, 3, 85, 98],
        [605, 91, 22, 68, 58, 156, 21, 0, 60, 29, -6, 5, 93, 138],
        [1004, 66, 21, 44, 11, 11, 89, 105, 10, 74, 14, 0, 0, 0],
    ],
    np.int64,
)
"""Rows: Taiwanese Napoleon for 3 to 7 players, the same where Napoleon must play alone, Napoleon for four, Japanese
Napoleon for four and five, Hundred."""
BOLDNESS: Final = np.array([250, 100, 100, 100, 100, 250, 250, 250, 250, 250, 100, 100, 100, -100], np.int64)
"""Up to how much above its worth a hand is bid, by row: that depends on what a contract that fails costs."""
CHANGE_COST: Final = 120
"""By how many hundredths of a step another trump suit must be better: it raises the contract by one."""


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
        house.call_first,
        house.joker_secretary,
        house.bids_name_suits,
        house.trump_change,
        _SUITS if house.bids_name_suits else house.bid_step,
        _row(house),
    )
    return vector


def _row(house: HouseRules) -> int:
    terms = house.terms
    if terms.scoring == BY_POINTS:
        return _HUNDRED
    if terms.scoring == BY_STAKES:
        return _JAPANESE + (terms.seats - 4)
    if terms.jokers != JOKERS:
        return _FOUR
    return terms.seats - _LEAST_PLAYERS + (5 if house.forced_solo else 0)


@njit
def hand_features(house: Vector, features: Vector, hand: int, trump: int) -> None:
    """Write what the worth of a hand with a trump suit is made of."""
    trumps = hand >> (13 * trump) & WHOLE_SUIT
    features[0] = 1
    features[1] = count_cards(trumps)
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
    features[12] = hand >> SPADE_ACE & 1 if house[ALMIGHTY] else 0
    features[13] = hand >> (13 * same_colour(trump) + JACK) & 1 if house[JACKS] else 0


@njit
def hand_worth(house: Vector, features: Vector, hand: int, trump: int) -> int:
    """Return the steps, in hundredths, that the declarer's side may hope for, before he sees the kitty."""
    hand_features(house, features, hand, trump)
    row = house[ROW]
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
    """Return up to what a hand is worth bidding with a trump suit, in hundredths of a step."""
    return int(hand_worth(house, features, hand, trump) + BOLDNESS[house[ROW]])


@njit
def bid_limit(house: Vector, features: Vector, hand: int) -> int:
    """Return the height of the highest bid that a hand is worth; where suits are bid, in its best suit."""
    trump = best_trump(house, features, hand)
    steps = worth_bidding(house, features, hand, trump) // 100
    height = max(0, steps * house[PER_STEP])
    return int(height + _SUITS - 1 - trump if house[BIDS_SUITS] else height)


@njit
def next_bid(house: Vector, auction: Vector, limit: int) -> int:
    """Return the height of the lowest legal bid, where suits are bid in the suit of `limit`; 0 if that is higher."""
    height = lowest_bid(auction, house[MIN_BID], house[BID_STEP])
    if house[BIDS_SUITS]:
        suit = limit % _SUITS
        height = (height // _SUITS + (1 if suit < height % _SUITS else 0)) * _SUITS + suit
    return int(height) if height <= limit else A_PASS


@inlined
def bid_amount(house: Vector, height: int) -> int:
    """Return the number that is bid."""
    return int(height // _SUITS if house[BIDS_SUITS] else height)


@inlined
def bid_trump(house: Vector, height: int) -> int:
    """Return the suit that is bid; -1: none is named."""
    return int(_SUITS - 1 - height % _SUITS if house[BIDS_SUITS] else -1)


@njit
def choose_put_back(house: Vector, hand: int, trump: int, number: int) -> int:
    """Return the cards to put back: low plain ones, out of short suits first; then trumps, cards that count, jokers."""
    counting = house[COUNTING]
    trumps = WHOLE_SUIT << (13 * trump)
    kept = JOKERS | strong_suit_cards(house, trump)
    put_back = 0
    for _ in range(number):
        rest = hand & ~put_back
        plain = rest & ~trumps & ~kept & ~counting
        if plain == 0:
            low = rest & trumps & ~kept & ~counting
            counts = rest & ~trumps & ~kept
            if low:
                put_back |= 1 << lowest_card(low)
            elif counts:
                put_back |= 1 << lowest_rank(counts)
            else:
                put_back |= 1 << lowest_card(rest)
            continue
        chosen = -1
        least = 1 << 30
        while plain:
            card = lowest_card(plain)
            plain &= plain - 1
            suit = WHOLE_SUIT << (13 * (card // 13))
            cost = card % 13 + 4 * count_cards(rest & suit) + 4 * count_cards(hand & suit & counting)
            if cost < least:
                least = cost
                chosen = card
        put_back |= 1 << chosen
    return put_back


@njit
def choose_call(house: Vector, hand: int, trump: int, excluded: int) -> int:
    """Return the card to call, of those that the declarer lacks.

    The strongest card whose power does not come from its suit; else the highest trump, else an ace, and so on down.
    Forced to play alone he calls the card that gains most by it: his lowest. `excluded` are the cards that
    he put back and the first of two called cards.
    """
    if house[FORCED_SOLO]:
        own = hand & ~JOKERS & ~excluded
        low = own & ~(WHOLE_SUIT << (13 * trump)) & ~house[COUNTING]
        return lowest_rank(low or own)
    others = ((1 << 52) - 1) & ~hand & ~excluded
    if house[ALMIGHTY] and others >> SPADE_ACE & 1:
        return SPADE_ACE
    if house[JACKS]:
        for suit in (trump, same_colour(trump)):
            if others >> (13 * suit + JACK) & 1:
                return 13 * suit + JACK
    if house[JOKERS_CALLED] and house[SMOTHERED_TRICKS] < house[TRICKS]:
        jokers = house[JOKERS_IN_PACK] & ~hand & ~excluded
        if jokers:
            return highest_card(jokers)
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
    house: Vector, hands: Vector, declarer: int, bid: int, trump: int, put_back: int, first: int, second: int,
    may_change: int, noise: int,
    rules: Vector, above: Vector, state: Vector, points: Vector, scores: Vector, features: Vector,
    stream: Vector,
) -> int:  # fmt: skip
    """Play a world on from the end of the auction, or from later on, to the scores; return what was captured.

    `hands[seats]` is the kitty, empty once it was taken. What is not settled yet is settled by the rules
    of thumb: `trump`, the `first` and `second` called card (-1), `put_back` (-1; else these cards may still be in
    the declarer's hand). `bid` is a number, and counts a change of trumps; `may_change`: he may still change them.
    Cards that are put back and raise the contract do so here. A hopeless contract returns -1. All vectors from
    `rules` on are written.
    """
    seats = house[SEATS]
    if trump < 0:
        trump = best_trump(house, features, hands[declarer])
    if house[CALL_FIRST] and first < 0:
        first = choose_call(house, hands[declarer], trump, 0)
    hand = hands[declarer] | hands[seats]
    if may_change and house[TRUMP_CHANGE] and bid < house[HIGHEST_BID]:
        change = choose_change(house, features, hand, trump)
        if change >= 0:
            trump = change
            bid += 1
    if put_back < 0:
        put_back = choose_put_back(house, hand, trump, house[KITTY])
    hand &= ~put_back
    hands[declarer] = hand
    shown = put_back & house[COUNTING] if house[COURT_PENALTY] else 0
    contract = bid + count_cards(shown)
    hands[seats] = put_back & ~shown
    if contract > kernel.most_points(house):
        write_hopeless_scores(scores, house, declarer, contract)
        return -1
    if first < 0:
        first = choose_call(house, hand, trump, put_back)
    if house[TWO_SECRETARIES] and second < 0:
        second = choose_call(house, hand, trump, put_back | 1 << first)
    kernel.write_rules(rules, house, trump, first, second)
    write_above(above, rules)
    begin_play(state, declarer, -1, -1, contract, kernel.first_leader(house, declarer), shown)
    holder, second_holder = holder_of(hands, seats, first), holder_of(hands, seats, second)
    for seat in range(seats):
        points[seat] = 0
    play_on(rules, above, state, hands, points, rules[TRICKS], noise, stream)
    return int(score_world(scores, rules, state, points, hands[seats], holder, second_holder))


@njit
def finish_auction(house: Vector, limits: Vector, auction: Vector, seat: int) -> None:
    """Let the seats bid on by their limits until the auction is settled; `seat` called last."""
    seats = house[SEATS]
    while not is_settled(auction, seats, house[HIGHEST_BID]):
        seat = caller_after(auction, seats, house[TURN], seat)
        note_call(auction, seat, next_bid(house, auction, limits[seat]), house[PASS_IS_FINAL])


def warm_up() -> None:
    """Compile what Python calls."""
    house = np.zeros(HOUSE, np.int64)
    house[SEATS] = 5
    features = np.zeros(FEATURES, np.int64)
    next_bid(house, new_auction(), bid_limit(house, features, 1))
    best_trump(house, features, 1)
    choose_change(house, features, 1, 0)
    choose_put_back(house, 0b111, 0, 2)
    choose_call(house, 1, 0, 2)

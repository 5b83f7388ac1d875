"""Rules of thumb for every decision of a Napoleon deal: the `greedy` strategy, and the seats inside a playout.

One implementation for both. A seat uses only what it may know: its own hand, what lies open, and a role
only if it knows it: the holder of an unplayed secretary card knows that he is the secretary, Napoleon
whether he is alone, all others who the secretary is once that card is played.

Card play. Following: give court cards to a friend whose card holds; take a foe's trick that is worth it with
the cheapest card that does; else throw the least useful card. Leading: cards that nothing unseen in their suit
beats, jokers while they are strong, else low cards; Napoleon calls his secretary when he has no such lead.
"""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, highest_card, lowest_card
from junto.games.tricks.kernel import (
    BIG_JOKER,
    COURT_CARDS,
    JOKERS,
    NAMING,
    SEATS,
    SECRETARIES,
    SECRETARY_CALL,
    SMOTHERED_TRICKS,
    TRICKS,
    TRUMP,
    WHOLE_SUIT,
)
from junto.search.napoleon_state import (
    ABOVE,
    BEST_POWER,
    BEST_SEAT,
    COUNT,
    GONE,
    LED,
    NAPOLEON,
    ON_TABLE,
    REVEALED,
    STATE,
    STRENGTHS,
    TRICK,
    legal_now,
    row_of,
)

Vector = npt.NDArray[np.int64]
_PACK: Final = (1 << 54) - 1
_TWOS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


@njit
def lowest_rank(cards: int) -> int:
    """Return a card of the lowest rank of a set of suited cards that is not empty."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & WHOLE_SUIT
    return lowest_card(cards & (_TWOS << lowest_card(ranks)))


@njit
def with_napoleon(rules: Vector, state: Vector, seat: int, hand: int) -> bool:
    """Tell whether a seat is on Napoleon's side, as it knows itself."""
    return bool(state[REVEALED] >> seat & 1 or hand & rules[SECRETARIES])


@njit
def is_friend(rules: Vector, state: Vector, seat: int, hand: int, other: int) -> bool:
    """Tell whether a seat takes another one for its friend.

    Napoleon and his secretary trust nobody who is not revealed. An ally takes everybody else for an ally:
    most of them are.
    """
    revealed = bool(state[REVEALED] >> other & 1)
    return revealed == with_napoleon(rules, state, seat, hand)


@njit
def cheapest_card(rules: Vector, trick: int, cards: int) -> int:
    """Return the least useful card of a set: low plain cards, low trumps, plain court cards, the rest.

    A joker that has lost its power is the first to go; one that will lose it soon goes before court cards.
    """
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    special = JOKERS | rules[SECRETARIES]
    last_strong = rules[TRICKS] - rules[SMOTHERED_TRICKS]
    if trick >= last_strong and cards & JOKERS & ~rules[SECRETARIES]:
        return lowest_card(cards & JOKERS & ~rules[SECRETARIES])
    plain = cards & ~special & ~trumps & ~COURT_CARDS
    if plain:
        return lowest_rank(plain)
    low_trumps = cards & trumps & ~special & ~COURT_CARDS
    if low_trumps:
        return lowest_card(low_trumps)
    courts = cards & ~special & ~trumps
    if courts:
        return lowest_rank(courts)
    high_trumps = cards & trumps & ~special
    if high_trumps:
        return lowest_card(high_trumps)
    jokers = cards & JOKERS
    return lowest_card(jokers or cards)


@njit
def cheapest_winner(rules: Vector, cards: int) -> int:
    """Return the card to win with, of a set of cards that would: plain ones first, and court cards among them."""
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    special = JOKERS | rules[SECRETARIES]
    plain = cards & ~special & ~trumps
    if plain:
        courts = plain & COURT_CARDS
        return lowest_rank(courts or plain)
    low = cards & trumps & ~special
    if low:
        return lowest_card(low)
    jokers = cards & JOKERS & ~rules[SECRETARIES]
    return lowest_card(jokers or cards)


@njit
def gift(rules: Vector, unseen: int, cards: int) -> int:
    """Return a court card to give to a friend, or -1: the lowest that is not the best of its suit."""
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    courts = cards & COURT_CARDS & ~trumps & ~rules[SECRETARIES]
    while courts:
        card = lowest_rank(courts)
        suit = WHOLE_SUIT << (13 * (card // 13))
        if unseen & suit & ~((2 << card) - 1):
            return card
        courts &= ~(1 << card)
    return -1


@njit
def choose_follow(rules: Vector, above: Vector, state: Vector, seat: int, hand: int, hidden: int) -> int:
    """Return the card to follow with. `hidden`: the cards put back, as far as this seat knows them."""
    legal = legal_now(rules, state, hand)
    if legal & (legal - 1) == 0:
        return lowest_card(legal)
    trick = state[TRICK]
    row = row_of(rules, trick, state[LED])
    best = state[BEST_POWER]
    after = rules[SEATS] - 1 - state[COUNT]
    unseen = _PACK & ~state[GONE] & ~hand & ~hidden
    friend = is_friend(rules, state, seat, hand, state[BEST_SEAT])
    danger = unseen & above[row * STRENGTHS + best]
    if friend and (after == 0 or danger == 0):
        card = gift(rules, unseen, legal)
        return card if card >= 0 else cheapest_card(rules, trick, legal)
    winners = legal & above[row * STRENGTHS + best]
    worth = count_cards(state[ON_TABLE] & COURT_CARDS)
    special = JOKERS | rules[SECRETARIES]
    if after == 0:
        usual = winners & ~special
        if usual and (worth > 0 or usual & COURT_CARDS):
            return cheapest_winner(rules, usual)
        if winners and worth >= 2:
            return cheapest_winner(rules, winners)
        return cheapest_card(rules, trick, legal)
    # Others still play: a card holds if nothing unseen of the led suit beats it (it may still be ruffed).
    led = WHOLE_SUIT << (13 * state[LED])
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    holding = 0
    scan = winners & ~special
    while scan:
        card = lowest_card(scan)
        scan &= scan - 1
        stronger = unseen & above[row * STRENGTHS + kernel.power(rules, trick, state[LED], card, False)]
        if stronger & (led if card // 13 == state[LED] else trumps) == 0:
            holding |= 1 << card
    if holding & led:
        return cheapest_winner(rules, holding & led)
    if friend:
        return cheapest_card(rules, trick, legal)
    ruffs = winners & trumps & ~special
    if ruffs and state[LED] != rules[TRUMP] and worth > 0:
        return cheapest_winner(rules, holding or ruffs)
    if winners & special and worth >= 2:
        return cheapest_winner(rules, winners & special)
    return cheapest_card(rules, trick, legal)


@njit
def suit_to_name(rules: Vector, unseen: int, hand: int) -> int:
    """Return the suit to name with a strong lead: the one of which most court cards are unseen, not trumps on ties."""
    chosen = 0
    most = -1
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        value = 4 * count_cards(unseen & cards & COURT_CARDS) - 2 * count_cards(hand & cards)
        value += 0 if suit == rules[TRUMP] else 1
        if value > most:
            most = value
            chosen = suit
    return chosen


@njit
def choose_lead(rules: Vector, state: Vector, seat: int, hand: int, hidden: int) -> tuple[int, int, int]:
    """Return the card to lead, the suit that it names (-1: none) and the cards that it calls."""
    trick = state[TRICK]
    unseen = _PACK & ~state[GONE] & ~hand & ~hidden
    trump = rules[TRUMP]
    trumps = WHOLE_SUIT << (13 * trump)
    special = JOKERS | rules[SECRETARIES]
    napoleon = seat == state[NAPOLEON]
    ordinary = hand & ~special
    # Draw trumps from the top.
    own_trumps = ordinary & trumps
    if with_napoleon(rules, state, seat, hand) and own_trumps and unseen & trumps:
        top = highest_card(own_trumps)
        if unseen & trumps & ~((2 << top) - 1) == 0:
            return top, -1, 0
    # The best card of a plain suit, of the suit with most unseen cards.
    chosen = -1
    most = -1
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        own = ordinary & cards
        if suit != trump and own:
            top = highest_card(own)
            out = count_cards(unseen & cards)
            if unseen & cards & ~((2 << top) - 1) == 0 and out > most and out > 0:
                most = out
                chosen = top
    if chosen >= 0:
        return chosen, -1, 0
    # Jokers before they lose their power.
    jokers = hand & JOKERS & ~rules[SECRETARIES]
    strong_left = rules[TRICKS] - rules[SMOTHERED_TRICKS] - trick
    if jokers and strong_left > 0 and (strong_left <= 3 or jokers >> BIG_JOKER & 1):
        card = highest_card(jokers)
        return card, suit_to_name(rules, unseen, hand), 0
    called = 0
    if napoleon and rules[SECRETARY_CALL]:
        called = rules[SECRETARIES] & ~state[GONE] & ~hand
        if called:
            called = 1 << highest_card(called)
    secretary = hand & rules[SECRETARIES]
    if secretary and (strong_left <= 3 or not napoleon):
        card = lowest_card(secretary)
        naming = -1
        if rules[NAMING] >> card & 1:
            naming = suit_to_name(rules, unseen, hand)
        return card, naming, 0
    low = ordinary & ~trumps & ~COURT_CARDS
    if called == 0 and not low:
        low = ordinary & trumps & ~COURT_CARDS
    if low:
        return lowest_rank(low), -1, called
    card = cheapest_card(rules, trick, hand)
    naming = -1
    if rules[NAMING] >> card & 1:
        naming = suit_to_name(rules, unseen, hand)
    if rules[SECRETARIES] >> card & 1:
        called = 0
    return card, naming, called


def warm_up() -> None:
    """Compile what Python calls."""
    rules, state = np.zeros(kernel.RULES, np.int64), np.zeros(STATE, np.int64)
    rules[SEATS], rules[TRICKS] = 5, 10
    choose_lead(rules, state, 0, 1, 0)
    choose_follow(rules, np.zeros(ABOVE, np.int64), state, 0, 1, 0)

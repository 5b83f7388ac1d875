"""Rules of thumb for every decision of a Napoleon deal: the `greedy` strategy, and the seats inside a playout.

One implementation for both. A seat uses only what it may know: its own hand, what lies open, and a role
only if it knows it: the holder of an unplayed secretary card knows that he is the secretary, Napoleon
whether he is alone, all others who the secretary is once that card is played.

Card play. Following: give court cards to a friend whose card holds; take a foe's trick that is worth it with
the cheapest card that does; else throw the least useful card. Leading: cards that nothing unseen in their suit
beats, trumps if one is Napoleon, jokers before they lose their power, else low cards.
"""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, highest_card, lowest_card
from junto.games.tricks.kernel import (
    BIG_JOKER,
    COURT_CARDS,
    JOKERS,
    JOKERS_IN_PACK,
    NAMING,
    SEATS,
    SECRETARIES,
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
_SMALL_DANGER: Final = 4
"""So few unseen cards that beat a friend's are taken for none when one seat is still to play."""
_LONG_TRUMPS: Final = 3
"""With so many trumps Napoleon draws trumps from the bottom, too."""
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
def gift(rules: Vector, cards: int) -> int:
    """Return a plain court card to give to a friend, the lowest of a set, or -1 if there is none."""
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    courts = cards & COURT_CARDS & ~trumps & ~rules[SECRETARIES]
    return lowest_rank(courts) if courts else -1


@inlined
def _unseen(rules: Vector, state: Vector, hand: int, hidden: int) -> int:
    """Return the cards of which a seat does not know where they are."""
    return int((((1 << 52) - 1) | rules[JOKERS_IN_PACK]) & ~state[GONE] & ~hand & ~hidden)


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
    unseen = _unseen(rules, state, hand, hidden)
    friend = is_friend(rules, state, seat, hand, state[BEST_SEAT])
    danger = unseen & above[row * STRENGTHS + best]
    if friend and (after == 0 or danger == 0 or (after == 1 and count_cards(danger) <= _SMALL_DANGER)):
        card = gift(rules, legal)
        return card if card >= 0 else cheapest_card(rules, trick, legal)
    winners = legal & above[row * STRENGTHS + best]
    worth = count_cards(state[ON_TABLE] & COURT_CARDS)
    special = JOKERS | rules[SECRETARIES]
    if after == 0:
        usual = winners & ~special
        if usual and (worth > 0 or usual & COURT_CARDS):
            return cheapest_winner(rules, usual)
        if winners and worth >= 1:
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
    if winners & special and worth >= 1:
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
def _trump_to_draw(rules: Vector, ordinary: int, unseen: int) -> int:
    """Return the trump with which Napoleon draws trumps, -1: none. The top one, or the lowest of many."""
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    own = ordinary & trumps
    if own == 0 or unseen & trumps == 0:
        return -1
    top = highest_card(own)
    if unseen & trumps & ~((2 << top) - 1) == 0:
        return top
    return lowest_card(own) if count_cards(own) >= _LONG_TRUMPS else -1


@njit
def _best_of_a_suit(rules: Vector, ordinary: int, unseen: int) -> int:
    """Return a plain card that nothing unseen of its suit beats, of the suit with most cards unseen; -1: none."""
    chosen = -1
    most = 0
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        own = ordinary & cards
        if suit != rules[TRUMP] and own:
            top = highest_card(own)
            out = count_cards(unseen & cards)
            if unseen & cards & ~((2 << top) - 1) == 0 and out > most:
                most = out
                chosen = top
    return chosen


@njit
def choose_lead(rules: Vector, state: Vector, seat: int, hand: int, hidden: int) -> tuple[int, int]:
    """Return the card to lead and the suit that it names (-1: none). Nothing is called: that seldom pays."""
    trick = state[TRICK]
    unseen = _unseen(rules, state, hand, hidden)
    napoleon = seat == state[NAPOLEON]
    ordinary = hand & ~(JOKERS | rules[SECRETARIES])
    if napoleon:
        card = _trump_to_draw(rules, ordinary, unseen)
        if card >= 0:
            return card, -1
    card = _best_of_a_suit(rules, ordinary, unseen)
    if card >= 0:
        return card, -1
    jokers = hand & JOKERS & ~rules[SECRETARIES]
    strong_left = rules[TRICKS] - rules[SMOTHERED_TRICKS] - trick
    early = napoleon and (strong_left <= 3 or jokers >> BIG_JOKER & 1)
    if jokers and strong_left > 0 and (strong_left == 1 or early):
        return highest_card(jokers), suit_to_name(rules, unseen, hand)
    secretary = hand & rules[SECRETARIES]
    trumps = WHOLE_SUIT << (13 * rules[TRUMP])
    low = ordinary & ~COURT_CARDS
    if secretary and strong_left < 0:
        card = lowest_card(secretary)
    elif low:
        card = lowest_rank(low & ~trumps or low)
    else:
        card = cheapest_card(rules, trick, hand)
    return card, suit_to_name(rules, unseen, hand) if rules[NAMING] >> card & 1 else -1


def warm_up() -> None:
    """Compile what Python calls."""
    rules, state = np.zeros(kernel.RULES, np.int64), np.zeros(STATE, np.int64)
    rules[SEATS], rules[TRICKS] = 5, 10
    choose_lead(rules, state, 0, 1, 0)
    choose_follow(rules, np.zeros(ABOVE, np.int64), state, 0, 1, 0)

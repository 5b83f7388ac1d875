"""Rules of thumb for the play of every trick-taking game: the `greedy` strategy, and the seats inside a playout.

One implementation for both. A seat uses only what it may know: its own hand, what lies open, and a role
only if it knows it: the holder of an unplayed called card knows that he is the partner, the declarer
whether he is alone, all others who the partner is once that card is played.

Following: give cards that count to a friend whose card holds; take a foe's trick that is worth it with
the cheapest card that does; else throw the least useful card. Leading: cards that nothing unseen in their suit
beats, trumps if one is the declarer, jokers before they lose their power, else low cards; where tricks themselves
count, low from the longest suit.
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
    COUNTING,
    COUNTING_TWICE,
    JOKERS,
    JOKERS_IN_PACK,
    MIGHTY,
    NAMING,
    SEATS,
    SECRETARIES,
    SMOTHERED_TRICKS,
    SPECIAL,
    TRICK_POINTS,
    TRICKS,
    TRUMP,
    TRUMPS,
    TWOS,
    WHOLE_SUIT,
)
from junto.search.tricks.state import (
    ABOVE,
    BEST_POWER,
    BEST_SEAT,
    COUNT,
    DECLARER,
    DUMMY,
    GONE,
    LED,
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
"""With so many trumps the declarer draws trumps from the bottom, too."""


@njit
def lowest_rank(cards: int) -> int:
    """Return a card of the lowest rank of a set of suited cards that is not empty."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & WHOLE_SUIT
    return lowest_card(cards & (TWOS << lowest_card(ranks)))


@njit
def with_declarer(rules: Vector, state: Vector, seat: int, hand: int) -> bool:
    """Tell whether a seat is on the declarer's side, as it knows itself."""
    return bool(state[REVEALED] >> seat & 1 or hand & rules[SECRETARIES])


@njit
def is_friend(rules: Vector, state: Vector, seat: int, hand: int, other: int) -> bool:
    """Tell whether a seat takes another one for its friend.

    The declarer and his partner trust nobody who is not revealed. An opponent takes everybody else for a friend:
    most of them are.
    """
    revealed = bool(state[REVEALED] >> other & 1)
    return revealed == with_declarer(rules, state, seat, hand)


@njit
def cheapest_card(rules: Vector, trick: int, cards: int) -> int:
    """Return the least useful card of a set: low plain cards, low trumps, plain cards that count, the rest.

    A joker that has no power is the first to go; one that will lose it soon goes before cards that count.
    """
    trumps, special, counting = rules[TRUMPS], rules[SPECIAL], rules[COUNTING]
    jokers = cards & JOKERS & ~rules[MIGHTY]
    if jokers and not kernel.jokers_strong(rules, trick):
        return lowest_card(jokers)
    plain = cards & ~special & ~trumps & ~counting
    if plain:
        return lowest_rank(plain)
    low_trumps = cards & trumps & ~special & ~counting
    if low_trumps:
        return lowest_card(low_trumps)
    counts = cards & ~special & ~trumps
    if counts:
        return lowest_rank(counts)
    high_trumps = cards & trumps & ~special
    if high_trumps:
        return lowest_card(high_trumps)
    return lowest_card(cards & JOKERS or cards)


@njit
def cheapest_winner(rules: Vector, cards: int) -> int:
    """Return the card to win with, of a set of cards that would: plain ones first, and those that count among them."""
    plain = cards & ~rules[SPECIAL] & ~rules[TRUMPS]
    if plain:
        return lowest_rank(plain & rules[COUNTING] or plain)
    low = cards & rules[TRUMPS] & ~rules[SPECIAL]
    if low:
        return lowest_card(low)
    jokers = cards & JOKERS & ~rules[MIGHTY]
    return lowest_card(jokers or cards)


@njit
def gift(rules: Vector, cards: int) -> int:
    """Return a plain card that counts to give to a friend, of a set, or -1 if there is none."""
    dear = cards & rules[COUNTING_TWICE] & ~rules[TRUMPS] & ~rules[SPECIAL]
    plain = cards & rules[COUNTING] & ~rules[TRUMPS] & ~rules[SPECIAL]
    return lowest_rank(dear or plain) if plain else -1


@inlined
def _unseen(rules: Vector, state: Vector, hand: int, hidden: int) -> int:
    """Return the cards of which a seat does not know where they are."""
    return int((((1 << 52) - 1) | rules[JOKERS_IN_PACK]) & ~state[GONE] & ~hand & ~hidden)


@njit
def choose_follow(rules: Vector, above: Vector, state: Vector, seat: int, hand: int, hidden: int) -> int:
    """Return the card to follow with. `hidden`: cards elsewhere that this seat knows, put back or in dummy."""
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
    worth = kernel.trick_points(rules, state[ON_TABLE])
    special = JOKERS | rules[SPECIAL]
    if after == 0:
        usual = winners & ~special
        if usual and (worth > 0 or usual & rules[COUNTING]):
            return cheapest_winner(rules, usual)
        if winners and worth > 0:
            return cheapest_winner(rules, winners)
        return cheapest_card(rules, trick, legal)
    # Others still play: a card holds if nothing unseen of the led suit beats it (it may still be ruffed).
    led = WHOLE_SUIT << (13 * state[LED])
    holding = 0
    scan = winners & ~special
    while scan:
        card = lowest_card(scan)
        scan &= scan - 1
        stronger = unseen & above[row * STRENGTHS + kernel.power(rules, trick, state[LED], card, False)]
        if stronger & (led if card // 13 == state[LED] else rules[TRUMPS]) == 0:
            holding |= 1 << card
    if holding & led:
        return cheapest_winner(rules, holding & led)
    if friend:
        return cheapest_card(rules, trick, legal)
    ruffs = winners & rules[TRUMPS] & ~special
    if ruffs and state[LED] != rules[TRUMP] and worth > 0:
        return cheapest_winner(rules, holding or ruffs)
    if winners & special and worth > 0:
        return cheapest_winner(rules, winners & special)
    if after == 1 and rules[TRICK_POINTS] and winners & led:
        # The third hand plays high.
        return highest_card(winners & led)
    return cheapest_card(rules, trick, legal)


@njit
def suit_to_name(rules: Vector, unseen: int, hand: int) -> int:
    """Return the suit to name with a strong lead: most cards that count are unseen in it, not trumps on ties."""
    chosen = 0
    most = -1
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        value = 4 * count_cards(unseen & cards & rules[COUNTING]) - 2 * count_cards(hand & cards)
        value += 0 if suit == rules[TRUMP] else 1
        if value > most:
            most = value
            chosen = suit
    return chosen


@njit
def _trump_to_draw(rules: Vector, ordinary: int, unseen: int) -> int:
    """Return the trump with which the declarer draws trumps, -1: none. The top one, or the lowest of many."""
    own = ordinary & rules[TRUMPS]
    if own == 0 or unseen & rules[TRUMPS] == 0:
        return -1
    top = highest_card(own)
    if unseen & rules[TRUMPS] & ~((2 << top) - 1) == 0:
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
def _low_of_the_longest(ordinary: int) -> int:
    """Return the lowest card of the longest suit of a set that is not empty."""
    chosen = 0
    for suit in range(4):
        cards = ordinary & WHOLE_SUIT << (13 * suit)
        if count_cards(cards) > count_cards(chosen):
            chosen = cards
    return lowest_card(chosen)


@njit
def choose_lead(rules: Vector, state: Vector, seat: int, hand: int, hidden: int) -> tuple[int, int]:
    """Return the card to lead and the suit that it names (-1: none). Nothing is called: that seldom pays."""
    card = _card_to_lead(rules, state, seat, hand, hidden)
    if rules[NAMING] >> card & 1:
        return card, suit_to_name(rules, _unseen(rules, state, hand, hidden), hand)
    return card, -1


@njit
def _card_to_lead(rules: Vector, state: Vector, seat: int, hand: int, hidden: int) -> int:
    trick = state[TRICK]
    unseen = _unseen(rules, state, hand, hidden)
    declarer = seat == state[DECLARER] or seat == state[DUMMY]  # a set is slow here
    ordinary = hand & ~(JOKERS | rules[SPECIAL])
    if declarer:
        card = _trump_to_draw(rules, ordinary, unseen)
        if card >= 0:
            return card
    card = _best_of_a_suit(rules, ordinary, unseen)
    if card >= 0:
        return card
    jokers = hand & JOKERS & ~rules[MIGHTY]
    strong_left = rules[TRICKS] - rules[SMOTHERED_TRICKS] - trick
    early = declarer and (strong_left <= 3 or jokers >> BIG_JOKER & 1)
    if jokers and strong_left > 0 and (strong_left == 1 or early):
        return highest_card(jokers)
    if rules[TRICK_POINTS] and ordinary:
        return _low_of_the_longest(ordinary & ~rules[TRUMPS] or ordinary)
    mighty = hand & rules[SPECIAL] & ~JOKERS
    low = ordinary & ~rules[COUNTING]
    if mighty and strong_left < 0:
        return lowest_card(mighty)
    if low:
        return lowest_rank(low & ~rules[TRUMPS] or low)
    return cheapest_card(rules, trick, hand)


def warm_up() -> None:
    """Compile what Python calls."""
    rules, state = np.zeros(kernel.RULES, np.int64), np.zeros(STATE, np.int64)
    rules[SEATS], rules[TRICKS] = 5, 10
    choose_lead(rules, state, 0, 1, 0)
    choose_follow(rules, np.zeros(ABOVE, np.int64), state, 0, 1, 0)

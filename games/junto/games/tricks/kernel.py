"""The rules of play of the trick-taking games, compiled: one implementation for the server and the search.

Cards are numbers, hands and tricks sets of bits in an int64 (see `junto.games.cards`). What differs from
game to game stands in an int64 vector, read by the names below: the *terms* (first `TERMS` places, fixed
for a game with its options, see `junto.games.tricks.terms`) and the rest of the *rules*, fixed once trumps
and secretary cards are named (`write_rules`). A function that takes `rules` reads both, one that takes
`terms` can be given either.

Tricks count from 0. A flag is a `bool`, a missing card, seat or suit is -1. Sources: the games' rule pages.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks.bits import count_cards

Vector = npt.NDArray[np.int64]

SMALL_JOKER: Final = 52
BIG_JOKER: Final = 53
JOKERS: Final = 3 << 52
WHOLE_SUIT: Final = (1 << 13) - 1
"""The thirteen cards of spades; shifted by 13 per suit."""
COURT_CARDS: Final = 0b1111 << 9 | 0b1111 << 22 | 0b1111 << 35 | 0b1111 << 48
"""Ace, king, queen and jack of every suit."""
NO_CARD: Final = -1
NOBODY: Final = -1
LEADING: Final = -1
"""As the suit to follow: there is none yet."""

TERM_NAMES: Final = (
    "seats", "tricks", "jokers", "counting", "smothered_tricks", "joker_anytime", "joker_call_tricks",
    "secretary_follows", "secretary_names_suit", "secretary_call", "ally_made", "ally_over", "ally_down",
    "secretary_made", "secretary_over", "secretary_down", "solo_made", "solo_over", "solo_down", "hopeless_from",
    "napoleon_leads",
)  # fmt: skip
(
    SEATS, TRICKS, JOKERS_IN_PACK, COUNTING, SMOTHERED_TRICKS, JOKER_ANYTIME, JOKER_CALL_TRICKS,
    SECRETARY_FOLLOWS, SECRETARY_NAMES_SUIT, SECRETARY_CALL, ALLY_MADE, ALLY_OVER, ALLY_DOWN,
    SECRETARY_MADE, SECRETARY_OVER, SECRETARY_DOWN, SOLO_MADE, SOLO_OVER, SOLO_DOWN, HOPELESS_FROM,
    NAPOLEON_LEADS, TERMS,
) = range(22)  # fmt: skip
TRUMP: Final = 22
SECRETARY: Final = 23
SECOND_SECRETARY: Final = 24
SECRETARIES: Final = 25
"""The secretary cards as a set."""
NAMING: Final = 26
"""Set of the cards whose leader names the suit to follow."""
FREE: Final = 27
"""Set of the cards that may be played instead of following."""
FOLLOWING: Final = 28
"""Four sets: the cards that must follow a lead of each suit."""
POWERS: Final = 32
"""Two tables (jokers strong, smothered) of the power of each card (54) for each led suit (4)."""
RULES: Final = POWERS + 2 * 4 * 54
"""Length of a rules vector."""

LED_SMOTHERED: Final = 1
"""Power of a joker led while it is smothered: below the 2 of the suit it named. 0: cannot win."""
_LED_SUIT: Final = 2
_TRUMPS: Final = 16
_JOKER: Final = 30
_SECOND_SECRETARY: Final = 40
_SECRETARY: Final = 41


@njit
def write_rules(rules: Vector, terms: Vector, trump: int, secretary: int, second_secretary: int) -> None:
    """Write the rules vector of a deal; `trump` 4 is no trumps, a secretary card may be missing (-1)."""
    for place in range(TERMS):
        rules[place] = terms[place]
    secretaries = 0
    if secretary >= 0:
        secretaries |= 1 << secretary
    if second_secretary >= 0:
        secretaries |= 1 << second_secretary
    jokers = terms[JOKERS_IN_PACK]
    rules[TRUMP] = trump
    rules[SECRETARY] = secretary
    rules[SECOND_SECRETARY] = second_secretary
    rules[SECRETARIES] = secretaries
    rules[NAMING] = jokers | secretaries if terms[SECRETARY_NAMES_SUIT] else jokers
    rules[FREE] = secretaries | jokers if terms[JOKER_ANYTIME] else secretaries
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        rules[FOLLOWING + suit] = cards if terms[SECRETARY_FOLLOWS] else cards & ~secretaries
    _write_powers(rules, trump, secretary, second_secretary)


@njit
def _write_powers(rules: Vector, trump: int, secretary: int, second_secretary: int) -> None:
    for place in range(POWERS, RULES):
        rules[place] = 0
    for smothered in range(2):
        for led in range(4):
            row = POWERS + (smothered * 4 + led) * 54
            for rank in range(13):
                rules[row + led * 13 + rank] = _LED_SUIT + rank
            for rank in range(13 if trump < 4 else 0):
                rules[row + trump * 13 + rank] = _TRUMPS + rank
            if not smothered:
                rules[row + SMALL_JOKER] = _JOKER
                rules[row + BIG_JOKER] = _JOKER + 1
            if second_secretary >= 0:
                rules[row + second_secretary] = _SECOND_SECRETARY
            if secretary >= 0:
                rules[row + secretary] = _SECRETARY


@inlined
def jokers_strong(terms: Vector, trick: int) -> bool:
    """Tell whether jokers have their power in this trick."""
    return bool(trick < terms[TRICKS] - terms[SMOTHERED_TRICKS])


@inlined
def first_leader(terms: Vector, napoleon: int) -> int:
    """Return who leads to the first trick: Napoleon, or the seat after him."""
    return int(napoleon if terms[NAPOLEON_LEADS] else (napoleon + 1) % terms[SEATS])


@inlined
def names_suit(rules: Vector, card: int) -> bool:
    """Tell whether who leads this card names the suit to follow."""
    return bool((rules[NAMING] >> card) & 1)


@inlined
def led_suit(rules: Vector, card: int, naming: int) -> int:
    """Return the suit to follow after a lead: the one named, where the card names one, else the printed one."""
    return naming if names_suit(rules, card) else card // 13


@njit
def callable_cards(rules: Vector, trick: int, card: int, by_napoleon: bool, played: int) -> int:
    """Return the set of cards that may be called out with a lead of `card`.

    Napoleon calls a secretary card that has not been `played` (a set) and is not the card led; a lead may
    call at most one of two secretary cards. Whoever leads the trump three or two in the first tricks calls
    the big or the small joker.
    """
    called = 0
    if by_napoleon and rules[SECRETARY_CALL]:
        called = rules[SECRETARIES] & ~played & ~(1 << card)
    if trick < rules[JOKER_CALL_TRICKS] and card < SMALL_JOKER and card // 13 == rules[TRUMP]:
        if card % 13 == 1:
            called |= rules[JOKERS_IN_PACK] & (1 << BIG_JOKER)
        elif card % 13 == 0:
            called |= rules[JOKERS_IN_PACK] & (1 << SMALL_JOKER)
    return int(called)


@njit
def answers(rules: Vector, hand: int, called: int) -> int:
    """Return the cards of a hand that satisfy every call that hits it; 0 if none does.

    A called secretary card may be replaced by a joker, a called joker by the other joker or a secretary card.
    """
    hit = hand & called
    if hit == 0:
        return 0
    allowed = hand
    if hit & JOKERS:
        allowed &= JOKERS | rules[SECRETARIES]
    if hit & ~JOKERS:
        allowed &= JOKERS | (hit & ~JOKERS)
    return int(allowed)


@inlined
def legal_cards(rules: Vector, hand: int, led: int, called: int) -> int:
    """Return the cards of a hand that may be played.

    `led` is the suit to follow (`LEADING`: any card may be led), `called` the set of cards called with the
    lead. An answer to a call comes before following; jokers and secretary cards may be free of it.
    """
    if led == LEADING:
        return int(hand)
    if hand & called:
        return answers(rules, hand, called)
    own = hand & rules[FOLLOWING + led]
    if own == 0:
        return int(hand)
    return int(own | (hand & rules[FREE]))


@inlined
def power(rules: Vector, trick: int, led: int, card: int, leads: bool) -> int:
    """Return the power of a card in a trick in which `led` is followed; the highest wins, 0 never does.

    `leads`: the trick was led with it.
    """
    if jokers_strong(rules, trick):
        return int(rules[POWERS + led * 54 + card])
    value = rules[POWERS + (4 + led) * 54 + card]
    if value == 0 and leads:
        return LED_SMOTHERED
    return int(value)


@njit
def packed(cards: int, place: int, card: int) -> int:
    """Return a packed trick (six bits a card, in the order of play) with `card` at `place`, which was empty."""
    return int(cards | (card << (6 * place)))


@njit
def winning_place(rules: Vector, trick: int, led: int, cards: int, count: int) -> int:
    """Return which of the first `count` cards of a packed trick wins it: 0 for the lead, and so on."""
    best = 0
    best_power = -1
    for place in range(count):
        value = power(rules, trick, led, (cards >> (6 * place)) & 63, place == 0)
        if value > best_power:
            best = place
            best_power = value
    return best


@inlined
def count_points(terms: Vector, cards: int) -> int:
    """Return how many of a set of cards count."""
    return count_cards(cards & terms[COUNTING])


@inlined
def most_points(terms: Vector) -> int:
    """Return how many cards count: the highest bid, and the highest contract that is played."""
    return count_cards(terms[COUNTING])


@njit
def captured_points(terms: Vector, points: Vector, napoleon: int, holder: int, second_holder: int) -> int:
    """Return what Napoleon's side captured, of the `points` of each seat; the holders are as in `write_scores`."""
    total = 0
    for seat in range(terms[SEATS]):
        if seat == napoleon or seat == holder or seat == second_holder:  # noqa: PLR1714, SIM109  # a set is slow here
            total += points[seat]
    return int(total)


@njit
def write_scores(
    scores: Vector, terms: Vector, napoleon: int, holder: int, second_holder: int, contract: int, captured: int
) -> None:
    """Write every seat's score of a deal that was played out.

    `holder` and `second_holder` are the seats that held the secretary cards (-1: no such card was named);
    Napoleon's own seat, or none, makes him solo. The scores sum to zero.
    """
    over = captured - contract
    solo = (holder == napoleon or holder < 0) and (second_holder == napoleon or second_holder < 0)
    if over < 0:
        ally = -over * terms[SOLO_DOWN if solo else ALLY_DOWN]
        share = over * terms[SECRETARY_DOWN]
    elif solo:
        ally = -(terms[SOLO_MADE] + over * terms[SOLO_OVER])
        share = 0
    else:
        ally = -(terms[ALLY_MADE] + over * terms[ALLY_OVER])
        share = terms[SECRETARY_MADE] + over * terms[SECRETARY_OVER]
    balance = 0
    for seat in range(terms[SEATS]):
        cards = (1 if seat == holder else 0) + (1 if seat == second_holder else 0)
        scores[seat] = ally if cards == 0 else cards * share
        if seat != napoleon:
            balance += scores[seat]
    scores[napoleon] = -balance


@njit
def write_hopeless_scores(scores: Vector, terms: Vector, napoleon: int, contract: int) -> None:
    """Write every seat's score when the contract asks for more cards than count: Napoleon alone loses."""
    write_scores(scores, terms, napoleon, napoleon, NOBODY, contract, terms[HOPELESS_FROM])


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    terms = np.zeros(TERMS, np.int64)
    terms[SEATS], terms[TRICKS], terms[COUNTING] = 5, 10, COURT_CARDS
    rules = np.zeros(RULES, np.int64)
    scores = np.zeros(7, np.int64)
    write_rules(rules, terms, 0, 12, NO_CARD)
    jokers_strong(rules, 0)
    led_suit(rules, 5, 0)
    names_suit(rules, 5)
    callable_cards(rules, 0, 1, True, 0)  # noqa: FBT003
    answers(rules, 3, 2)
    legal_cards(rules, 3, 0, 0)
    power(rules, 0, 0, 5, True)  # noqa: FBT003
    winning_place(rules, 0, 0, packed(packed(0, 0, 5), 1, 6), 2)
    count_points(rules, COURT_CARDS)
    most_points(rules)
    first_leader(rules, 0)
    captured_points(rules, scores, 0, 1, NOBODY)
    write_scores(scores, rules, 0, 1, NOBODY, 12, 12)
    write_hopeless_scores(scores, rules, 0, 17)

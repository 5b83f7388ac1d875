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
TWOS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
SPADE_ACE: Final = 12
JACK: Final = 9
"""The rank of a jack."""
NO_CARD: Final = -1
NOBODY: Final = -1
LEADING: Final = -1
"""As the suit to follow: there is none yet."""

(
    SEATS, TRICKS, JOKERS_IN_PACK, COUNTING, COUNTING_TWICE, UNIT, TRICK_POINTS, SMOTHERED_TRICKS,
    JOKER_ANYTIME, JOKER_NAMES_SUIT, JOKER_IS_TRUMP, LED_JOKER, JOKER_CALL_TRICKS, FORCING_CARD,
    TWO_HIGH, ALMIGHTY, JACKS, SAME_TWO, SAME_TWO_FROM, SAME_TWO_PURE, YOROMEKI,
    SECRETARY_POWER, SECRETARY_FOLLOWS, SECRETARY_NAMES_SUIT, SECRETARY_CALL, DECLARER_LEADS, BURIED,
    SCORING, ALLY_MADE, ALLY_OVER, ALLY_DOWN, SECRETARY_MADE, SECRETARY_OVER, SECRETARY_DOWN,
    SOLO_MADE, SOLO_OVER, SOLO_DOWN, DECLARER_MADE, DECLARER_DOWN, DECLARER_SOLO_MADE,
    DECLARER_SOLO_DOWN, HOPELESS_FROM, SCORE_OPTIONS, TERMS,
) = range(44)  # fmt: skip
"""Places of the terms, and how many they are; `junto.games.tricks.terms.Terms` says what they mean."""
TRUMP: Final = 44
SECRETARY: Final = 45
SECOND_SECRETARY: Final = 46
SECRETARIES: Final = 47
"""The secretary cards as a set: the cards whose holders are the declarer's partners, by whatever name."""
MIGHTY: Final = 48
"""Those of them that have power and freedom as such."""
SPECIAL: Final = 49
"""Set of the cards whose power does not come from their suit: jokers, mighty cards, almighty, the two jacks."""
TRUMPS: Final = 50
"""The trump suit as a set; empty without trumps."""
NAMING: Final = 51
"""Set of the cards whose leader names the suit to follow."""
FREE: Final = 52
"""Set of the cards that may be played instead of following."""
FOLLOWING: Final = 53
"""Four sets: the cards that must follow a lead of each suit."""
POWERS: Final = 57
"""Two tables (jokers strong, smothered) of the power of each card (54) for each led suit (4)."""
RULES: Final = POWERS + 2 * 4 * 54
"""Length of a rules vector."""

BELOW_LED_SUIT: Final = 1
BELOW_TRUMPS: Final = 15
ABOVE_TRUMPS: Final = 29
BELOW_ALMIGHTY: Final = 39
"""Powers of a joker that is led while jokers have no power: the term `led_joker`."""
BELOW_LEFT_JACK: Final = 34
ABOVE_LEFT_JACK: Final = 36
"""Powers of the two of a trick that is all of one suit: the term `same_two`."""
_LED_SUIT: Final = 2
_TRUMPS: Final = 16
_JOKER: Final = 30
_LEFT_JACK: Final = 35
_RIGHT_JACK: Final = 37
_SECOND_SECRETARY: Final = 40
_SECRETARY: Final = 41
_ALMIGHTY: Final = 41
HIGHEST_POWER: Final = 41
_HEART_QUEEN: Final = 13 + 10
BURIED_TO_NOBODY, BURIED_TO_DECLARER, BURIED_TO_LAST = range(3)
"""Who gets the points of the cards put back: the term `buried`."""


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
    mighty = secretaries if terms[SECRETARY_POWER] else 0
    jokers = terms[JOKERS_IN_PACK]
    rules[TRUMP] = trump
    rules[SECRETARY] = secretary
    rules[SECOND_SECRETARY] = second_secretary
    rules[SECRETARIES] = secretaries
    rules[MIGHTY] = mighty
    rules[TRUMPS] = WHOLE_SUIT << (13 * trump) if trump < 4 else 0
    rules[SPECIAL] = jokers | mighty | strong_suit_cards(terms, trump)
    rules[NAMING] = (jokers if terms[JOKER_NAMES_SUIT] else 0) | (mighty if terms[SECRETARY_NAMES_SUIT] else 0)
    rules[FREE] = mighty | jokers if terms[JOKER_ANYTIME] else mighty
    for suit in range(4):
        cards = WHOLE_SUIT << (13 * suit)
        if terms[JOKER_IS_TRUMP] and suit == trump:
            cards |= jokers
        rules[FOLLOWING + suit] = cards if terms[SECRETARY_FOLLOWS] else cards & ~mighty
    _write_powers(rules, trump, secretary, second_secretary)


@njit
def strong_suit_cards(terms: Vector, trump: int) -> int:
    """Return the suit cards whose power does not come from their suit: the almighty, and the two jacks."""
    cards = 1 << SPADE_ACE if terms[ALMIGHTY] else 0
    if terms[JACKS] and trump < 4:
        cards |= 1 << (13 * trump + JACK) | 1 << (13 * same_colour(trump) + JACK)
    return cards


@njit
def _write_powers(rules: Vector, trump: int, secretary: int, second_secretary: int) -> None:
    for place in range(POWERS, RULES):
        rules[place] = 0
    for smothered in range(2):
        for led in range(4):
            row = POWERS + (smothered * 4 + led) * 54
            for rank in range(13):
                rules[row + led * 13 + rank] = _LED_SUIT + _height(rules, rank)
            for rank in range(13 if trump < 4 else 0):
                rules[row + trump * 13 + rank] = _TRUMPS + _height(rules, rank)
            if not smothered:
                for joker in range(SMALL_JOKER, BIG_JOKER + 1):
                    if rules[JOKERS_IN_PACK] >> joker & 1:
                        rules[row + joker] = _JOKER + joker - SMALL_JOKER
            if rules[JACKS] and trump < 4:
                rules[row + trump * 13 + JACK] = _RIGHT_JACK
                rules[row + same_colour(trump) * 13 + JACK] = _LEFT_JACK
            if rules[ALMIGHTY]:
                rules[row + SPADE_ACE] = _ALMIGHTY
            if rules[SECRETARY_POWER]:
                if second_secretary >= 0:
                    rules[row + second_secretary] = _SECOND_SECRETARY
                if secretary >= 0:
                    rules[row + secretary] = _SECRETARY


@inlined
def _height(rules: Vector, rank: int) -> int:
    """Return a rank's place in its suit: the ace is the highest, or the two."""
    return int((rank + 12) % 13 if rules[TWO_HIGH] else rank)


@inlined
def same_colour(suit: int) -> int:
    """Return the other suit of a suit's colour: spades and clubs, hearts and diamonds."""
    return 3 - suit


@inlined
def jokers_strong(terms: Vector, trick: int) -> bool:
    """Tell whether jokers have their power in this trick."""
    return bool(trick < terms[TRICKS] - terms[SMOTHERED_TRICKS])


@inlined
def first_leader(terms: Vector, declarer: int) -> int:
    """Return who leads to the first trick: the declarer, or the seat after him."""
    return int(declarer if terms[DECLARER_LEADS] else (declarer + 1) % terms[SEATS])


@inlined
def names_suit(rules: Vector, card: int) -> bool:
    """Tell whether who leads this card names the suit to follow."""
    return bool((rules[NAMING] >> card) & 1)


@inlined
def led_suit(rules: Vector, card: int, naming: int) -> int:
    """Return the suit to follow after a lead: the one named, where the card names one, else the printed one.

    A joker that names none asks for trumps.
    """
    if names_suit(rules, card):
        return naming
    return int(rules[TRUMP]) if card >= SMALL_JOKER else card // 13


@njit
def forced_calls(rules: Vector, card: int) -> int:
    """Return the set of cards that a lead of `card` calls out by itself: jokers, where that is played."""
    return int(rules[JOKERS_IN_PACK] if card == rules[FORCING_CARD] else 0)


@njit
def callable_cards(rules: Vector, trick: int, card: int, by_declarer: bool, played: int) -> int:
    """Return the set of cards that may be called out with a lead of `card`.

    The declarer calls a secretary card that has not been `played` (a set) and is not the card led; a lead may
    call at most one of two secretary cards. Whoever leads the trump three or two in the first tricks calls
    the big or the small joker.
    """
    called = 0
    if by_declarer and rules[SECRETARY_CALL]:
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

    A called secretary card may be replaced by a joker, a called joker by the other joker or a mighty card.
    """
    hit = hand & called
    if hit == 0:
        return 0
    allowed = hand
    if hit & JOKERS:
        allowed &= JOKERS | rules[MIGHTY]
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
    if leads and card >= SMALL_JOKER and rules[POWERS + (4 + led) * 54 + card] == 0:
        return int(rules[LED_JOKER])
    return int(rules[POWERS + (4 + led) * 54 + card])


@njit
def card_by_company(rules: Vector, trick: int, led: int, lead: int, table: int, best_power: int) -> int:
    """Return the card that wins a complete trick by the company it is in; -1: none does.

    The queen of hearts with the ace of spades (yoromeki); the two of the led suit where every card is of that
    suit (same-two), unless a card of a power above that is in the trick. A led joker is of the led suit; others
    do not matter, or spoil it (the term `same_two_pure`). `table` is the trick as a set, `best_power` the
    highest power in it.
    """
    if rules[YOROMEKI] and table >> SPADE_ACE & 1 and table >> _HEART_QUEEN & 1:
        return _HEART_QUEEN
    if trick < rules[SAME_TWO_FROM] or best_power > rules[SAME_TWO] or table >> (13 * led) & 1 == 0:
        return NO_CARD
    others = table & ~(WHOLE_SUIT << (13 * led))
    if lead >= SMALL_JOKER:
        others &= ~(1 << lead)
    if not rules[SAME_TWO_PURE]:
        others &= ~JOKERS
    return NO_CARD if others else 13 * led


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
    if rules[SAME_TWO] or rules[YOROMEKI]:
        table = 0
        for place in range(count):
            table |= 1 << ((cards >> (6 * place)) & 63)
        card = card_by_company(rules, trick, led, cards & 63, table, best_power)
        for place in range(count if card >= 0 else 0):
            if (cards >> (6 * place)) & 63 == card:
                best = place
    return best


@inlined
def count_points(terms: Vector, cards: int) -> int:
    """Return what a set of cards is worth."""
    return int((count_cards(cards & terms[COUNTING]) + count_cards(cards & terms[COUNTING_TWICE])) * terms[UNIT])


@inlined
def trick_points(terms: Vector, cards: int) -> int:
    """Return what a trick is worth to its winner: by itself, and by its cards."""
    return int(terms[TRICK_POINTS]) + count_points(terms, cards)


@inlined
def most_points(terms: Vector) -> int:
    """Return what all cards and tricks together are worth: the highest bid, and the highest contract played."""
    everything = terms[COUNTING] | terms[COUNTING_TWICE]
    return count_points(terms, everything) + int(terms[TRICK_POINTS] * terms[TRICKS])


def warm_up() -> None:
    """Compile what the server calls, with the types it calls it with."""
    terms = np.zeros(TERMS, np.int64)
    terms[SEATS], terms[TRICKS], terms[COUNTING] = 5, 10, COURT_CARDS
    rules = np.zeros(RULES, np.int64)
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
    trick_points(rules, COURT_CARDS)
    forced_calls(rules, 39)

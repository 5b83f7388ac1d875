"""The last tricks of a world, played best by both sides: alpha-beta over the kernel's rules, for any number of seats.

All cards are seen, and so is who is on the declarer's side: more than the seats know, so this is for few cards. The
value of a position is what that side captures from then on, in the game's unit: tricks, cards that count, and the cards
put back where the last trick takes them. Named suits and calls are tried as leads have them. Of cards of a suit that
nothing lies between and that are worth the same, one is tried (partition search in its simplest form: Ginsberg, 1996).

What is known of a position at the start of a trick is kept in a *memory* of bounds, found by the hash of the position
and checked by it: 64 bits, of which one in many billions of positions may be wrong. A memory may be used for any number
of worlds of one game's terms, whatever the trumps, the cards called and the declarer's side, by one thread at a time.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import highest_card, lowest_card
from junto.games.tricks.kernel import (
    BURIED,
    BURIED_TO_DECLARER,
    BURIED_TO_LAST,
    COUNTING,
    COUNTING_TWICE,
    FORCING_CARD,
    JOKER_CALL_TRICKS,
    JOKERS,
    LEADING,
    SAME_TWO,
    SCORE_OPTIONS,
    SCORING,
    SEATS,
    SECRETARIES,
    SECRETARY_CALL,
    SMALL_JOKER,
    SPADE_ACE,
    SPECIAL,
    TRICK_POINTS,
    TRICKS,
    TRUMP,
    TWO_HIGH,
    TWOS,
    WHOLE_SUIT,
    YOROMEKI,
)
from junto.games.tricks.scoring import BY_STAKES
from junto.search.tricks.state import (
    BEST_POWER,
    BEST_SEAT,
    CALLED,
    CONTRACT,
    COUNT,
    DECLARER,
    LEADER,
    LED,
    PACKED,
    TRICK,
)

Vector = npt.NDArray[np.int64]
Table = npt.NDArray[np.int64]

_SLOTS: Final = 1 << 13
_HALF: Final = 1 << 20
"""In an entry's bounds the lower one is multiplied by this."""
_HEART_QUEEN: Final = 13 + 10
(DECLARING, SIDE, ALONE, END) = range(4)
"""Places of what a search carries along: the declarer's place, his side (a set of places), the cards that stand alone,
what the last trick wins beside its cards."""


def new_memory(slots: int = _SLOTS) -> Table:
    """Return an empty memory; `slots` is a power of two, each of 16 bytes."""
    return np.zeros((slots, 2), np.int64)


@njit
def side_of(declarer: int, holder: int, second_holder: int) -> int:
    """Return the declarer's side as a set of places; a holder may be -1."""
    side = 1 << declarer
    if holder >= 0:
        side |= 1 << holder
    if second_holder >= 0:
        side |= 1 << second_holder
    return side


@njit
def captured_at_best(
    rules: Vector, state: Vector, hands: Vector, side: int, floor: int, ceiling: int, memory: Table
) -> int:
    """Return what the declarer's side captures from here on, the trick on the table included.

    It is exact between `floor` and `ceiling`, else a bound of them. `hands` end as they began; what is put back,
    `hands[seats]`, counts for the last trick where the rules say so.
    """
    seats = rules[SEATS]
    game = np.empty(4, np.int64)
    game[DECLARING] = state[DECLARER]
    game[SIDE] = side
    game[ALONE] = _alone(rules)
    game[END] = kernel.count_points(rules, hands[seats]) if rules[BURIED] == BURIED_TO_LAST else 0
    place = (state[LEADER] + state[COUNT]) % seats
    if hands[place] == 0:  # the last trick is over: its winner leads no more
        return int(game[END]) if side >> state[LEADER] & 1 else 0
    led = state[LED] if state[COUNT] > 0 else LEADING
    value = _value(
        rules, game, hands, state[TRICK], place, state[LEADER], led, state[CALLED],
        state[PACKED] if state[COUNT] > 0 else 0, state[COUNT],
        state[BEST_SEAT], state[BEST_POWER], floor, ceiling, memory,
    )  # fmt: skip
    return int(value)


@njit
def play_best(rules: Vector, state: Vector, hands: Vector, points: Vector, side: int, memory: Table) -> None:
    """Add to the `points` what both sides capture from here on, the declarer's to his own.

    Cards put back that the last trick takes are among them. Where all that scores is whether the contract is made, no
    more than that is found out.
    """
    seats, declarer = rules[SEATS], state[DECLARER]
    captured = 0
    other = declarer
    for seat in range(seats):
        if side >> seat & 1:
            captured += points[seat]
        else:
            other = seat
    left = points_left(rules, state, hands)
    floor, ceiling = -1, left + 1
    if rules[SCORING] == BY_STAKES and rules[SCORE_OPTIONS] == 0 and rules[BURIED] != BURIED_TO_DECLARER:
        ceiling = state[CONTRACT] - captured
        floor = ceiling - 1
    value = captured_at_best(rules, state, hands, side, floor, ceiling, memory)
    points[declarer] += value
    points[other] += left - value


@njit
def points_left(rules: Vector, state: Vector, hands: Vector) -> int:
    """Return what both sides together can still capture, the trick on the table and what the last one wins included."""
    cards = 0
    for place in range(rules[SEATS]):
        cards |= hands[place]
    for place in range(state[COUNT]):
        cards |= 1 << (state[PACKED] >> (6 * place) & 63)
    if rules[BURIED] == BURIED_TO_LAST:
        cards |= hands[rules[SEATS]]
    return int(kernel.count_points(rules, cards) + (rules[TRICKS] - state[TRICK]) * rules[TRICK_POINTS])


@njit
def _alone(rules: Vector) -> int:
    """Return the cards that are like no other: special, called, or of use in some company or call."""
    alone = JOKERS | rules[SPECIAL] | rules[SECRETARIES]
    if rules[SAME_TWO] or rules[TWO_HIGH]:
        alone |= TWOS
    if rules[YOROMEKI]:
        alone |= 1 << SPADE_ACE | 1 << _HEART_QUEEN
    if rules[JOKER_CALL_TRICKS] > 0 and rules[TRUMP] < 4:
        alone |= 3 << (13 * rules[TRUMP])
    if rules[FORCING_CARD] >= 0:
        alone |= 1 << rules[FORCING_CARD]
    return int(alone)


@inlined
def _worth(rules: Vector, card: int) -> int:
    """Return what a card counts, without its unit."""
    return int((rules[COUNTING] >> card & 1) + (rules[COUNTING_TWICE] >> card & 1))


@njit
def _different(rules: Vector, alone: int, hand: int, legal: int, present: int) -> int:
    """Return the legal cards of which none does what another one does."""
    found = legal & alone
    scan = legal & ~alone
    while scan:
        card = highest_card(scan)
        scan ^= 1 << card
        higher = present >> (card + 1) << (card + 1) & WHOLE_SUIT << (card // 13 * 13)
        above = lowest_card(higher) if higher else -1
        if above < 0 or not hand >> above & 1 or alone >> above & 1 or _worth(rules, above) != _worth(rules, card):
            found |= 1 << card
    return int(found)


@njit
def _likeliest(
    rules: Vector, trick: int, led: int, cards: int, wants_points: bool, best_power: int, leads: bool
) -> int:
    """Return the card to try first: one that counts for a friend's trick, the strongest for one's own, else the least.

    `wants_points`: the trick is a friend's so far.
    """
    chosen = -1
    most = -1 << 30
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        if leads:
            merit = rules[kernel.POWERS + (card // 13 if card < SMALL_JOKER else 0) * 54 + card]
        else:
            value = kernel.power(rules, trick, led, card, False)  # noqa: FBT003
            worth = _worth(rules, card)
            if wants_points:
                merit = 64 * worth - value
            elif value > best_power:
                merit = 1024 + 64 * worth - value
            else:
                merit = -64 * worth - value
        if merit > most:
            most = merit
            chosen = card
    return chosen


@njit
def _value(  # noqa: C901  # one recursive function: no two that call each other can be compiled
    rules: Vector, game: Vector, hands: Vector, trick: int, place: int, leader: int, led: int, called: int,
    table: int, count: int, best_seat: int, best_power: int, floor: int, ceiling: int, memory: Table,
) -> int:  # fmt: skip
    """Return what the declarer's side captures from this trick on, see `captured_at_best`."""
    seats = rules[SEATS]
    hand = hands[place]
    if hand == 0:
        return 0
    present = 0
    for other in range(seats):
        present |= hands[other]
    slot, tag = -1, 0
    if count == 0:
        if hand & (hand - 1) == 0 and not rules[kernel.NAMING] & hand:
            return _last_trick(rules, game, hands, trick, leader)
        most = kernel.count_points(rules, present) + (rules[TRICKS] - trick) * rules[TRICK_POINTS] + game[END]
        if most <= floor:
            return int(most)
        if ceiling <= 0:
            return 0
        tag = _tag(rules, game, hands, leader)
        slot = tag >> 20 & len(memory) - 1
        if memory[slot, 0] == tag:
            lower, upper = memory[slot, 1] // _HALF, memory[slot, 1] % _HALF
            if lower >= ceiling or lower == upper:
                return int(lower)
            if upper <= floor:
                return int(upper)
            floor, ceiling = max(floor, lower), min(ceiling, upper)
    else:
        for other in range(count):
            present |= 1 << (table >> (6 * other) & 63)
    first_floor, first_ceiling = floor, ceiling
    ours = game[SIDE] >> place & 1
    best = -1 if ours else 1 << 19
    legal = kernel.legal_cards(rules, hand, led, called)
    scan = _different(rules, game[ALONE], hand, legal, present)
    friendly = count > 0 and (game[SIDE] >> best_seat & 1) == ours
    while scan and floor < ceiling:
        card = _likeliest(rules, trick, led, scan, friendly, best_power, count == 0)
        scan ^= 1 << card
        hands[place] = hand ^ 1 << card
        callable_cards = _callable(rules, game, trick, card, place, present) if count == 0 else 0
        for naming in range(4 if count == 0 and kernel.names_suit(rules, card) else 1):
            call = callable_cards
            while floor < ceiling:
                suit, out, top_seat, top_power = led, called, best_seat, best_power
                if count == 0:
                    suit = kernel.led_suit(rules, card, naming)
                    out = call & -call | kernel.forced_calls(rules, card)
                    top_power = -1
                power = kernel.power(rules, trick, suit, card, count == 0)
                if power > top_power:
                    top_seat, top_power = place, power
                cards = kernel.packed(table, count, card)
                to_play, first, next_trick, laid, points = (place + 1) % seats, leader, trick, count + 1, 0
                if laid == seats:
                    won = _won(rules, game, trick, leader, suit, cards)
                    to_play, points = won // _HALF, won % _HALF
                    first, next_trick, laid, cards, suit, out = to_play, trick + 1, 0, 0, LEADING, 0
                value = points + _value(
                    rules, game, hands, next_trick, to_play, first, suit, out, cards, laid, top_seat, top_power,
                    floor - points, ceiling - points, memory,
                )  # fmt: skip
                if ours:
                    best = max(best, value)
                    floor = max(floor, best)
                else:
                    best = min(best, value)
                    ceiling = min(ceiling, best)
                if call == 0:
                    break
                call &= call - 1
        hands[place] = hand
    if slot >= 0:
        lower = best if best > first_floor else 0
        upper = best if best < first_ceiling else _HALF - 1
        if memory[slot, 0] == tag:
            lower = max(lower, memory[slot, 1] // _HALF)
            upper = min(upper, memory[slot, 1] % _HALF)
        memory[slot, 0] = tag
        memory[slot, 1] = lower * _HALF + upper
    return int(best)


@njit
def _won(rules: Vector, game: Vector, trick: int, leader: int, led: int, table: int) -> int:
    """Return who wins a complete trick, times `_HALF`, plus what the declarer's side captures by it."""
    seats = rules[SEATS]
    winner = (leader + kernel.winning_place(rules, trick, led, table, seats)) % seats
    points = 0
    if game[SIDE] >> winner & 1:
        cards = 0
        for place in range(seats):
            cards |= 1 << (table >> (6 * place) & 63)
        points = kernel.trick_points(rules, cards)
        if trick == rules[TRICKS] - 1:
            points += game[END]
    return int(winner * _HALF + points)


@njit
def _last_trick(rules: Vector, game: Vector, hands: Vector, trick: int, leader: int) -> int:
    """Return what the last trick wins the declarer's side; it plays itself."""
    seats = rules[SEATS]
    table = 0
    for place in range(seats):
        table = kernel.packed(table, place, lowest_card(hands[(leader + place) % seats]))
    return _won(rules, game, trick, leader, kernel.led_suit(rules, table & 63, -1), table) % _HALF


@inlined
def _callable(rules: Vector, game: Vector, trick: int, card: int, place: int, present: int) -> int:
    """Return the cards that a lead may call out, those alone that somebody else still has."""
    if trick >= rules[JOKER_CALL_TRICKS] and not rules[SECRETARY_CALL]:
        return 0
    return kernel.callable_cards(rules, trick, card, place == game[DECLARING], ~present)


@inlined
def _tag(rules: Vector, game: Vector, hands: Vector, leader: int) -> int:
    """Return the hash of a position between two tricks, never 0."""
    mixed = rules[TRUMP] | leader << 3 | game[SIDE] << 6 | game[DECLARING] << 14 | game[END] << 17
    mixed = (mixed ^ rules[SECRETARIES]) * 0x9E3779B97F4A7C1
    for place in range(rules[SEATS]):
        mixed = (mixed ^ mixed >> 29 ^ hands[place]) * 0x2545F4914F6CDD1
    return int((mixed ^ mixed >> 32) * 0x369DEA0F31A53F8 | 1)

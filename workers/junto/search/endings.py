"""Our own double-dummy solver: alpha-beta over the kernel's rules, for endings of bridge and whist.

It knows no rule: what may be played and what wins a trick the kernel says (`junto.games.tricks.kernel`), with two
sides, places 0 and 2 against 1 and 3. It suits endings of up to six or so cards in a hand, from inside other kernels
too, and the whole of it can be checked against Bo Haglund's solver (`junto.search.double_dummy`).

What is known of a position at the start of a trick is kept in a *memory*: bounds of the tricks that places 0 and 2
take. A memory may be used for any number of endings, whatever the trumps, by one thread at a time.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, highest_card
from junto.games.tricks.kernel import LEADING, RULES, TRUMP

Vector = npt.NDArray[np.int64]
Table = npt.NDArray[np.int64]

NOT_PLAYABLE: Final = -1
PLACES: Final = 4
_KEY: Final = 4
_BOUNDS: Final = 5
_ENTRY: Final = 6
_SLOTS: Final = 1 << 14
_LOWER: Final = 16
"""In an entry's bounds the lower one stands above the upper one."""


def new_memory(slots: int = _SLOTS) -> Table:
    """Return an empty memory; `slots` is a power of two, each of 48 bytes."""
    return np.zeros((slots, _ENTRY), np.int64)


@njit
def write_tricks(tricks: Vector, rules: Vector, hands: Vector, leader: int, table: int, memory: Table) -> None:
    """Write for each card (52) the tricks that the side which is to play takes if it plays that; -1: it may not.

    `hands` (4) are sets of cards by place, and end as they began. `leader` leads, or led to the trick on the table,
    whose cards are packed in `table` (`kernel.packed`) and are not in the hands; how many they are follows from
    the sizes of the hands. The trick on the table counts.
    """
    count = _on_table(hands, leader)
    place = (leader + count) % PLACES
    led = LEADING if count == 0 else kernel.led_suit(rules, table & 63, -1)
    left = count_cards(hands[place])
    legal = kernel.legal_cards(rules, hands[place], led, 0)
    present = _present(hands, table, count)
    for card in range(52):
        tricks[card] = NOT_PLAYABLE
    while legal:
        card = highest_card(legal)
        legal ^= 1 << card
        above = _next_above(present, card)
        if above >= 0 and hands[place] >> above & 1:
            tricks[card] = tricks[above]
            continue
        to_play, first, suit, cards, on_table, won = _laid(rules, place, leader, led, table, count, card)
        hands[place] ^= 1 << card
        value = won + _value(rules, hands, to_play, first, suit, cards, on_table, -won, left - won, memory)
        hands[place] ^= 1 << card
        tricks[card] = left - value if place & 1 else value


@njit
def write_tricks_in_worlds(tricks: Table, rules: Vector, worlds: Table, leader: int, table: int, memory: Table) -> None:
    """Write the tricks of each card (worlds, 52) in each of many worlds (worlds, 4), see `write_tricks`."""
    for number in range(len(worlds)):
        write_tricks(tricks[number], rules, worlds[number], leader, table, memory)


@njit
def best_tricks(rules: Vector, hands: Vector, leader: int, table: int, memory: Table) -> int:
    """Return the tricks that the side which is to play takes at best; the arguments are `write_tricks`'s."""
    count = _on_table(hands, leader)
    place = (leader + count) % PLACES
    led = LEADING if count == 0 else kernel.led_suit(rules, table & 63, -1)
    left = count_cards(hands[place])
    value = _value(rules, hands, place, leader, led, table, count, 0, left, memory)
    return left - value if place & 1 else value


@njit
def _on_table(hands: Vector, leader: int) -> int:
    """Return how many cards are on the table: as many hands, from the leader's on, are one card shorter."""
    longest = count_cards(hands[(leader + 3) % PLACES])
    count = 0
    while count < 3 and count_cards(hands[(leader + count) % PLACES]) < longest:
        count += 1
    return count


@njit
def _present(hands: Vector, table: int, count: int) -> int:
    """Return the cards that are in a hand or on the table: those between which ranks make a difference."""
    cards = hands[0] | hands[1] | hands[2] | hands[3]
    for place in range(count):
        cards |= 1 << (table >> (6 * place) & 63)
    return int(cards)


@inlined
def _next_above(present: int, card: int) -> int:
    """Return the next higher present card of a card's suit; -1: there is none."""
    suit = card // 13 * 13
    higher = present >> (card + 1) << (card + 1) & kernel.WHOLE_SUIT << suit
    return -1 if higher == 0 else highest_card(higher & -higher)


@inlined
def _laid(
    rules: Vector, place: int, leader: int, led: int, table: int, count: int, card: int
) -> tuple[int, int, int, int, int, int]:
    """Return where the play stands after a card: place, leader, suit led, table, cards on it, trick won (0 or 1).

    A trick is won in the sense of places 0 and 2.
    """
    if count == 0:
        led = kernel.led_suit(rules, card, -1)
    table = kernel.packed(table, count, card)
    if count < 3:
        return (place + 1) % PLACES, leader, led, table, count + 1, 0
    winner = (leader + kernel.winning_place(rules, 0, led, table, PLACES)) % PLACES
    return winner, winner, LEADING, 0, 0, 1 - (winner & 1)


@njit
def _value(
    rules: Vector, hands: Vector, place: int, leader: int, led: int, table: int, count: int,
    floor: int, ceiling: int, memory: Table,
) -> int:  # fmt: skip
    """Return the tricks that places 0 and 2 take from this trick on.

    It is exact if it lies between `floor` and `ceiling`; at or below the one it is an upper, at or above the other
    a lower bound.
    """
    left = count_cards(hands[place])
    if left == 0 or ceiling <= 0:
        return 0
    if floor >= left:
        return left
    slot = -1
    if count == 0:
        slot = _slot(rules, hands, place, memory)
        bounds = _bounds(rules, hands, place, memory, slot)
        lower, upper = bounds // _LOWER, bounds % _LOWER
        if lower >= ceiling or lower == upper:
            return lower
        if upper <= floor:
            return upper
        floor, ceiling = max(floor, lower), min(ceiling, upper)
    first_floor, first_ceiling = floor, ceiling
    ours = place & 1 == 0
    best = -1 if ours else left + 1
    legal = kernel.legal_cards(rules, hands[place], led, 0)
    present = _present(hands, table, count)
    while legal and floor < ceiling:
        card = highest_card(legal)
        legal ^= 1 << card
        above = _next_above(present, card)
        if above >= 0 and hands[place] >> above & 1:
            continue
        to_play, first, suit, cards, on_table, won = _laid(rules, place, leader, led, table, count, card)
        hands[place] ^= 1 << card
        value = won + _value(rules, hands, to_play, first, suit, cards, on_table, floor - won, ceiling - won, memory)
        hands[place] ^= 1 << card
        if ours:
            best = max(best, value)
            floor = max(floor, best)
        else:
            best = min(best, value)
            ceiling = min(ceiling, best)
    if slot >= 0:
        _remember(rules, hands, place, memory, slot, best, best > first_floor, best < first_ceiling)
    return int(best)


@inlined
def _slot(rules: Vector, hands: Vector, place: int, memory: Table) -> int:
    """Return where a position is kept."""
    mixed = (hands[0] * 0x9E3779B97F4A7C1 + hands[1]) * 0x1F3D8AC5B2E9D67 + hands[2]
    mixed = (mixed ^ mixed >> 29) * 0x2545F4914F6CDD1 + hands[3] * 8 + rules[TRUMP] * 4 + place
    mixed = (mixed ^ mixed >> 32) * 0x369DEA0F31A53F8
    return int((mixed >> 40) & (len(memory) - 1))


@inlined
def _bounds(rules: Vector, hands: Vector, place: int, memory: Table, slot: int) -> int:
    """Return what is known of a position: lower bound times 16 plus upper bound."""
    entry = memory[slot]
    if entry[_KEY] == _key(rules, place) and (
        entry[0] == hands[0] and entry[1] == hands[1] and entry[2] == hands[2] and entry[3] == hands[3]
    ):
        return int(entry[_BOUNDS])
    return count_cards(hands[place])


@inlined
def _key(rules: Vector, place: int) -> int:
    """Return trumps and the leader as one number; an empty slot has none (0)."""
    return int(8 + rules[TRUMP] * PLACES + place)


@njit
def _remember(
    rules: Vector, hands: Vector, place: int, memory: Table, slot: int, value: int, is_lower: bool, is_upper: bool
) -> None:
    """Write down that the value of a position is at least or at most so much, or both."""
    bounds = _bounds(rules, hands, place, memory, slot)
    lower, upper = bounds // _LOWER, bounds % _LOWER
    if is_lower:
        lower = max(lower, value)
    if is_upper:
        upper = min(upper, value)
    entry = memory[slot]
    for number in range(PLACES):
        entry[number] = hands[number]
    entry[_KEY] = _key(rules, place)
    entry[_BOUNDS] = lower * _LOWER + upper


def warm_up() -> None:
    """Compile what others call, with the types they call it with."""
    rules, memory = np.zeros(RULES, np.int64), new_memory(2)
    terms = np.zeros(kernel.TERMS, np.int64)
    kernel.write_rules(rules, terms, 4, kernel.NO_CARD, kernel.NO_CARD)
    hands = np.array([1, 2, 4, 8], np.int64)
    write_tricks(np.zeros(52, np.int64), rules, hands, 0, 0, memory)
    write_tricks_in_worlds(np.zeros((1, 52), np.int64), rules, hands.reshape(1, PLACES), 0, 0, memory)
    best_tricks(rules, hands, 0, 0, memory)

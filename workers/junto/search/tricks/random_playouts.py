"""Random deals of trick-taking games, played out at random as fast as they go, or by the rules of thumb."""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import cards_in
from junto.games.jit import njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, nth_card
from junto.games.tricks.kernel import (
    JOKERS_IN_PACK,
    NOBODY,
    SAME_TWO,
    SEATS,
    SECOND_SECRETARY,
    SECRETARIES,
    SECRETARY,
    TRICKS,
    YOROMEKI,
)
from junto.search.streams import advance, draw_below, start_stream
from junto.search.tricks.playouts import holder_of, play_on, random_card, random_lead, score_world
from junto.search.tricks.state import ABOVE, DECLARER, GONE, LEADER, STATE, begin_play, write_above

Vector = npt.NDArray[np.int64]

RANDOM: Final = 256
"""As the `noise`: all is drawn at random."""


@njit
def play_random_deals(
    rules: Vector, seed: int, number: int, times: int, noise: int, partner: int, contract: int, dear: int, size: int,
    hands: Vector, record: Vector, scores: Vector,
    above: Vector, state: Vector, points: Vector, pack: Vector, stream: Vector,
) -> int:  # fmt: skip
    """Deal and play out `number` deals, each `times` times, with place 0 as declarer; return a checksum of all scores.

    `partner` is his known partner, or -1. The cards that no hand gets are those put back; those of them in `dear`
    are shown and raise the `contract`. The first `size` cards of `pack` are dealt. The vectors tell of the last
    deal: `hands` as dealt in their first places, `record` see `play_at_random` (only with `noise` `RANDOM`), `scores`.
    """
    seats = rules[SEATS]
    write_above(above, rules)
    start_stream(stream, seed, 0, 0)
    leader = kernel.first_leader(rules, 0)
    check = 0
    for _ in range(number):
        deal_at_random(rules, hands, pack, size, stream)
        shown = hands[seats] & dear
        holder = partner if partner >= 0 else holder_of(hands, seats, rules[SECRETARY])
        second_holder = holder_of(hands, seats, rules[SECOND_SECRETARY])
        for seat in range(seats + 1):
            hands[seats + 1 + seat] = hands[seat]
        for _ in range(times):
            for seat in range(seats + 1):
                hands[seat] = hands[seats + 1 + seat]
                points[seat] = 0
            hands[seats] &= ~shown
            begin_play(state, 0, partner, -1, contract + count_cards(shown), leader, shown)
            if noise >= RANDOM:
                play_at_random(rules, state, hands, points, record, stream)
            else:
                play_on(rules, above, state, hands, points, rules[TRICKS], noise, stream)
            score_world(scores, rules, state, points, hands[2 * seats + 1], holder, second_holder)
            for seat in range(seats):
                check = (check * 31 + scores[seat]) & 0xFFFFFFFF
    for seat in range(seats + 1):
        hands[seat] = hands[seats + 1 + seat]
    return int(check)


@njit
def play_at_random(rules: Vector, state: Vector, hands: Vector, points: Vector, record: Vector, stream: Vector) -> None:
    """Play a world from before its first lead to the end, every card, suit and call drawn at random.

    `record` tells what was played, in order: the card, for a lead plus the suit named (from 1) times 64 and
    the cards called times 512.
    """
    seats, declarer, seat, gone = rules[SEATS], state[DECLARER], state[LEADER], state[GONE]
    company, calls = rules[SAME_TWO] or rules[YOROMEKI], rules[SECRETARIES] | rules[JOKERS_IN_PACK]
    first, second = int(stream[0]), int(stream[1])
    played = 0
    for trick in range(rules[TRICKS]):
        leader, hand = seat, hands[seat]
        naming, called = -1, 0
        if calls:
            stream[0], stream[1] = first, second
            card, naming, called = random_lead(rules, trick, seat == declarer, hand, gone, stream)
            first, second = int(stream[0]), int(stream[1])
        else:
            word, first, second = advance(first, second)
            card = nth_card(hand, word * count_cards(hand) >> 32)
        hands[seat] = hand ^ 1 << card
        record[played] = card | (naming + 1) << 6 | called << 9
        played += 1
        led = kernel.led_suit(rules, card, naming)
        called |= kernel.forced_calls(rules, card)
        table = 1 << card
        cards = card
        best = leader
        strongest = kernel.power(rules, trick, led, card, True)
        for place in range(1, seats):
            seat = seat + 1 if seat + 1 < seats else 0
            hand = hands[seat]
            legal = kernel.legal_cards(rules, hand, led, called)
            word, first, second = advance(first, second)
            card = nth_card(legal, word * count_cards(legal) >> 32)
            hands[seat] = hand ^ 1 << card
            record[played] = card
            played += 1
            table |= 1 << card
            if company:
                cards = kernel.packed(cards, place, card)
            value = kernel.power(rules, trick, led, card, False)
            best = seat if value > strongest else best
            strongest = max(value, strongest)
        if company:
            best = (leader + kernel.winning_place(rules, trick, led, cards, seats)) % seats
        gone |= table
        points[best] += kernel.trick_points(rules, table)
        seat = best
    state[LEADER] = seat
    stream[0] = first
    stream[1] = second


@njit
def deal_at_random(rules: Vector, hands: Vector, pack: Vector, size: int, stream: Vector) -> None:
    """Deal the first `size` cards of `pack` (any order of them) to hands of `TRICKS` cards; the rest lies hidden.

    A called card among the hidden ones changes places with a random card of a random hand.
    """
    seats = rules[SEATS]
    first, second = int(stream[0]), int(stream[1])
    left = size
    for seat in range(seats):
        hand = 0
        for _ in range(rules[TRICKS]):
            word, first, second = advance(first, second)
            pick = word * left >> 32
            left -= 1
            card = pack[pick]
            pack[pick] = pack[left]
            pack[left] = card
            hand |= 1 << card
        hands[seat] = hand
    stream[0] = first
    stream[1] = second
    hands[seats] = 0
    for place in range(left):
        hands[seats] |= 1 << pack[place]
    for secretary in (rules[SECRETARY], rules[SECOND_SECRETARY]):
        if secretary >= 0 and hands[seats] >> secretary & 1:
            seat = draw_below(stream, seats)
            card = random_card(hands[seat], stream)
            hands[seat] ^= 1 << card | 1 << secretary
            hands[seats] ^= 1 << card | 1 << secretary


@dataclass(frozen=True, slots=True, eq=False)
class RandomDeals:
    """Random deals of one rules vector, to measure and to test: what the last one was like.

    `hands` are as dealt, then the cards put back; `record` is what was played, `scores` are by place. `partner`
    is the declarer's known one, or -1; cards put back that are `dear` raise the contract.
    """

    rules: Vector
    partner: int
    dear: int
    hands: Vector
    record: Vector
    scores: Vector
    _pack: Vector
    _work: tuple[Vector, ...]

    @classmethod
    def under(cls, rules: Vector, partner: int = NOBODY, dear: int = 0) -> RandomDeals:
        """Return a place to play under these rules."""
        pack = np.array([*range(kernel.SMALL_JOKER), *cards_in(int(rules[JOKERS_IN_PACK]))], np.int64)
        work = tuple(np.zeros(length, np.int64) for length in (ABOVE, STATE, 8))
        hands, record, scores = np.zeros(16, np.int64), np.zeros(54, np.int64), np.zeros(7, np.int64)
        return cls(rules, partner, dear, hands, record, scores, pack, work)

    def play(self, seed: int, number: int, *, noise: int, contract: int = 11, times: int = 1) -> int:
        """Play so many playouts, of each deal so many; return a checksum of all scores.

        `noise` `RANDOM` is at random, 0 by rules of thumb.
        """
        pack, (above, state, points) = self._pack.copy(), self._work
        return play_random_deals(
            self.rules, seed, number // times, times, noise, self.partner, contract, self.dear, pack.size,
            self.hands, self.record, self.scores, above, state, points, pack, np.zeros(2, np.int64),
        )  # fmt: skip

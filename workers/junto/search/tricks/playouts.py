"""Play a world of a trick-taking game to its end, by the rules of thumb or at random."""
# ruff: noqa: FBT003  # kernels take scalars by position

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.games.cards import cards_in
from junto.games.jit import inlined, njit
from junto.games.tricks import kernel
from junto.games.tricks.bits import count_cards, nth_card
from junto.games.tricks.kernel import (
    JOKERS_IN_PACK,
    NOBODY,
    SAME_TWO,
    SEATS,
    SECOND_SECRETARY,
    SECRETARY,
    TRICKS,
    YOROMEKI,
)
from junto.games.tricks.scoring import add_buried, captured_points, lost_points, write_scores
from junto.search.streams import advance, draw_below, start_stream
from junto.search.tricks.policy import choose_follow, choose_lead
from junto.search.tricks.state import (
    ABOVE,
    CONTRACT,
    COUNT,
    DECLARER,
    GONE,
    LEADER,
    ON_TABLE,
    STATE,
    TRICK,
    begin_play,
    legal_now,
    open_hand,
    play_card,
    write_above,
)

Vector = npt.NDArray[np.int64]


@inlined
def random_card(cards: int, stream: Vector) -> int:
    """Draw a card of a set that is not empty."""
    return nth_card(cards, draw_below(stream, count_cards(cards)))


@njit
def random_lead(
    rules: Vector, trick: int, by_declarer: bool, hand: int, gone: int, stream: Vector
) -> tuple[int, int, int]:
    """Draw a card to lead, a suit if it names one, and for each call that it may make whether to make it."""
    card = random_card(hand, stream)
    naming = draw_below(stream, 4) if kernel.names_suit(rules, card) else -1
    joker = kernel.callable_cards(rules, trick, card, False, gone)
    called = 0
    if joker and draw_below(stream, 2):
        called = joker
    if by_declarer:
        secretaries = kernel.callable_cards(rules, trick, card, True, gone) & ~joker
        if secretaries and draw_below(stream, 2):
            called |= 1 << random_card(secretaries, stream)
    return card, naming, called


@njit
def play_on(
    rules: Vector, above: Vector, state: Vector, hands: Vector, points: Vector, noise: int, stream: Vector
) -> None:
    """Play a world from the state it is in to the end: `hands` run empty, `points[seat]` rise.

    `noise` of 256 cards are played at random (256: all), the rest by the rules of thumb.
    """
    seats = rules[SEATS]
    hidden = hands[seats]
    while state[TRICK] < rules[TRICKS]:
        seat = state[LEADER] + state[COUNT]
        if seat >= seats:
            seat -= seats
        hand = hands[seat]
        known = open_hand(state, hands, seat)
        if seat == state[DECLARER]:
            known |= hidden
        at_random = noise >= 256 or (noise > 0 and draw_below(stream, 256) < noise)
        naming = -1
        called = 0
        if state[COUNT] == 0:
            if at_random:
                card, naming, called = random_lead(
                    rules, state[TRICK], seat == state[DECLARER], hand, state[GONE], stream
                )
            else:
                card, naming = choose_lead(rules, state, seat, hand, known)
        elif at_random:
            card = random_card(legal_now(rules, state, hand), stream)
        else:
            card = choose_follow(rules, above, state, seat, hand, known)
        hands[seat] = hand & ~(1 << card)
        winner = play_card(rules, state, seat, card, naming, called)
        if winner >= 0:
            points[winner] += kernel.trick_points(rules, state[ON_TABLE])


@njit
def play_at_random(rules: Vector, state: Vector, hands: Vector, points: Vector, record: Vector, stream: Vector) -> None:
    """Play a world from before its first lead to the end, every card, suit and call drawn at random.

    `record` tells what was played, in order: the card, for a lead plus the suit named (from 1) times 64 and
    the cards called times 512.
    """
    seats = rules[SEATS]
    declarer = state[DECLARER]
    seat = state[LEADER]
    gone = state[GONE]
    played = 0
    for trick in range(rules[TRICKS]):
        leader = seat
        card, naming, called = random_lead(rules, trick, seat == declarer, hands[seat], gone, stream)
        hands[seat] ^= 1 << card
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
            card = random_card(kernel.legal_cards(rules, hands[seat], led, called), stream)
            hands[seat] ^= 1 << card
            record[played] = card
            played += 1
            table |= 1 << card
            cards = kernel.packed(cards, place, card)
            value = kernel.power(rules, trick, led, card, False)
            best = seat if value > strongest else best
            strongest = max(value, strongest)
        if rules[SAME_TWO] or rules[YOROMEKI]:
            best = (leader + kernel.winning_place(rules, trick, led, cards, seats)) % seats
        gone |= table
        points[best] += kernel.trick_points(rules, table)
        seat = best
    state[LEADER] = seat


@njit
def holder_of(hands: Vector, seats: int, card: int) -> int:
    """Return the seat that holds a card; -1: none does."""
    if card >= 0:
        for seat in range(seats):
            if hands[seat] >> card & 1:
                return seat
    return NOBODY


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


@njit
def play_random_deals(
    rules: Vector, seed: int, number: int, noise: int, partner: int, contract: int, dear: int, size: int,
    hands: Vector, record: Vector, scores: Vector,
    above: Vector, state: Vector, points: Vector, pack: Vector, stream: Vector,
) -> int:  # fmt: skip
    """Deal and play out `number` deals with place 0 as declarer; return a checksum of all scores.

    `partner` is his known partner, or -1. The cards that no hand gets are those put back; those of them in `dear`
    are shown and raise the `contract`. The first `size` cards of `pack` are dealt. The vectors tell of the last
    deal: `hands` as dealt in their first places, `record` see `play_at_random` (only with `noise` 256), `scores`.
    """
    seats = rules[SEATS]
    write_above(above, rules)
    start_stream(stream, seed, 0, 0)
    leader = kernel.first_leader(rules, 0)
    check = 0
    for _ in range(number):
        deal_at_random(rules, hands, pack, size, stream)
        for seat in range(seats + 1):
            hands[seats + 1 + seat] = hands[seat]
            points[seat] = 0
        shown = hands[seats] & dear
        hands[seats] &= ~shown
        holder = partner if partner >= 0 else holder_of(hands, seats, rules[SECRETARY])
        second_holder = holder_of(hands, seats, rules[SECOND_SECRETARY])
        begin_play(state, 0, partner, -1, contract + count_cards(shown), leader, shown)
        if noise >= 256:
            play_at_random(rules, state, hands, points, record, stream)
        else:
            play_on(rules, above, state, hands, points, noise, stream)
        score_world(scores, rules, state, points, hands[2 * seats + 1], holder, second_holder)
        for seat in range(seats):
            check = (check * 31 + scores[seat]) & 0xFFFFFFFF
    for seat in range(seats + 1):
        hands[seat] = hands[seats + 1 + seat]
    return int(check)


@njit
def score_world(
    scores: Vector, rules: Vector, state: Vector, points: Vector, put_back: int, holder: int, second_holder: int
) -> int:
    """Write every place's score of a world that was played out; return what the declarer's side captured.

    `put_back` are all cards put back, `holder` and `second_holder` as in `write_scores`.
    """
    seats = rules[SEATS]
    declarer = state[DECLARER]
    add_buried(points, rules, declarer, state[LEADER], put_back)
    captured = captured_points(points, seats, declarer, holder, second_holder)
    lost = lost_points(points, seats, captured)
    write_scores(scores, rules, declarer, holder, second_holder, state[CONTRACT], captured, lost)
    return captured


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

    def play(self, seed: int, number: int, *, noise: int, contract: int = 11) -> int:
        """Play so many deals; return a checksum of all scores. `noise` 256 is at random, 0 by rules of thumb."""
        pack, (above, state, points) = self._pack.copy(), self._work
        return play_random_deals(
            self.rules, seed, number, noise, self.partner, contract, self.dear, pack.size,
            self.hands, self.record, self.scores, above, state, points, pack, np.zeros(2, np.int64),
        )  # fmt: skip

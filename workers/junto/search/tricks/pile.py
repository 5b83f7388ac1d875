"""Draw the hidden cards of bridge for three at the opening lead, when the pile still lies face down: exactly.

The leader knows his hand, the card of the pile that was turned up, the cards of it that he looked at, in which
slots of the row all these lie, and what the cards that each of the others looked at count. A *world* says which
hidden cards are the rest of the pile; those left over are shared out at random between the two others.

How likely a world is follows from the deal (`junto.games.bridge.three`). Every deal, every order of the pile and
every way to turn up and to look at its cards is equally likely. Take the pile's cards as given:

- Who looked at which says nothing about the order, so the row is just as likely as if it were laid before: the
  block of a suit with k cards can lie in k! orders, all equally likely. If m of its cards are known, and their slots
  are in the block, (k - m)! of the orders agree; if a slot is outside, none does. Where a block begins depends on
  how many cards the suits before it have: S H D C.
- Which cards were turned up and looked at by the leader is as likely for these known cards as for any others.
  The rest may have been looked at in any split into two equal groups; those agree whose groups count what was
  reported. Each world has equally many splits, so their plain number counts.
- The cards that are left lie in the two other hands in equally many ways in each world.

So the weight of a world is the number of its splits that agree, times (k - m)! / k! for each suit, or 0.

Splits are counted by dynamic programming, suit by suit. A *state* is how many cards the two groups have so far and
what these count; a *choice* says which court cards of a suit go to either group and how many of the others do. A draw
walks back from the end, picks each suit's choice by the weight behind it, then which of the suit's other cards they
are. Nothing is tried and given up. Weights are floats, with a relative error of about 1e-15.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import Card, cards_in, mask_of, suit_of
from junto.games.jit import inlined, njit
from junto.games.tricks.bits import count_cards, lowest_card, nth_card
from junto.games.tricks.kernel import JACK, WHOLE_SUIT
from junto.search.streams import draw_below, draw_fraction, start_stream
from junto.search.worlds.outline import NoWorld

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]

_SUITS: Final = 4
_COURTS: Final = WHOLE_SUIT & ~((1 << JACK) - 1)
_COURT_SPLITS: Final = 3**4
"""Ways to put a suit's court cards into two groups or neither."""
# A choice: cards and points that it adds to the two groups, its court cards, how many others it takes, and by how
# much it moves on among the states.
_FIRST, _SECOND, _FIRST_POINTS, _SECOND_POINTS, _TAKEN, _OTHERS, _MOVE, _CHOICE = range(8)


@dataclass(frozen=True, slots=True)
class PileSeen:
    """What one player knows of the pile before it is open.

    `place` is where it lies, `row` are its slots, None for a card that he does not see, and `points` what the cards
    count that each of the two others looked at.
    """

    place: int
    row: tuple[Card | None, ...]
    points: tuple[int, int]

    @property
    def known(self) -> int:
        """The cards that he sees."""
        return mask_of(card for card in self.row if card is not None)

    @property
    def looked_at(self) -> int:
        """How many of the others each of the two others looked at."""
        return self.row.count(None) // 2


@njit
def _list_choices(
    cards: int, group: int, points: Vector, strides: Vector, choices: Matrix, ways: Weights, found: int
) -> int:
    """Write the choices of a suit with these hidden cards behind the `found` ones; return how many there are now.

    Each group takes at most `group` cards that count at most `points`.
    """
    courts = cards & _COURTS
    others = count_cards(cards & ~_COURTS)
    for split in range(3 ** count_cards(courts)):
        choice = choices[found]
        choice[:] = 0
        rest, digits = courts, split
        while rest:
            card = lowest_card(rest)
            rest &= rest - 1
            if digits % 3:
                choice[_FIRST + digits % 3 - 1] += 1
                choice[_FIRST_POINTS + digits % 3 - 1] += card - JACK + 1
                choice[_TAKEN] |= 1 << card
            digits //= 3
        if choice[_FIRST_POINTS] > points[0] or choice[_SECOND_POINTS] > points[1]:
            continue
        found = _add_others(choices, ways, found, others, group, strides)
    return found


@njit
def _add_others(choices: Matrix, ways: Weights, found: int, others: int, group: int, strides: Vector) -> int:
    """Complete the choice of court cards in row `found` by each number of other cards; return the number of rows."""
    first, second, taken = int(choices[found, _FIRST]), int(choices[found, _SECOND]), choices[found, _TAKEN]
    first_points, second_points = choices[found, _FIRST_POINTS], choices[found, _SECOND_POINTS]
    ways_to_first = 1.0
    for to_first in range(min(group - first, others) + 1):
        ways_to_both = ways_to_first
        for to_second in range(min(group - second, others - to_first) + 1):
            choice = choices[found]
            choice[_FIRST], choice[_SECOND] = first + to_first, second + to_second
            choice[_FIRST_POINTS], choice[_SECOND_POINTS] = first_points, second_points
            choice[_TAKEN], choice[_OTHERS] = taken, to_first + to_second
            move = 0
            for part in range(4):
                move += choice[part] * strides[part]
            choice[_MOVE] = move
            ways[found] = ways_to_both
            found += 1
            ways_to_both *= (others - to_first - to_second) / (to_second + 1.0)
        ways_to_first *= (others - to_first) / (to_first + 1.0)
    return found


@njit
def _spread(
    suit: int, starts: Vector, choices: Matrix, ways: Weights, shares: Weights, full: Vector, weights: Weights
) -> None:
    """Add the weights of the states after a suit, from those before it."""
    state = -1
    for first in range(full[0] + 1):
        for second in range(full[1] + 1):
            for first_points in range(full[2] + 1):
                for second_points in range(full[3] + 1):
                    state += 1
                    weight = weights[suit, state]
                    if weight == 0.0:
                        continue
                    for number in range(starts[suit], starts[suit + 1]):
                        choice = choices[number]
                        if (
                            first + choice[_FIRST] <= full[0]
                            and second + choice[_SECOND] <= full[1]
                            and first_points + choice[_FIRST_POINTS] <= full[2]
                            and second_points + choice[_SECOND_POINTS] <= full[3]
                        ):
                            share = shares[suit, first + second, choice[_FIRST] + choice[_SECOND]]
                            weights[suit + 1, state + choice[_MOVE]] += weight * share * ways[number]


@inlined
def _behind(
    suit: int, number: int, state: int, at: Vector, choices: Matrix, ways: Weights, shares: Weights, weights: Weights
) -> float:
    """Return the weight that comes into a state by one choice of a suit; `at` are the state's four parts."""
    choice = choices[number]
    if (
        choice[_FIRST] > at[0]
        or choice[_SECOND] > at[1]
        or choice[_FIRST_POINTS] > at[2]
        or choice[_SECOND_POINTS] > at[3]
    ):
        return 0.0
    taken = choice[_FIRST] + choice[_SECOND]
    share = shares[suit, at[0] + at[1] - taken, taken]
    return float(weights[suit, state - choice[_MOVE]] * share * ways[number])


@njit
def _count(
    suits: Vector, full: Vector, strides: Vector, shares: Weights, starts: Vector, choices: Matrix, ways: Weights,
    weights: Weights,
) -> None:  # fmt: skip
    """Write the choices of all suits and the weights of all states; after the last suit only that of the end."""
    found = 0
    for suit in range(_SUITS):
        starts[suit] = found
        found = _list_choices(suits[suit], full[0], full[2:], strides, choices, ways, found)
    starts[_SUITS] = found
    weights[0, 0] = 1.0
    last = _SUITS - 1
    for suit in range(last):
        _spread(suit, starts, choices, ways, shares, full, weights)
    end = weights.shape[1] - 1
    for number in range(starts[last], starts[_SUITS]):
        weights[_SUITS, end] += _behind(last, number, end, full, choices, ways, shares, weights)


@inlined
def _take_out(cards: int, number: int, stream: Vector) -> int:
    """Return so many random cards of a set."""
    left = cards
    for count in range(count_cards(cards), count_cards(cards) - number, -1):
        left ^= 1 << nth_card(left, draw_below(stream, count))
    return cards ^ left


@njit
def _draw_pile(
    suits: Vector, full: Vector, shares: Weights, starts: Vector, choices: Matrix, ways: Weights, weights: Weights,
    at: Vector, stream: Vector,
) -> int:  # fmt: skip
    """Draw the hidden cards of the pile."""
    pile = 0
    at[:] = full
    state = weights.shape[1] - 1
    for suit in range(_SUITS - 1, -1, -1):
        point = draw_fraction(stream) * weights[suit + 1, state]
        picked = -1
        for number in range(starts[suit], starts[suit + 1]):
            weight = _behind(suit, number, state, at, choices, ways, shares, weights)
            if weight > 0.0:
                picked = number
                point -= weight
                if point < 0.0:
                    break
        choice = choices[picked]
        for part in range(4):
            at[part] -= choice[part]
        state -= choice[_MOVE]
        others = _take_out(suits[suit] & ~_COURTS, choice[_OTHERS], stream)
        pile |= (others | choice[_TAKEN]) << 13 * suit
    return pile


@njit
def _draw_many(
    suits: Vector, full: Vector, shares: Weights, starts: Vector, choices: Matrix, ways: Weights, weights: Weights,
    places: Vector, known: int, seed: int, first: int, matrix: Matrix, at: Vector, stream: Vector,
) -> None:  # fmt: skip
    hidden = 0
    for suit in range(_SUITS):
        hidden |= suits[suit] << 13 * suit
    for row in range(matrix.shape[0]):
        start_stream(stream, seed, first + row, 0)
        pile = _draw_pile(suits, full, shares, starts, choices, ways, weights, at, stream)
        rest = hidden & ~pile
        hand = _take_out(rest, places[3], stream)
        matrix[row, places[0]] = pile | known
        matrix[row, places[1]] = hand
        matrix[row, places[2]] = rest & ~hand


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The counted splits: hidden cards by suit, the end's four parts, and what `_count` writes.

    `shares[t, n, k]` is the share of the rows that agree in suit t, if n hidden cards of the suits before it are in
    the pile and k of its own.
    """

    suits: Vector
    full: Vector
    shares: Weights
    starts: Vector
    choices: Matrix
    ways: Weights
    weights: Weights

    @property
    def total(self) -> float:
        return float(self.weights[-1, -1])


def _shares(row: Sequence[Card | None]) -> Weights:
    """Return which share of the rows agrees in each suit (`_Counted.shares`)."""
    blanks, before = row.count(None), 0
    shares = np.zeros((_SUITS, blanks + 1, blanks + 1))
    for suit in range(_SUITS):
        slots = [slot for slot, card in enumerate(row) if card is not None and suit_of(card) == suit]
        known = len(slots)
        for earlier in range(blanks + 1):
            begin = before + earlier
            if not slots:
                shares[suit, earlier] = 1.0
            elif begin <= slots[0]:
                for hidden in range(max(0, slots[-1] + 1 - begin - known), blanks + 1):
                    shares[suit, earlier, hidden] = 1.0 / math.perm(hidden + known, known)
        before += known
    return shares


def _counted(hidden: int, seen: PileSeen) -> _Counted:
    """Count the splits of the rest of the pile; `hidden` are the cards that may be in it."""
    group = seen.looked_at
    full = np.array((group, group, *seen.points), np.int64)
    strides = np.ones(4, np.int64)
    strides[:-1] = np.cumprod(full[:0:-1] + 1)[::-1]
    suits = np.array([hidden >> 13 * suit & WHOLE_SUIT for suit in range(_SUITS)], np.int64)
    room = _SUITS * _COURT_SPLITS * (group + 1) ** 2
    counted = _Counted(
        suits, full, _shares(seen.row), np.zeros(_SUITS + 1, np.int64), np.empty((room, _CHOICE), np.int64),
        np.empty(room), np.zeros((_SUITS + 1, math.prod(int(part) + 1 for part in full))),
    )  # fmt: skip
    _count(suits, full, strides, counted.shares, counted.starts, counted.choices, counted.ways, counted.weights)
    return counted


@dataclass(frozen=True, slots=True, eq=False)
class PileWorlds:
    """All worlds of a player who does not see the whole pile, counted once. `sizes` are cards to draw, by place."""

    seen: PileSeen
    hidden: int
    sizes: tuple[int, ...]
    _counted: _Counted

    @property
    def count(self) -> float:
        """How many deals there are, with who looked at which, each counted with the share of its rows that agree."""
        first, second = self._others
        return self._counted.total * math.comb(self.sizes[first] + self.sizes[second], self.sizes[first])

    @property
    def _others(self) -> tuple[int, int]:
        first, second = _other_places(self.sizes, self.seen.place)
        return first, second

    def draw(self, seed: int, first: int, matrix: Matrix) -> None:
        """Draw the worlds of a seed from number `first` on into the rows of `matrix`, the hands by place.

        A world depends on the seed and its number alone. The columns of other places stay as they are.
        """
        counted, (one, other) = self._counted, self._others
        places = np.array((self.seen.place, one, other, self.sizes[one]), np.int64)
        _draw_many(
            counted.suits, counted.full, counted.shares, counted.starts, counted.choices, counted.ways,
            counted.weights, places, self.seen.known, seed, first, matrix, np.zeros(4, np.int64),
            np.zeros(2, np.int64),
        )  # fmt: skip

    def sample(self, seed: int, number: int) -> list[int]:
        """Return the `number`-th draw of a seed: the set of cards in each place, by place."""
        matrix = np.zeros((1, len(self.sizes)), np.int64)
        self.draw(seed, number, matrix)
        return [int(hand) for hand in matrix[0]]

    def chances(self, card: Card) -> list[float]:
        """Return the probability that each place holds a hidden card, by place (exact, not sampled).

        The worlds in which a card is not in the pile are those that are counted without it.
        """
        elsewhere = _counted(self.hidden & ~(1 << card), self.seen).total / self._counted.total
        if self.seen.known >> card & 1:
            elsewhere = 0.0
        chances = [0.0] * len(self.sizes)
        room = sum(self.sizes[place] for place in self._others)
        for place in self._others:
            chances[place] = elsewhere * self.sizes[place] / room
        chances[self.seen.place] = 1.0 - elsewhere
        return chances


def pile_worlds(unseen: int, seen: PileSeen, sizes: Sequence[int]) -> PileWorlds:
    """Count the worlds of a player of bridge for three to whom the pile is not open.

    `unseen` are all cards but his own hand's; place p takes `sizes[p]` of them: the pile, two hands, and no other.

    Raises:
        NoWorld: there is none.
    """
    if sum(sizes) != unseen.bit_count():
        raise NoWorld(f"{unseen.bit_count()} cards are not seen, and there are places for {sum(sizes)}")
    if sizes[seen.place] != len(seen.row) or len(_other_places(sizes, seen.place)) != 2 or seen.row.count(None) % 2:
        raise NoWorld("the row is not that of a pile of which two others have looked at equally many cards")
    if seen.known & ~unseen or min(seen.points) < 0:
        raise NoWorld("what is known of the pile contradicts itself")
    hidden = unseen & ~seen.known
    counted = _counted(hidden, seen)
    if counted.total <= 0.0:
        raise NoWorld("no pile agrees with its row and what was reported")
    return PileWorlds(seen, hidden, tuple(sizes), counted)


def _other_places(sizes: Sequence[int], pile: int) -> list[int]:
    return [place for place, size in enumerate(sizes) if size > 0 and place != pile]


def warm_up() -> None:
    """Compile the sampler."""
    seen = PileSeen(1, (0, None, None), (0, 0))
    worlds = pile_worlds(0b11111, seen, (0, 3, 1, 1))
    worlds.sample(1, 0)
    worlds.chances(next(cards_in(worlds.hidden)))

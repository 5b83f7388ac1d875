"""Plays counted and drawn without being written: the same plays as are written, each under one number."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from junto.games.climbing import moves
from junto.games.climbing.drawing import EVERY, draw_action, look_up
from junto.games.climbing.drawing_sets import cards_of_set, draw_set, look_up_set, pack_set_hand
from junto.games.climbing.kernel import NO_PLAY, RANKS, SETS, TWO, Vector, kind_of, take
from junto.games.climbing.packed import cards_of, pack
from junto.games.climbing.ranks import parse_ranks
from junto.games.climbing.terms import Terms
from junto.games.jit import njit

from .hands import RULES, random_hand

EVERY_RULE = pytest.mark.parametrize("rule", RULES)
GROUPS = [rule for rule, terms in RULES.items() if not terms.sets]
SETS_RULES = [rule for rule, terms in RULES.items() if terms.sets]
NOBODY, MOST_TOPS = -1, 4


@njit
def number_of(terms: Vector, hand: Vector, named: int, copies: int, top: int) -> int:
    """Return how many plays are counted."""
    if terms[SETS]:
        low, high = pack_set_hand(hand)
        return -look_up_set(terms, low, high, named, copies, top, EVERY)
    return -look_up(terms, pack(hand), top, EVERY)


@njit
def look_all_up(terms: Vector, hand: Vector, named: int, copies: int, top: int, out: Vector) -> None:
    """Write the play of each number."""
    for number in range(out.size):
        if terms[SETS]:
            low, high = pack_set_hand(hand)
            out[number] = look_up_set(terms, low, high, named, copies, top, number)
        else:
            out[number] = look_up(terms, pack(hand), top, number)


def check_plays(terms: Terms, hand: Vector, named: int, copies: int, top: int) -> None:
    """Hold what is drawn from a hand against what is written."""
    if terms.sets:
        written = moves.named_plays_of(terms.vector, hand, named, copies, top)
    else:
        written = moves.plays_of(terms.vector, hand, top)
    drawn = np.zeros(number_of(terms.vector, hand, named, copies, top), np.int64)
    look_all_up(terms.vector, hand, named, copies, top, drawn)
    assert np.array_equal(np.sort(drawn), np.sort(written)), (hand, named, copies, top)


def check_hands(rule: str, number: int) -> None:
    """Do so for random hands of one card to a whole hand, as leads and as answers to plays of other hands."""
    terms, random = RULES[rule], np.random.default_rng(list(rule.encode()))
    for place in range(number):
        hand = random_hand(terms, place % min(terms.largest, 44) + 1, random)
        if place % 10 == 0:
            hand[1 : TWO + 1] = 0  # what some sets wait for: no cards but threes and jokers
        named = int(random.integers(0, TWO)) if place % 2 else int(np.argmax(hand[:TWO]))
        copies = int(random.integers(0, min(4, hand[named]) + 1))
        tops = moves.plays_of(terms.vector, random_hand(terms, 16, random))
        for top in (NO_PLAY, *random.choice(tops, min(MOST_TOPS, len(tops))).tolist()):
            check_plays(terms, hand, named, copies, top)


@EVERY_RULE
def test_what_is_drawn_is_what_is_written(rule: str) -> None:
    """All numbers together give each play of a random hand once, and no other: led, and on tops of every kind."""
    check_hands(rule, 600)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@EVERY_RULE
def test_what_is_drawn_from_20000_hands_is_what_is_written(rule: str) -> None:
    """The same for many hands."""
    check_hands(rule, 20_000)


@EVERY_RULE
def test_the_plays_of_the_whole_pack_are_drawn(rule: str) -> None:
    """Up to 27,471 of them, all kinds of kickers among them."""
    terms = RULES[rule]
    check_plays(terms, terms.pack, 0, 4, NO_PLAY)
    assert number_of(terms.vector, np.zeros(RANKS, np.int64), NOBODY, 0, NO_PLAY) == 0


@pytest.mark.parametrize("rule", GROUPS)
def test_each_kind_of_top_is_answered(rule: str) -> None:
    """On one play of each kind and length of the pack, by rich hands: as many of each kind as are written."""
    terms, random = RULES[rule], np.random.default_rng(3)
    plays = moves.plays_of(terms.vector, terms.pack)
    tops = {(kind_of(play), play >> 8 & 31): int(play) for play in random.permutation(plays)}
    for top in tops.values():
        for _ in range(8):
            check_plays(terms, random_hand(terms, 20, random), NOBODY, 0, top)
        check_plays(terms, terms.pack, NOBODY, 0, top)


@EVERY_RULE
def test_a_play_is_taken_out_of_a_hand(rule: str) -> None:
    """What is left, packed, is the packed hand less the packed play."""
    terms, random = RULES[rule], np.random.default_rng(4)
    for size in range(1, 21):
        hand = random_hand(terms, size, random)
        plays = moves.plays_of(terms.vector, hand)
        for play in random.choice(plays, min(20, len(plays))).tolist():
            left = hand.copy()
            take(left, play)
            if terms.sets:
                assert pack_set_hand(left) == tuple(np.subtract(pack_set_hand(hand), cards_of_set(play)).tolist())
            else:
                assert pack(left) == pack(hand) - cards_of(play)


HANDS = {
    "dou-dizhu": "333444579TTTTQKBR",
    "dou-dizhu rocket": "3334455TTTTBR",
    "shuangkou": "34567899TTTTTBBRR",
    "baohuang": "33344447TTAA22BBRR",
    "baohuang street": "333TTTTAA222BRR",
}


@pytest.mark.parametrize("top", ["", "4"])
@pytest.mark.parametrize("rule", HANDS)
def test_each_action_is_as_likely_as_any_other(rule: str, top: str) -> None:
    """Plays, and on a top two other actions beside them: chi-square over draws with even words."""
    terms, hand, named, copies = RULES[rule].vector, parse_ranks(HANDS[rule]), 7, 2
    on, others = (NO_PLAY, 0) if not top else (int(moves.plays_of(terms, parse_ranks(top))[0]), 2)
    number = number_of(terms, hand, named, copies, on) + others
    words = np.random.default_rng(5).integers(0, 1 << 32, 60 * number).tolist()
    if RULES[rule].sets:
        drawn = Counter(draw_set(terms, *pack_set_hand(hand), named, copies, on, others, word) for word in words)
    else:
        drawn = Counter(draw_action(terms, pack(hand), on, others, word) for word in words)
    assert len(drawn) == number
    assert sorted(drawn)[:others] == list(range(1 - others, 1))
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4

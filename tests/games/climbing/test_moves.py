"""The plays of a hand: all of them, each once, against an enumeration of everything a hand can lay down."""

from __future__ import annotations

import numpy as np
import pytest

from junto.games.climbing import kernel, moves
from junto.games.climbing.kernel import NO_PLAY, Vector
from junto.games.climbing.ranks import parse_ranks
from junto.games.climbing.terms import Terms

from .hands import RULES, counts_of_play, plays_by_force, random_hand

EVERY_RULE = pytest.mark.parametrize("rule", RULES)
NUMBERS = {
    "dou-dizhu": 27_471,
    "shuangkou": 247,
    "shuangkou joker pairs": 249,
    "baohuang": 5_224,
    "baohuang street free": 12 * 16 * 17 * 25 + 16 * 25 + 24,
}
BY_KIND = {
    "dou-dizhu": [15, 13, 13, 36, 52, 45, 21_822, 2_939, 182, 156, 1_326, 858, 13, 1, 0],
    "shuangkou": [15, 13, 13, 36, 55, 49, 0, 0, 0, 0, 0, 0, 65, 1, 0],
}


@pytest.mark.parametrize("rule", NUMBERS)
def test_the_whole_pack_has_as_many_plays_as_the_page_counts(rule: str) -> None:
    """Distinct plays over the pack: the pages' golden numbers, and no two plays of the same cards."""
    terms = RULES[rule]
    plays = moves.plays_of(terms.vector, terms.pack)
    assert len(plays) == NUMBERS[rule]
    assert len({int(play) for play in plays}) == NUMBERS[rule]


@pytest.mark.parametrize("rule", BY_KIND)
def test_each_kind_has_as_many_plays_as_the_page_counts(rule: str) -> None:
    """The sum's terms are the pages', kind by kind."""
    plays = moves.plays_of(RULES[rule].vector, RULES[rule].pack)
    assert np.bincount(plays & 15, minlength=16)[1:].tolist() == BY_KIND[rule]


@EVERY_RULE
def test_no_cards_of_the_pack_can_be_read_in_two_ways(rule: str) -> None:
    """With every option each set of ranks is generated once, and is read as the play that it was generated as."""
    terms = RULES[rule]
    plays = [int(play) for play in moves.plays_of(terms.vector, terms.pack)]
    cards = [counts_of_play(play) for play in plays]
    assert len(set(cards)) == len(plays)
    assert plays == [kernel.classify(terms.vector, np.array(counts, np.int64)) for counts in cards]
    assert [kernel.size_of(play) for play in plays] == [sum(counts) for counts in cards]


def check_hand(terms: Terms, hand: Vector, random: np.random.Generator) -> None:
    """Hold what is led and what is answered against all parts of the hand."""
    by_force = sorted(plays_by_force(terms.vector, hand))
    assert sorted(moves.plays_of(terms.vector, hand).tolist()) == by_force
    pack_plays = moves.plays_of(terms.vector, random_hand(terms, 14, random))
    for top in random.choice(pack_plays, min(6, len(pack_plays))).tolist():
        answers = [play for play in by_force if kernel.beats(terms.vector, top, play)]
        assert sorted(moves.plays_of(terms.vector, hand, top).tolist()) == answers


def check_hands(rule: str, number: int) -> None:
    random = np.random.default_rng(list(rule.encode()))
    for place in range(number):
        check_hand(RULES[rule], random_hand(RULES[rule], place % 12 + 1, random), random)


@EVERY_RULE
def test_the_plays_of_random_hands_are_all_that_can_be_laid_down(rule: str) -> None:
    """Hands of 1 to 12 cards: the set led, and answered, equals what a search through all their parts finds."""
    check_hands(rule, 300)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@EVERY_RULE
def test_the_plays_of_20000_random_hands_are_all_that_can_be_laid_down(rule: str) -> None:
    """The same for many hands."""
    check_hands(rule, 20_000)


@EVERY_RULE
def test_plays_that_find_no_room_are_counted(rule: str) -> None:
    """A short vector gets the first plays, and the number of all is returned."""
    terms, out = RULES[rule], np.zeros(3, np.int64)
    hand = terms.pack // 2
    everything = moves.plays_of(terms.vector, hand)
    assert moves.write_plays(terms.vector, hand, NO_PLAY, out) == len(everything)
    assert out.tolist() == everything[:3].tolist()


LARGEST = {
    # The most plays that a search over whole hands has met, and for sets the most that there can be.
    ("dou-dizhu", "333444555666789TJQKA"): 519,
    ("shuangkou", "33344455566778899TTJJQQKKAA"): 119,
    ("shuangkou", "333333334444444455555555666"): 4 + 4 + 4 + 15 + 3 + 3,
    ("baohuang", "3333333333333333444444444444444499999999BBBBRRRR"): 40 * 25 + 24,
    ("baohuang street free", "33333333333333334444" + "2" * 16 + "BBBBRRRR"): 20 * 17 * 25 + 16 * 25 + 24,
}


@pytest.mark.parametrize(("rule", "cards"), LARGEST)
def test_the_largest_hands_do_not_explode(rule: str, cards: str) -> None:
    """A landlord's 20 cards, 27 with eight of a kind, an emperor's 48 and a street emperor's 44."""
    assert len(moves.plays_of(RULES[rule].vector, parse_ranks(cards))) == LARGEST[rule, cards]


@pytest.mark.parametrize(("rule", "others"), [("baohuang", 1), ("baohuang street", 2), ("baohuang jokers last", 3)])
def test_plays_are_told_apart_by_the_named_card(rule: str, others: int) -> None:
    """Each play with each number of named cards that the hand can put into it, and no other."""
    terms, random = RULES[rule].vector, np.random.default_rng(others)
    for _ in range(200):
        hand = random_hand(RULES[rule], int(random.integers(1, 13)), random)
        rank = int(random.integers(0, kernel.TWO))
        copies = int(random.integers(0, min(4, hand[rank]) + 1))
        expected = [
            (int(play), taken)
            for play in moves.plays_of(terms, hand)
            for taken in range(copies + 1)
            if taken <= kernel.count_of(int(play), rank) <= taken + hand[rank] - copies
        ]
        named = moves.named_plays_of(terms, hand, rank, copies).tolist()
        assert sorted((play & ((1 << 60) - 1), kernel.named_of(play)) for play in named) == sorted(expected)
        assert len(set(named)) == len(named)

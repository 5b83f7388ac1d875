"""Sampling hidden cards: every consistent deal, each as often as any other, none else."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from junto.search.worlds.outline import NoWorld
from junto.search.worlds.sets import Worlds, count_worlds, draw_worlds

from .enumeration import placements

ALL_CARDS = (1 << 54) - 1
SPADES, HEARTS = (1 << 13) - 1, (1 << 13) - 1 << 13

Problem = tuple[list[int], list[int], list[int]]


def problems(number: int) -> list[Problem]:
    """Small random problems: cards, barred cards by place, sizes by place."""
    rng = Random(20)
    found: list[Problem] = []
    while len(found) < number:
        sizes = [rng.randint(0, 3) for _ in range(rng.randint(2, 5))]
        if 2 <= sum(sizes) <= 8:
            cards = sorted(rng.sample(range(54), sum(sizes)))
            share = rng.choice((0.0, 0.2, 0.5))
            found.append((cards, [sum(1 << card for card in cards if rng.random() < share) for _ in sizes], sizes))
    return found


def counted(problem: Problem) -> Worlds | None:
    cards, barred, sizes = problem
    try:
        return count_worlds(sum(1 << card for card in cards), barred, sizes)
    except NoWorld:
        return None


def test_the_count_is_that_of_an_enumeration() -> None:
    """The number of deals is exact; where there is none the sampler says so."""
    for problem in problems(150):
        worlds, found = counted(problem), list(placements(*problem))
        assert len(found) == (worlds.count if worlds else 0)


def test_the_chances_are_those_of_an_enumeration() -> None:
    """Where a card lies has exactly the probability that counting all deals gives."""
    for problem in problems(60):
        worlds, found = counted(problem), list(placements(*problem))
        for card in problem[0] if worlds else ():
            shares = [sum(deal[place] >> card & 1 for deal in found) / len(found) for place in range(len(problem[2]))]
            assert worlds is not None
            assert worlds.chances(card) == pytest.approx(shares, abs=1e-12)


def test_every_deal_is_drawn_equally_often() -> None:
    """Chi-square of draws against the full enumeration; nothing else is ever drawn."""
    values = []
    for number, problem in enumerate(problems(60)):
        worlds, found = counted(problem), list(placements(*problem))
        if worlds is None or not 2 <= len(found) <= 400:
            continue
        drawn = Counter(tuple(worlds.sample(number, world)) for world in range(10 * len(found) + 200))
        assert set(drawn) <= set(found)
        values.append(chisquare([drawn[deal] for deal in found]).pvalue)
    assert len(values) > 20
    assert min(values) > 1e-5
    assert 0.2 < float(np.mean(values)) < 0.8


def test_a_whole_deal_has_its_known_number_of_worlds() -> None:
    """Forty-four cards to four hands of ten and a pile of four: the multinomial number, to rounding."""
    worlds = count_worlds(ALL_CARDS & ~0b1111111111, [0] * 6, [0, 10, 10, 10, 10, 4])
    assert worlds.count == pytest.approx(6.388e26, rel=1e-3)
    assert sum(hand.bit_count() for hand in worlds.sample(1, 1)) == 44


def test_voids_in_a_large_deal_are_kept() -> None:
    """In ten thousand draws no place holds a card that it cannot hold, and all cards are there once."""
    barred = [0, SPADES, HEARTS, 0, SPADES | HEARTS, 0]
    unseen = sum(1 << card for card in Random(1).sample(range(54), 32))
    worlds = count_worlds(unseen, barred, [0, 7, 7, 7, 7, 4])
    for number in range(10_000):
        hands = worlds.sample(3, number)
        assert not any(hand & cards for hand, cards in zip(hands, barred, strict=True))
        assert sum(hands) == unseen


def test_a_draw_depends_on_seed_and_number_alone() -> None:
    """The same seed and number give the same deal; others give others."""
    worlds = count_worlds(ALL_CARDS, [0] * 4, [14, 14, 13, 13])
    assert worlds.sample(5, 7) == worlds.sample(5, 7)
    assert worlds.sample(5, 7) != worlds.sample(5, 8)
    assert worlds.sample(5, 7) != worlds.sample(6, 7)
    assert draw_worlds(worlds, 5, 3, np.zeros(4, np.int64)) == draw_worlds(worlds, 5, 3, np.zeros(4, np.int64))


@pytest.mark.parametrize(
    ("unseen", "barred", "sizes", "sentence"),
    [
        (0b111, [0, 0], [1, 1], "3 cards are hidden, and there are places for 2"),
        (0b11, [0b1, 0b1], [1, 1], "a hidden card can lie nowhere"),
        (0b111, [0b11, 0], [2, 1], "contradicts itself"),
    ],
)
def test_knowledge_that_contradicts_itself_is_refused(
    unseen: int, barred: list[int], sizes: list[int], sentence: str
) -> None:
    """Too many cards, a card without a place, or places without cards: a clear error."""
    with pytest.raises(NoWorld, match=sentence):
        count_worlds(unseen, barred, sizes)


def test_nothing_hidden_is_one_world() -> None:
    """When every card is known there is one world, and it is empty."""
    worlds = count_worlds(0, [0, 0], [0, 0])
    assert worlds.count == 1.0
    assert worlds.sample(1, 1) == [0, 0]

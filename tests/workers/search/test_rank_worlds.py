"""Sampling the hidden cards of several packs: every deal of labelled cards as often as any other, none else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from junto.games.cards import BIG_JOKER, PACK, SMALL_JOKER, mask_of, parse_card
from junto.games.climbing.kernel import BIG, RANKS, SMALL, TWO
from junto.games.climbing.ranks import counts_of, rank_of_card
from junto.search.worlds.outline import Limit, NoWorld
from junto.search.worlds.ranks import RankWorlds, count_rank_worlds, draw_rank_worlds

from .enumeration import holders

TWOS = mask_of(card for card in range(PACK) if rank_of_card(card) == TWO)
World = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


@dataclass(frozen=True)
class Problem:
    """Hidden cards of one to four packs, and places for them; perhaps one card is named, and of another few may lie in
    some places.
    """

    cards: tuple[int, ...]
    barred: tuple[int, ...]
    sizes: tuple[int, ...]
    named: int | None
    limit: Limit | None

    def counted(self) -> RankWorlds | None:
        try:
            return count_rank_worlds(self.cards, self.barred, self.sizes, self.named, self.limit)
        except NoWorld:
            return None

    def deals(self) -> Iterator[tuple[int, ...]]:
        return (deal for deal in holders(self.cards, self.barred, self.sizes) if self._is_within_limit(deal))

    def _is_within_limit(self, deal: tuple[int, ...]) -> bool:
        if self.limit is None:
            return True
        limited = [place for card, place in zip(self.cards, deal, strict=True) if self.limit.cards >> card & 1]
        return all(limited.count(place) <= self.limit.most[place] for place in self.places)

    def world(self, deal: tuple[int, ...]) -> World:
        """Return what a draw says of a deal."""
        hands = [[card for card, where in zip(self.cards, deal, strict=True) if where == at] for at in self.places]
        return (
            tuple(tuple(counts_of(hand).tolist()) for hand in hands),
            tuple(0 if self.named is None else hand.count(self.named) for hand in hands),
        )

    @property
    def places(self) -> range:
        return range(len(self.sizes))


def problems(number: int) -> list[Problem]:
    """Small random problems: few faces, with up to four copies each, so that much is equal."""
    rng = Random(11)
    found: list[Problem] = []
    while len(found) < number:
        sizes = tuple(rng.randint(0, 3) for _ in range(rng.randint(2, 5)))
        faces = rng.sample(range(PACK), rng.randint(2, 5))
        pack = faces * rng.randint(1, 4)
        if 2 <= sum(sizes) <= min(8, len(pack)):
            share = rng.choice((0.0, 0.2, 0.5))
            barred = tuple(mask_of(face for face in faces if rng.random() < share) for _ in sizes)
            cards = tuple(rng.sample(pack, sum(sizes)))
            most = tuple(rng.randint(0, 4) for _ in sizes)
            limit = Limit(1 << faces[1], most) if rng.random() < 0.4 else None
            found.append(Problem(cards, barred, sizes, rng.choice((None, faces[0])), limit))
    return found


def read(drawn: tuple[np.ndarray, np.ndarray]) -> World:
    counts, named = drawn
    return tuple(map(tuple, counts.tolist())), tuple(named.tolist())


def test_the_count_is_that_of_an_enumeration() -> None:
    """The number of labelled deals is exact; where there is none the sampler says so."""
    numbers = set()
    for problem in problems(200):
        worlds, found = problem.counted(), sum(1 for _ in problem.deals())
        assert found == (worlds.count if worlds else 0)
        numbers.add(found)
    assert len(numbers) > 20


def test_the_chances_are_those_of_an_enumeration() -> None:
    """Where one of several equal cards lies has exactly the probability that going through all deals gives."""
    for problem in problems(80):
        worlds, found = problem.counted(), list(problem.deals())
        for number, card in enumerate(problem.cards) if worlds else ():
            shares = [sum(deal[number] == place for deal in found) / len(found) for place in problem.places]
            assert worlds is not None
            assert worlds.chances(card) == pytest.approx(shares, abs=1e-12)


def test_every_world_is_drawn_as_often_as_it_has_deals() -> None:
    """Chi-square of drawn counts and copies against all labelled deals; nothing else is ever drawn."""
    values, kinds = [], set()
    for number, problem in enumerate(problems(150)):
        worlds, likely = problem.counted(), Counter(map(problem.world, problem.deals()))
        if worlds is None or not 2 <= len(likely) <= 150 or min(likely.values()) * 300 < likely.total():
            continue
        tries = 20 * likely.total() // min(likely.values()) + 200
        drawn = Counter(read(worlds.sample(number, world)) for world in range(tries))
        assert set(drawn) <= set(likely)
        expected = np.array(list(likely.values())) * (tries / likely.total())
        values.append(chisquare([drawn[world] for world in likely], expected).pvalue)
        kinds.add((len(set(problem.barred)), problem.named is None, problem.limit is None))
    assert len(values) > 40
    assert len(kinds) > 8
    assert min(values) > 1e-4
    assert 0.3 < float(np.mean(values)) < 0.7


def hidden_of_baohuang() -> tuple[list[int], list[int], list[int]]:
    """Deal 215 cards; return those that one seat does not see, what the others cannot hold, and their sizes."""
    pack = [card for card in range(PACK) for _ in range(4)]
    pack.remove(BIG_JOKER)
    Random(5).shuffle(pack)
    jokers = 1 << SMALL_JOKER | 1 << BIG_JOKER
    return pack[43:], [0, TWOS, jokers, TWOS | 1 << BIG_JOKER, 0], [0, 43, 43, 43, 43]


def test_a_whole_deal_of_baohuang_keeps_what_is_known() -> None:
    """In two thousand draws no seat holds what it cannot hold, sizes are right, and all cards are there once."""
    hidden, barred, sizes = hidden_of_baohuang()
    named = parse_card("S9")
    worlds = count_rank_worlds(hidden, barred, sizes, named)
    for number in range(2000):
        counts, copies = worlds.sample(3, number)
        assert counts.sum(axis=1).tolist() == sizes
        assert counts.sum(axis=0).tolist() == counts_of(hidden).tolist()
        assert counts[1, TWO] == counts[2, SMALL] == counts[2, BIG] == counts[3, TWO] == counts[3, BIG] == 0
        assert copies.sum() == hidden.count(named)
        assert (copies <= counts[:, rank_of_card(named)]).all()


def test_ranks_lie_in_a_whole_deal_as_often_as_their_chances_say() -> None:
    """The average of many draws is the exact expectation of each rank in each place."""
    hidden, barred, sizes = hidden_of_baohuang()
    worlds = count_rank_worlds(hidden, barred, sizes)
    number = 4000
    drawn = np.array([worlds.sample(9, world)[0] for world in range(number)])
    expected, spread = np.zeros((5, RANKS)), drawn.std(axis=0) / number**0.5
    for card in hidden:
        expected[:, rank_of_card(card)] += worlds.chances(card)
    assert (abs(drawn.mean(axis=0) - expected) <= 4.5 * spread + 1e-9).all()


def test_the_number_of_whole_deals_is_the_multinomial_one() -> None:
    """A hundred and seventy-two cards in four hands: a number beyond 2^53, to rounding."""
    hidden = hidden_of_baohuang()[0]
    assert count_rank_worlds(hidden, [0] * 4, [43] * 4).count == pytest.approx(1.60e100, rel=5e-3)


def test_a_draw_depends_on_seed_and_number_alone() -> None:
    """The same seed and number give the same world; others give others."""
    hidden, barred, sizes = hidden_of_baohuang()
    worlds = count_rank_worlds(hidden, barred, sizes, hidden[0])
    assert read(worlds.sample(5, 7)) == read(worlds.sample(5, 7))
    assert read(worlds.sample(5, 7)) != read(worlds.sample(5, 8))
    assert read(worlds.sample(5, 7)) != read(worlds.sample(6, 7))
    assert draw_rank_worlds(worlds, 5, 3, 5) == draw_rank_worlds(worlds, 5, 3, 5)


@pytest.mark.parametrize(
    ("hidden", "barred", "sizes", "sentence"),
    [
        ([0, 0, 0], [0, 0], [1, 1], "3 cards are hidden, and there are places for 2"),
        ([0, 0], [0b1, 0b1], [1, 1], "a hidden card can lie nowhere"),
        ([0, 0, 1], [0b1, 0], [2, 1], "contradicts itself"),
    ],
)
def test_knowledge_that_contradicts_itself_is_refused(
    hidden: list[int], barred: list[int], sizes: list[int], sentence: str
) -> None:
    """Too many cards, a card without a place, or places without cards: a clear error."""
    with pytest.raises(NoWorld, match=sentence):
        count_rank_worlds(hidden, barred, sizes)


def test_nothing_hidden_is_one_world() -> None:
    """When every card is known there is one world, and it is empty."""
    worlds = count_rank_worlds([], [0, 0], [0, 0])
    assert worlds.count == 1.0
    assert not worlds.sample(1, 1)[0].any()

"""The worlds behind a pile that lies face down, in bridge for three: exactly as likely as the deal makes them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from junto.games.bridge.three import PILE, BridgeThree, points_of, row_of
from junto.games.cards import Card, cards_in, mask_of, suit_of
from junto.games.tricks.deal import TricksDeal
from junto.games.view import Phase
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.pile import PileSeen, PileWorlds, pile_worlds
from junto.search.worlds.outline import NoWorld
from junto.search.worlds.sets import Worlds

from ...games.playing import first_deal, random_action, random_game  # noqa: TID252 (tests are no package)

PILE_PLACE = 2
SUIT = (1 << 13) - 1


@dataclass(frozen=True)
class Small:
    """A small deal at its opening lead: the cards that the leader has not in his hand, and what he knows of them."""

    unseen: tuple[Card, ...]
    seen: PileSeen
    sizes: tuple[int, int, int, int]

    @property
    def worlds(self) -> PileWorlds:
        return pile_worlds(mask_of(self.unseen), self.seen, self.sizes)


def small_deal(rng: Random, group: int, of_a_suit: int) -> Small:
    """Deal a small pack by the rules: a pile of one open card and a group for each player, then the hands."""
    ranks = rng.sample(range(6, 13), of_a_suit)
    pack = [suit * 13 + rank for suit in range(4) for rank in ranks]
    rng.shuffle(pack)
    count = 1 + 3 * group
    pile, rest = pack[:count], pack[count:]
    looked_at = rng.sample(pile, count)
    mine, others = looked_at[: 1 + group], looked_at[1 + group :]
    own = rest[: len(rest) // 3]
    left = len(rest) - len(own)
    sizes = (left // 2, left - left // 2, count, 0)
    row = tuple(card if card in mine else None for card in row_of(pile))
    points = (points_of(others[:group]), points_of(others[group:]))
    return Small(tuple(card for card in pack if card not in own), PileSeen(PILE_PLACE, row, points), sizes)


def weights_of_piles(deal: Small) -> dict[int, int]:
    """Return every pile that is possible, with in how many orders and after how many looks all is as it was seen.

    The orders of the pile are gone through one by one, and so are the looks.
    """
    known, group = list(cards_in(deal.seen.known)), deal.seen.looked_at
    hidden = [card for card in deal.unseen if card not in known]
    found: Counter[int] = Counter()
    for rest in itertools.combinations(hidden, 2 * group):
        pile = (*known, *rest)
        looks = sum(
            (points_of(first), points_of([card for card in rest if card not in first])) == deal.seen.points
            for first in itertools.combinations(rest, group)
        )
        orders = sum(agrees(row_of(order), deal.seen) for order in itertools.permutations(pile)) if looks else 0
        if orders:
            found[mask_of(pile)] = orders * looks
    return found


def agrees(row: tuple[Card, ...], seen: PileSeen) -> bool:
    return all(card is None or card == laid for card, laid in zip(seen.row, row, strict=True))


def hands_beside(deal: Small, pile: int) -> Iterator[tuple[int, ...]]:
    rest = [card for card in deal.unseen if not pile >> card & 1]
    for hand in itertools.combinations(rest, deal.sizes[0]):
        yield mask_of(hand), mask_of(rest) ^ mask_of(hand), pile, 0


def some_small_deals() -> list[Small]:
    rng = Random(17)
    ones = [small_deal(rng, 1, of_a_suit) for of_a_suit in (2, 3, 4) for _ in range(6)]
    return ones + [small_deal(rng, 2, 3) for _ in range(3)]


@pytest.fixture(scope="module")
def enumerated() -> list[tuple[Small, dict[int, int]]]:
    """Small deals, each with all its possible piles."""
    return [(deal, weights_of_piles(deal)) for deal in some_small_deals()]


def test_the_count_is_that_of_an_enumeration(enumerated: list[tuple[Small, dict[int, int]]]) -> None:
    """All orders of the pile and all looks that agree are counted, over all deals."""
    for deal, piles in enumerated:
        shares = sum(piles.values()) / math.factorial(len(deal.seen.row))
        assert deal.worlds.count == pytest.approx(shares * math.comb(sum(deal.sizes[:2]), deal.sizes[0]), rel=1e-12)


def test_the_chances_are_those_of_an_enumeration(enumerated: list[tuple[Small, dict[int, int]]]) -> None:
    """Where a card lies has exactly the probability that going through all deals gives."""
    for deal, piles in enumerated:
        total, worlds, (one, other) = sum(piles.values()), deal.worlds, deal.sizes[:2]
        for card in deal.unseen:
            in_pile = sum(weight for pile, weight in piles.items() if pile >> card & 1) / total
            in_hands = [(1 - in_pile) * size / (one + other) for size in (one, other)]
            assert worlds.chances(card) == pytest.approx([*in_hands, in_pile, 0.0], abs=1e-12)


def test_every_world_is_drawn_as_often_as_it_is_likely(enumerated: list[tuple[Small, dict[int, int]]]) -> None:
    """Chi-square of drawn worlds, hands and pile, against the full enumeration; nothing else is ever drawn."""
    values = []
    for seed, (deal, piles) in enumerate(enumerated):
        likely = {hands: weight for pile, weight in piles.items() for hands in hands_beside(deal, pile)}
        expected = np.array(list(likely.values()), float)
        expected *= 8.0 / expected.min()  # the rarest world is drawn about eight times
        matrix = np.zeros((round(expected.sum()), 4), np.int64)
        deal.worlds.draw(seed, 0, matrix)
        drawn = Counter(map(tuple, matrix.tolist()))
        assert set(drawn) <= set(likely)
        if len(likely) > 1:
            expected *= len(matrix) / expected.sum()
            values.append(chisquare([drawn[hands] for hands in likely], expected).pvalue)
    assert len(values) > 15
    assert min(values) > 1e-4
    assert 0.25 < float(np.mean(values)) < 0.75


def leads(number: int, seed: int = 4) -> Iterator[tuple[TricksDeal, Knowledge]]:
    """Yield random deals, played by random actions to the opening lead, and what the leader knows."""
    rng = Random(seed)
    while number:
        deal = first_deal(random_game(BridgeThree, rng), rng).deal
        while deal.phase is Phase.AUCTION:
            deal = deal.apply(random_action(deal, rng)).deal
        if deal.phase is Phase.PLAY:
            assert isinstance(deal, TricksDeal)
            assert deal.to_act is not None
            number -= 1
            yield deal, knowledge_of(deal.view(deal.to_act))


def is_possible(known: Knowledge, hands: list[int]) -> bool:
    """Tell whether these hands by place, without the leader's own, agree with all that he knows."""
    seen = known.pile
    assert seen is not None
    pile = hands[seen.place]
    row = iter(sorted(cards_in(pile & ~seen.known)))
    hidden = list(cards_in(pile & ~seen.known))
    counted = {
        (points_of(first), points_of([card for card in hidden if card not in first]))
        for first in itertools.combinations(hidden, 4)
    }
    laid = [next(row) if card is None else card for card in seen.row] if len(hidden) == 8 else []
    return (
        [hand.bit_count() for hand in hands] == [0 if place == known.place else 13 for place in range(4)] + [0]
        and sum(hands) == known.pack & ~known.own
        and seen.known & ~pile == 0
        and [suit_of(card) for card in laid] == sorted(suit_of(card) for card in laid)
        and seen.points in counted
    )


def test_the_true_deal_is_always_among_the_worlds_at_the_lead() -> None:
    """At the opening lead of random deals with random options, what is really so agrees and has a weight."""
    for deal, known in leads(150):
        order = [hand.seat for hand in deal.shared.hands]
        truth = [0 if place == known.place else deal.hands[number] for place, number in enumerate(order)]
        worlds = known.worlds()
        assert isinstance(worlds, PileWorlds)
        assert order[worlds.seen.place] == PILE
        assert worlds.count > 0.0
        assert is_possible(known, [*truth, 0])


def test_every_drawn_world_agrees_with_what_the_leader_knows() -> None:
    """Hands, the known cards' slots, the order of suits and the reports hold in each world of the search's pool."""
    for _, known in leads(40, seed=5):
        pool = Pool(known, known.worlds(), seed=9)
        for row in pool.rows(0, 60):
            hands = pool.matrix[row].tolist()
            assert hands[known.place] == known.own
            hands[known.place] = 0
            assert is_possible(known, hands)
        assert len(set(pool.weights.tolist())) == 1


def test_the_chances_are_those_of_the_draws() -> None:
    """With the whole pack, cards are drawn into each place as often as their exact chances say."""
    for _, known in leads(5, seed=6):
        worlds, matrix = known.worlds(), np.zeros((20_000, 5), np.int64)
        assert isinstance(worlds, PileWorlds)
        worlds.draw(3, 0, matrix)
        for card in cards_in(known.pack & ~known.own):
            often = (matrix >> card & 1).mean(axis=0)
            assert often.tolist() == pytest.approx(worlds.chances(card), abs=0.02)


def marks_of(seen: PileSeen, pile: int) -> tuple[int, int]:
    """Return two numbers that tell how well suits' lengths go with how many of their cards are known, and where."""
    lengths = [(pile >> 13 * suit & SUIT).bit_count() for suit in range(4)]
    known = [(slot, suit_of(card)) for slot, card in enumerate(seen.row) if card is not None]
    return sum(lengths[suit] for _, suit in known), sum((slot - sum(lengths[:suit])) ** 2 for slot, suit in known)


def test_the_piles_that_are_dealt_are_those_that_are_drawn() -> None:
    """Over many random deals the true pile's suits are on average as long as the drawn worlds say.

    That holds only if the weights are those of the deals that the game really deals.
    """
    surprise, spread = np.zeros(2), np.zeros(2)
    for deal, known in leads(250, seed=7):
        assert known.pile is not None
        worlds, matrix = known.worlds(), np.zeros((200, 5), np.int64)
        assert isinstance(worlds, PileWorlds)
        worlds.draw(1, 0, matrix)
        drawn = np.array([marks_of(known.pile, pile) for pile in matrix[:, known.pile.place].tolist()])
        surprise += np.array(marks_of(known.pile, deal.hands[PILE])) - drawn.mean(axis=0)
        spread += drawn.var(axis=0)
    assert (abs(surprise) < 3.5 * spread**0.5).all()


def test_a_world_depends_on_the_seed_and_its_number_alone() -> None:
    """Drawn in one piece or in several, the worlds are the same; another seed gives others."""
    _, known = next(leads(1))
    worlds = known.worlds()
    assert isinstance(worlds, PileWorlds)
    whole, tail, others = (np.zeros((rows, 5), np.int64) for rows in (50, 20, 50))
    worlds.draw(8, 0, whole)
    worlds.draw(8, 30, tail)
    worlds.draw(9, 0, others)
    assert tail.tolist() == whole[30:].tolist()
    assert worlds.sample(8, 7) == whole[7].tolist()
    assert others.tolist() != whole.tolist()


def test_the_pile_is_open_after_the_lead() -> None:
    """From the second card on the ordinary count is enough, and it holds the pile's cards where they lie."""
    rng = Random(1)
    for deal, _ in leads(20, seed=8):
        later = deal.apply(random_action(deal, rng)).deal
        assert later.to_act is not None
        known = knowledge_of(later.view(later.to_act))
        assert known.pile is None
        assert isinstance(known.worlds(), Worlds)


def test_a_contradiction_is_said() -> None:
    """A report that no four cards count, or a slot that no block reaches, leaves no world."""
    _, known = next(leads(1))
    assert known.pile is not None
    for wrong in (
        replace(known.pile, points=(17, 0)),
        replace(known.pile, points=(16, 16)),
        replace(known.pile, row=known.pile.row[::-1]),
        replace(known.pile, row=known.pile.row[1:]),
    ):
        with pytest.raises(NoWorld):
            replace(known, pile=wrong).worlds()

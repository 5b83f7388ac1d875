"""Worlds weighed by what the seats did: evidence, set-ups that explain the cards put back, and even picks."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from junto.games.cards import Card
from junto.games.catalog import GAMES
from junto.games.core import View
from junto.games.tricks.kernel import COUNTING, SECRETARIES, SPECIAL, TRUMPS
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.tricks import weighing
from junto.search.tricks.habits import costs_of
from junto.search.tricks.inference import Pool, evidence_of
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.position import calls_of
from junto.search.tricks.setup import FEATURES, choose_put_back, house_vector
from junto.search.tricks.weighing import EVIDENCE, OTHER_PUT_BACK, settle

from ...games.playing import first_deal  # noqa: TID252 (tests are no package)

CALLING = ("napoleon-tw", "napoleon-jp", "napoleon-4p", "hundred")
CRITICAL = 4.0
"""Standard deviations of a chi-square statistic beyond which a sample is not what it should be."""


def views(game_id: str, seed: int) -> list[View]:
    """Return what seats that did not become declarer see in the play of a deal that all play by the rules of thumb."""
    rng = Random(seed)
    found: list[View] = []
    while not found:
        deal = first_deal(GAMES[game_id](), rng).deal
        while (seat := deal.to_act) is not None:
            view = deal.view(seat)
            if deal.phase is Phase.PLAY and knowledge_of(view).declarer != knowledge_of(view).place:
                found.append(view)
            deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1, seed=1)).action).deal
    return found


@pytest.mark.parametrize("game_id", CALLING)
def test_settled_worlds_are_possible(game_id: str) -> None:
    """Hands keep their sizes and nothing comes to a place that cannot have it; called cards stay where they were."""
    settles = moved = False
    for view in views(game_id, 3)[::5]:
        known = knowledge_of(view)
        pool = Pool(known, known.worlds(), 7)
        drawn = Pool(known, known.worlds(), 7, infers=False)
        pool.rows(0, 20)
        drawn.rows(0, 20)
        called = int(known.rules[SECRETARIES])

        assert (pool.matrix & called == drawn.matrix & called).all()
        assert [
            [int(hand).bit_count() for hand in row] for row in pool.matrix
        ] == [[int(hand).bit_count() for hand in row] for row in drawn.matrix]  # fmt: skip
        for place, barred in enumerate([*known.barred_hands(), known.barred_kitty()]):
            assert place == known.place or not (pool.matrix[:, place] & barred).any()
        settles |= known.hidden_put_back > 0
        moved |= bool((pool.matrix != drawn.matrix).any())
    assert moved == settles
    assert settles


def test_worlds_settle_where_their_cost_makes_them_likely() -> None:
    """After long settling, piles of each number of cards that the rules would keep are as frequent as they cost."""
    view = views("napoleon-tw", 5)[0]
    known = knowledge_of(view)
    assert known.house is not None
    house, rules = house_vector(known.house), known.rules
    pool = Pool(known, known.worlds(), 7, infers=False)
    pool.rows(0, 60)
    start, costs = pool.matrix[:1], np.zeros(EVIDENCE, np.int64)
    costs[OTHER_PUT_BACK] = 60
    dear = int(rules[SPECIAL] | rules[TRUMPS] | rules[COUNTING])
    declarer = known.declarer
    barred = np.full(known.terms.seats + 1, -1, np.int64)
    barred[declarer] = barred[-1] = 0  # only these two exchange cards
    calls = calls_of(known)[declarer]
    both = int(start[0, declarer] | start[0, -1])
    plain = [card for card in range(54) if both >> card & 1 and not dear >> card & 1]
    size = int(start[0, -1]).bit_count()
    if int(start[0, -1]) & dear or len(plain) < size + 1:
        start = start.copy()
        start[0, -1] = sum(1 << card for card in plain[:size])
        start[0, declarer] = both & ~int(start[0, -1])
    worlds = np.repeat(start, 3000, axis=0)
    for time in range(12):
        settle(
            worlds, house, rules, known.place, declarer, calls, barred, costs, time, 0,
            *(np.zeros(length, np.int64) for length in (EVIDENCE, FEATURES, 2)),
        )  # fmt: skip
    found = Counter(int(pile) for pile in worlds[:, -1])
    kept = int(choose_put_back(house, both, known.trump, size))
    odds = {pile: math.exp(-0.6 * (pile & ~kept).bit_count()) for pile in piles(plain, size)}
    total = sum(odds.values())
    expected = {pile: 3000 * chance / total for pile, chance in odds.items()}
    square = sum((found[pile] - number) ** 2 / number for pile, number in expected.items())

    assert set(found) <= set(expected)
    assert square < len(expected) - 1 + CRITICAL * math.sqrt(2 * len(expected))


def piles(cards: list[int], size: int) -> list[int]:
    """Return all sets of so many of these cards."""
    if size == 0:
        return [0]
    return [1 << card | rest for number, card in enumerate(cards) for rest in piles(cards[number + 1 :], size - 1)]


def guessing(game_id: str) -> list[tuple[Knowledge, Card]]:
    """Return what seats know that have to guess who holds a called card, and the card: three or more."""
    found: list[tuple[Knowledge, Card]] = []
    seed = 2
    while len(found) < 9:
        for view in views(game_id, seed):
            known = knowledge_of(view)
            found += [(known, card) for card in known.secretaries if not (known.own | known.played) >> card & 1][:1]
        seed += 1
    return found


@pytest.mark.parametrize("game_id", CALLING)
def test_picked_worlds_go_round_the_possible_holders(game_id: str) -> None:
    """Of any few worlds in a row each place has the called card as often as its chance says, give or take two."""
    for known, card in guessing(game_id)[:9:4]:
        pool = Pool(known, known.worlds(), 3)
        pool.rows(0, 64)
        rows = pool.rows(0, 40)
        weights = pool.weights / pool.weights.sum()
        for place in range(known.terms.seats):
            held = pool.matrix[:, place] >> card & 1

            assert abs(held[rows].sum() - 40 * (weights @ held)) <= 2.0


@pytest.mark.parametrize("game_id", CALLING)
def test_without_inference_the_holder_is_as_likely_as_counted(game_id: str) -> None:
    """Chance does not add to what is believed: the holders' shares are exact however few worlds are drawn."""
    known, card = guessing(game_id)[0]
    pool = Pool(known, known.worlds(), 3, infers=False)
    assert pool.chances(card) == pytest.approx(pool.worlds.chances(card), abs=0.02)


@pytest.mark.parametrize("game_id", CALLING)
def test_evidence_against_the_rules_of_thumb_is_counted_in_true_worlds_never(game_id: str) -> None:
    """Where all go by the rules of thumb the true world shows no lead and no card unlike theirs."""
    rng = Random(9)
    deal = first_deal(GAMES[game_id](), rng).deal
    while (seat := deal.to_act) is not None:
        view = deal.view(seat)
        if deal.phase is Phase.PLAY and rng.random() < 0.2:
            known = knowledge_of(view)
            place_of = {hand.seat: place for place, hand in enumerate(deal.shared.hands)}
            row = np.zeros((1, known.terms.seats + 1), np.int64)
            for own in deal.owns:
                row[0, place_of[own.seat]] = sum(1 << card for card in own.hand)
                row[0, -1] |= sum(1 << card for card in own.put_back if card not in deal.shared.put_back)
            pool = Pool(known, known.worlds(), 1)
            found = evidence_of(known, pool.position, row)[0]

            unlike = [weighing.LED_OTHER, weighing.LED_OTHER_ALLIED, weighing.LED_OTHER_DECLARING]
            unlike += range(weighing.TRICK_LEFT, weighing.TO_DECLARER_ALLIED)
            assert not found[unlike].any()
        deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1, seed=1)).action).deal


def test_every_game_has_costs_that_tell_worlds_apart() -> None:
    """Bridge by what was bid, all others by what was played: pools that infer do not weigh all worlds alike."""
    for game_id in (*CALLING, "whist", "bridge", "bridge-3p"):
        rng = Random(1)
        deal = first_deal(GAMES[game_id](), rng).deal
        while deal.phase is not Phase.PLAY:
            assert deal.to_act is not None
            view = deal.view(deal.to_act)
            deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1, seed=1)).action).deal
        for _ in range(9):
            assert deal.to_act is not None
            view = deal.view(deal.to_act)
            deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1, seed=1)).action).deal
        assert deal.to_act is not None
        known = knowledge_of(deal.view(deal.to_act))
        pools = [Pool(known, known.worlds(), 1, infers=infers) for infers in (True, False)]
        for pool in pools:
            pool.draw(50)
        assert costs_of(known).shape == (EVIDENCE,)
        assert pools[0].independent() < 0.95 * pools[1].independent()


def test_a_pool_is_as_large_as_it_was_asked_to_be() -> None:
    """Who wants so many worlds gets so many, whatever a search would draw."""
    known, _ = guessing("hundred")[0]
    for infers in (True, False):
        pool = Pool(known, known.worlds(), 3, infers=infers)
        for worlds in (1, 256, 3000):
            pool.draw(worlds)
            assert len(pool.matrix) == pool.weights.size == worlds
        pool.draw(10)
        assert pool.weights.size == 3000

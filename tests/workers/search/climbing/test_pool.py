"""Worlds of a decision: as likely as what others have done makes them, repeatable, and all of them possible."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import pytest

from junto.games.cards import Card, mask_of
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import counts_of
from junto.games.core import View
from junto.games.options import OptionValue
from junto.games.view import Role
from junto.search.climbing.guard import guard_beliefs
from junto.search.climbing.inference import Evidence
from junto.search.climbing.knowledge import Knowledge, knowledge_of
from junto.search.climbing.openings import by_rule_of_thumb
from junto.search.climbing.pool import Pool, pool_of, rise_of
from junto.search.climbing.strata import by_holder, whole
from junto.search.climbing.worlds import COPIES_AT, Table
from junto.search.picking import effective

from ..enumeration import holders  # noqa: TID252  # tests are no package
from .begun import GAMES, deal_to_play
from .playing import after_rules_of_thumb, true_world

EVERY_GAME = pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
MOST_WAYS = 300
Key = tuple[int, ...]
Shares = Mapping[Key, float]


@functools.cache
def small_decision(game_id: str) -> tuple[ClimbingDeal, Knowledge, dict[Key, float], dict[Key, float]]:
    """Return a late decision with few worlds: the share of each by the plain count, and by the evidence.

    The evidence tells much there.
    """
    for seed in range(200):
        deal = deal_to_play(game_id, {}, seed)
        while not deal.is_over:
            known = knowledge_of(deal.view(deal.seat))
            if 10 < known.worlds().count < MOST_WAYS and min(filter(None, known.sizes)) > 1:
                plain, told = shares(deal, known)
                if distance(plain, told) > 0.3 and max(told.values()) < 0.9:
                    return deal, known, plain, told
            deal = deal.apply(by_rule_of_thumb(deal)).deal  # type: ignore[assignment]
    raise AssertionError("no such decision")


def shares(deal: ClimbingDeal, known: Knowledge, part: float = 1.0) -> tuple[dict[Key, float], dict[Key, float]]:
    """Return the share of each world by the plain count of labelled deals, and by its weight or a part of it."""
    ways: dict[Key, int] = defaultdict(int)
    tables: dict[Key, Table] = {}
    for places in holders(known.hidden, known.barred, known.sizes):
        table = true_world(deal, known)
        table[0, :, :COPIES_AT] = known.counts
        for card, place in zip(known.hidden, places, strict=True):
            table[0, place, :COPIES_AT] += counts_of([card]).astype(np.int8)
        key = key_of(table[0])
        ways[key] += 1
        tables[key] = table
    logs = Evidence(deal.view(deal.seat), known).weigh(np.concatenate(list(tables.values()))).sum(axis=1)
    weights = dict(zip(tables, np.exp(part * (logs - logs.max())).tolist(), strict=True))
    return normal(ways), normal({key: ways[key] * weights[key] for key in ways})


def key_of(world: Table) -> Key:
    """Return a world as a key: the cards of each place by rank."""
    return tuple(world[:, :COPIES_AT].ravel().tolist())


def normal(shares: Mapping[Key, float]) -> dict[Key, float]:
    """Return shares that add up to one."""
    total = sum(shares.values())
    return {key: share / total for key, share in shares.items()}


def counted(table: Table, weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> dict[Key, float]:
    """Return the share of each world in a table."""
    found: dict[Key, float] = defaultdict(float)
    for world, weight in zip(table, weights.tolist(), strict=True):
        found[key_of(world)] += weight
    return normal(found)


def distance(one: Shares, other: Shares) -> float:
    """Return the total variation distance of two distributions."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2


@pytest.mark.parametrize("game_id", ["dou-dizhu", "shuangkou"])
def test_worlds_are_as_likely_as_enumeration_has_them(game_id: str) -> None:
    """By the plain count without inference, and by their weights with it, over many pools."""
    deal, known, plain, told = small_decision(game_id)
    view = deal.view(deal.seat)
    for infers, expected, other in ((False, plain, told), (True, told, plain)):
        tables, weights = [], []
        for seed in range(60):
            pool = pool_of(view, known, seed, infers=infers)
            pool.rows(0, 8)
            tables.append(pool.table)
            weights.append(pool.weights)
        found = counted(np.concatenate(tables), np.concatenate(weights))
        assert set(found) <= set(plain)
        assert distance(found, expected) < 0.12
        assert distance(found, other) > 0.2


@pytest.mark.parametrize("game_id", ["dou-dizhu", "shuangkou"])
def test_stirring_ends_in_the_weights_from_anywhere(game_id: str) -> None:
    """Worlds that were drawn blindly are after many exchanges as likely as a part of the evidence makes them."""
    deal, known, *_ = small_decision(game_id)
    plain, told = shares(deal, known, 0.3)
    evidence, pool = Evidence(deal.view(deal.seat), known), Pool([whole(known)], None, 3)
    pool.rows(0, 2000)
    logs = evidence.weigh(pool.table)
    evidence.stir(pool.table, logs, 0.3, 60, 7, 0, 0)
    assert logs == pytest.approx(evidence.weigh(pool.table), abs=1e-9)
    found = counted(pool.table, np.ones(len(pool.table)))
    assert distance(found, told) < 0.12
    assert distance(found, told) < distance(found, plain) / 2


@EVERY_GAME
def test_every_world_is_possible_and_pools_are_repeatable(game_id: str, options: Mapping[str, OptionValue]) -> None:
    """Sizes, cards and what places cannot hold are kept by draws and exchanges; a seed gives the same worlds."""
    for seed in (2, 9):
        deal = after_rules_of_thumb(game_id, options, seed, 20)
        view = deal.view(deal.seat)
        known = knowledge_of(view)
        one, other = pool_of(view, known, 12), pool_of(view, known, 12)
        assert one.rows(0, 100).tolist() == other.rows(0, 100).tolist()
        assert np.array_equal(one.table, other.table)
        added = one.table[:, :, :COPIES_AT] - known.counts
        assert (added >= 0).all()
        assert (added.sum(axis=2) == known.sizes).all()
        assert (added.sum(axis=1) == counts_of(known.hidden)).all()
        for place, barred in enumerate(known.barred):
            allowed = counts_of([card for card in known.hidden if not barred & mask_of([card])])
            assert (added[:, place] <= allowed).all()
        copies = one.table[:, :, COPIES_AT] - known.copies
        assert (copies.sum(axis=1) == (0 if known.named is None else known.hidden.count(known.named))).all()


@EVERY_GAME
def test_without_inference_all_worlds_weigh_alike(game_id: str, options: Mapping[str, OptionValue]) -> None:
    """But for the share of those who may hold the named card, which is the exact one."""
    deal = after_rules_of_thumb(game_id, options, 4, 12)
    known = knowledge_of(deal.view(deal.seat))
    pool = pool_of(deal.view(deal.seat), known, 3, infers=False)
    pool.rows(0, 64)
    for number, stratum in enumerate(pool.strata):
        weights = pool.weights[pool.stratum == number]
        assert len(set(weights.tolist())) == 1
        assert weights.sum() / pool.weights.sum() == pytest.approx(stratum.share)


def guard_unknown(preset: str) -> tuple[View, Knowledge, Card]:
    """Return what a seat sees and knows that does not know the guard, and the card that he holds."""
    for plays in range(12):
        deal = after_rules_of_thumb("baohuang", {"preset": preset}, 3, plays)
        view = deal.view(deal.seat)
        known = knowledge_of(view)
        emperor = next(one.seat for one in deal.shared.roles if one.role is Role.DECLARER)
        if known.named is not None and known.named in known.hidden and emperor != deal.seat:
            return view, known, known.named
    raise AssertionError("all know the guard")


@pytest.mark.parametrize("preset", ["classic", "shandong_street"])
def test_no_holder_of_the_named_card_is_left_to_chance(preset: str) -> None:
    """Of any number of worlds each holder has his share, but for a world or two; beliefs rule nobody out."""
    view, known, named = guard_unknown(preset)
    exact = known.worlds().chances(named)
    pool = pool_of(view, known, 8, infers=False)
    for number in (10, 33, 64):
        rows = pool.rows(0, number)
        picked = pool.stratum[rows]
        for place, stratum in enumerate(pool.strata):
            assert abs((picked == place).sum() - number * stratum.share) <= 2.5
            assert stratum.share == pytest.approx(exact[stratum.holder])
    cards, roles = guard_beliefs(view, known, pool_of(view, known, 8))
    assert sum(cards[named].values()) == pytest.approx(1.0)
    assert {place.seat for place in cards[named]} == {seat for seat, chance in enumerate(exact) if chance > 0}
    assert all(0.0 < by_role[Role.PARTNER] < 1.0 for by_role in roles.values())


def test_an_emperor_is_seldom_his_own_guard() -> None:
    """Who could show another card does: the chance that he has all copies is well below that of any other holder."""
    view, known, _ = guard_unknown("classic")
    emperor = next(one.seat for one in view.shared.roles if one.role is Role.DECLARER)
    plain = {stratum.holder: stratum.share for stratum in by_holder(known, None)}
    told = {stratum.holder: stratum.share for stratum in by_holder(known, emperor)}
    assert told[emperor] < plain[emperor] / 2
    assert sum(told.values()) == pytest.approx(1.0)


def test_evidence_comes_in_only_as_far_as_enough_worlds_count() -> None:
    """All of it at once if they do; else as much as leaves the share asked for."""
    even = np.ones(100)
    assert rise_of(even, np.zeros(100), 1.0, 0.5) == 1.0
    logs = -np.arange(100.0)
    part = rise_of(even, logs, 1.0, 0.5)
    assert 0.0 < part < 1.0
    assert effective(even * np.exp(part * logs)) == pytest.approx(50.0, abs=1.0)


def test_a_pool_is_drawn_in_whole_batches() -> None:
    """Who wants so many worlds gets so many, and at most a batch more, whether or not there is evidence."""
    view, known, _ = guard_unknown("classic")
    for infers in (True, False):
        pool = pool_of(view, known, 3, infers=infers)
        for worlds in (1, 256, 600):
            pool.draw(worlds)
            assert worlds <= len(pool.table) == pool.weights.size < worlds + 256

"""Worlds picked by weight: each as often as it is likely, evenly, and alike whatever the last bits of weights are."""

from __future__ import annotations

import numpy as np
import pytest

from junto.search.picking import Picks, effective, first_point, rounded, spread

RNG = np.random.Generator(np.random.PCG64(5))
WEIGHTS = np.exp(-5.0 * RNG.random(300))
GROUPS = RNG.integers(0, 4, 300)


def test_rows_are_picked_as_often_as_they_weigh() -> None:
    """Of any number of picks in a row each group has its share, but for two; of many each row has."""
    picks = Picks(WEIGHTS, GROUPS)
    for first, number in ((0, 7), (30, 40), (500, 100)):
        rows = picks.at(spread(0.3, first, number))
        for group in range(4):
            share = WEIGHTS[group == GROUPS].sum() / WEIGHTS.sum()
            assert abs((GROUPS[rows] == group).sum() - number * share) <= 2.0
    found = np.bincount(picks.at(spread(0.3, 0, 100_000)), minlength=300)
    assert np.abs(found - 100_000 * WEIGHTS / WEIGHTS.sum()).max() < 4.0


def test_the_last_bit_of_a_weight_changes_no_pick() -> None:
    """Processors differ in it: the same rows are picked, and as many are said to count."""
    points = spread(0.9, 0, 5000)
    for other in (np.nextafter(WEIGHTS, 2.0), np.nextafter(WEIGHTS, 0.0), WEIGHTS * 3e-200):
        assert rounded(other).tolist() == rounded(WEIGHTS).tolist()
        assert Picks(other, GROUPS).at(points).tolist() == Picks(WEIGHTS, GROUPS).at(points).tolist()
        assert effective(other) == effective(WEIGHTS)


def test_as_many_count_as_weigh_alike() -> None:
    """Ten worlds of equal weight are worth ten, whatever others of next to no weight there are."""
    assert effective(np.ones(10)) == 10.0
    assert effective(np.array([3.0] * 10 + [1e-9] * 500)) == pytest.approx(10.0)


def test_small_seeds_begin_anywhere() -> None:
    """Where picks begin is spread over all of [0, 1) by seeds in a row, and by numbers of one seed."""
    for points in ([first_point(seed) for seed in range(200)], [first_point(7, number) for number in range(200)]):
        tenths = np.histogram(points, 10, (0.0, 1.0))[0]
        assert tenths.min() >= 5
        assert tenths.max() <= 40

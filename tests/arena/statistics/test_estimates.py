"""Means, ratios and shares with their intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.arena.statistics.estimates import Estimate, Moments, Ratio, student_quantile, wilson

NUMBERS = st.floats(-1e4, 1e4, allow_nan=False)
RUNS = 2000
LEAST, MOST = 0.935, 0.965
"""Between these lies the share of so many 95 % intervals that hold the truth, three standard errors round it."""


def moments(values: list[float]) -> Moments:
    found = Moments(1)
    for value in values:
        found.add(np.array([value]))
    return found


def estimate(values: list[float]) -> Estimate:
    (found,) = moments(values).estimates()
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize(("freedom", "printed"), [(1, 12.706), (4, 2.776), (9, 2.262), (99, 1.984)])
def test_students_quantiles_are_those_of_the_tables(freedom: int, printed: float) -> None:
    """Printed values, to three digits behind the point."""
    assert student_quantile(freedom) == pytest.approx(printed, abs=5e-4)


def test_a_mean_has_students_interval() -> None:
    """Of 1, 2, 3, 4 the mean is 2.5 and the interval 3.182 standard errors to either side: the error is 0.6455."""
    found = estimate([1.0, 2.0, 3.0, 4.0])

    assert found.value == 2.5
    assert found.interval == pytest.approx((2.5 - 3.1824 * 0.6455, 2.5 + 3.1824 * 0.6455), abs=1e-3)
    assert found.is_clear


def test_three_deals_have_no_interval() -> None:
    """They tell a mean and nothing of how sure it is."""
    assert estimate([1.0, 2.0, 3.0]) == Estimate(2.0, None, None, 3)
    assert not estimate([1.0, 2.0, 3.0]).is_clear


@given(st.lists(NUMBERS, min_size=2, max_size=50))
def test_moments_are_those_of_the_whole_list(values: list[float]) -> None:
    """Counting one by one comes to the mean and the variance of the list."""
    found = moments(values)

    assert found.mean[0] == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert found.variance[0] == pytest.approx(statistics.variance(values), rel=1e-6, abs=1e-4)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda rng: rng.normal(3.0, 40.0, 12), id="normal"),
        pytest.param(lambda rng: 3.0 + 20.0 * rng.standard_t(5, 12), id="long tails"),
    ],
)
def test_a_mean_lies_in_its_interval_as_often_as_is_said(draw: Callable[[np.random.Generator], list[float]]) -> None:
    """Of 2000 simulated runs of 12 deals about 95 % have the true mean in the interval."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(RUNS):
        low, high = estimate([*draw(rng)]).interval or (math.inf, -math.inf)
        held += low <= 3.0 <= high

    assert LEAST < held / RUNS < MOST


def test_a_ratio_is_by_hand_what_is_said() -> None:
    """Wins 1, 0, 2, 3 at seats 2, 1, 2, 4: six of nine.

    The residuals x - r y are -1/3, -2/3, 2/3 and 1/3: their squares sum to 10/9, so that the variance is
    4/3 * 10/9 / 81.
    """
    ratio = Ratio()
    for won, seats in ((1, 2), (0, 1), (2, 2), (3, 4)):
        ratio.add(won, seats)

    assert ratio.value == pytest.approx(2 / 3)
    assert ratio.variance == pytest.approx(40 / 27 / 81)
    half = 3.1824 * math.sqrt(40 / 27 / 81)
    assert ratio.estimate().interval == pytest.approx((2 / 3 - half, 2 / 3 + half), abs=1e-3)


@given(st.lists(st.integers(-500, 500), min_size=4, max_size=30), st.integers(1, 5))
def test_with_as_many_seats_in_each_deal_a_ratio_is_a_mean(scores: list[int], seats: int) -> None:
    """Then its interval is that of the mean of the deals' means."""
    ratio = Ratio()
    for score in scores:
        ratio.add(score, seats)

    of_means, found = estimate([score / seats for score in scores]), ratio.estimate()

    assert found.value == pytest.approx(of_means.value)
    assert found.interval == pytest.approx(of_means.interval, abs=1e-6)


def test_wilsons_interval_is_the_printed_one() -> None:
    """For 8 of 10 and the normal quantile 1.96 it is 0.490 to 0.943; for 0 of 10 it is 0 to 0.278."""
    assert wilson(0.8, 10, 1.96) == pytest.approx((0.490, 0.943), abs=5e-4)
    assert wilson(0.0, 10, 1.96) == pytest.approx((0.0, 0.278), abs=5e-4)


@given(st.lists(st.integers(1, 6).flatmap(lambda y: st.tuples(st.integers(0, y), st.just(y))), min_size=4, max_size=40))
def test_a_shares_interval_holds_the_share_and_stays_between_none_and_all(cases: list[tuple[int, int]]) -> None:
    """Also where all cases are alike."""
    ratio = Ratio()
    for won, seats in cases:
        ratio.add(won, seats)

    low, high = ratio.share().interval or (1.0, 0.0)

    assert 0.0 <= low <= ratio.value <= high <= 1.0
    assert low < high


def test_a_share_lies_in_its_interval_where_the_cases_of_a_deal_hang_together() -> None:
    """Seats of one deal win or lose together half of the time; of 2000 runs of 40 deals about 95 % hold the truth."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(RUNS):
        ratio = Ratio()
        for _ in range(40):
            together, seats = rng.random() < 0.5, int(rng.integers(1, 5))
            wins = seats * int(rng.random() < 0.3) if together else int(rng.binomial(seats, 0.3))
            ratio.add(wins, seats)
        low, high = ratio.share().interval or (1.0, 0.0)
        held += low <= 0.3 <= high

    assert LEAST < held / RUNS < MOST

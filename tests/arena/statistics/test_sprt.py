"""When a difference is decided."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.arena_coverage import LAWS, errors
from hypothesis import example, given
from hypothesis import strategies as st

from junto.arena.spec import StopRule
from junto.arena.statistics.sprt import FEWEST_UNEQUAL, Hypothesis, Sprt, error_of_variance, log_likelihood

RULE = StopRule(difference=2.0, first=30)
VALUES = st.lists(st.integers(-9, 9), min_size=2, max_size=40)


def ratio_of(values: list[float], mean: float) -> float:
    return log_likelihood(np.array(values, float), np.ones(len(values)), mean)


def fed(values: list[float], rule: StopRule = RULE) -> Sprt:
    test = Sprt(rule)
    for value in values:
        test.add(value)
    return test


def test_the_best_mean_is_that_of_the_numbers() -> None:
    """Its likelihood is the unit that the others are measured by."""
    assert ratio_of([1.0, 2.0, 6.0], 3.0) == 0.0
    assert ratio_of([1.0, 2.0, 6.0], 2.0) < 0.0


def test_the_likelihood_is_by_hand_what_is_said() -> None:
    """Of 1 and -3 the mean 0 makes one more number, 1: two of three shares of the positive side.

    The weights p, q, p of 1, -3 and 1 sum to one with 2 p = 3 q: p = 3/8, q = 1/4. The log likelihood is
    log((3 * 3/8)^2 * (3 * 1/4)).
    """
    assert ratio_of([1.0, -3.0], 0.0) == pytest.approx(math.log((9 / 8) ** 2 * 3 / 4))


@given(VALUES, st.floats(-12, 12), st.floats(0.1, 50.0))
def test_the_unit_of_the_scores_makes_no_difference(values: list[int], mean: float, unit: float) -> None:
    """Nor does the side: turned round, the likelihood of the mean turned round is the same."""
    there = ratio_of([float(value) for value in values], mean)

    assert ratio_of([unit * value for value in values], unit * mean) == pytest.approx(there, rel=1e-5, abs=1e-7)
    assert ratio_of([-float(value) for value in values], -mean) == pytest.approx(there, rel=1e-5, abs=1e-7)


@given(VALUES, st.floats(-12, 12))
@example([0, 0], 6.332265238206816e-274)
def test_a_number_that_came_often_is_that_number_often(values: list[int], mean: float) -> None:
    """Counts and repetitions are the same."""
    numbers, often = np.unique(np.array(values, float), return_counts=True)

    counted = log_likelihood(numbers, often.astype(float), mean)

    assert counted == pytest.approx(ratio_of([float(value) for value in values], mean), rel=1e-6, abs=1e-9)


def test_the_error_of_a_variance_is_by_hand_what_is_said() -> None:
    """Of -1 and 1, as often, the kurtosis is 1, and the variance is sure; of 2, 0, 0, -2 it is 2: 1/2."""
    assert error_of_variance(np.array([-1.0, 1.0]), np.array([8.0, 8.0])) == 0.0
    assert error_of_variance(np.array([2.0, 0.0, -2.0]), np.array([1.0, 2.0, 1.0])) == pytest.approx(0.5)
    assert error_of_variance(np.array([3.0]), np.array([9.0])) == 0.0


def test_a_clear_difference_is_found_at_the_first_look() -> None:
    """Both ways, with the ratio beyond its bound."""
    better, equal = fed([1.5, 3.0, 2.5] * 20), fed([0.5, -1.0, 0.5] * 20)

    assert better.verdict is not None
    assert equal.verdict is not None
    assert (better.verdict.found, better.verdict.deals) == (Hypothesis.DIFFERENCE, 30)
    assert (equal.verdict.found, equal.verdict.deals) == (Hypothesis.NULL, 30)
    assert better.verdict.log_ratio > better.verdict.upper == pytest.approx(math.log(19))
    assert equal.verdict.log_ratio < equal.verdict.lower == pytest.approx(-math.log(19))


def test_what_was_found_stays_found() -> None:
    """Deals that come later, as those that were already being played, change nothing."""
    test = fed([1.5, 3.0, 2.5] * 20)
    found = test.verdict

    for _ in range(500):
        test.add(-50.0)

    assert test.verdict == found


def test_equal_play_is_never_decided() -> None:
    """Deals that end alike for both tell nothing of how the others would end."""
    assert fed([0.0] * 1000).verdict is None


def test_some_deals_must_have_ended_differently() -> None:
    """However many were played."""
    few = [0.0] * 60 + [4.0, 5.0, 6.0] * 9
    enough = [*few, *[4.0, 5.0, 6.0] * 4]

    assert fed(few).verdict is None
    assert fed(enough).verdict == fed(enough[: 60 + FEWEST_UNEQUAL]).verdict is not None


def test_a_difference_can_be_a_loss() -> None:
    """Whether the first is as good, or worse by two."""
    rule = StopRule(difference=-2.0, first=30)
    worse, equal = fed([-1.5, -3.0, -2.5] * 20, rule).verdict, fed([0.5, -1.0, 0.5] * 20, rule).verdict

    assert worse is not None
    assert worse.found is Hypothesis.DIFFERENCE
    assert equal is not None
    assert equal.found is Hypothesis.NULL


@pytest.mark.parametrize("law", ["long tails", "nine of ten deals equal"])
def test_it_errs_as_seldom_as_is_said(law: str) -> None:
    """With chances of 5 % each, of 80 tests under either hypothesis at most 4 go wrong; more than 11 would be too many.

    So many have a chance of less than one in a thousand where the error is 5 %.
    """
    found = errors(law, LAWS[law], 0.4, 80)

    assert float(str(found["null_wrong"])) <= 11 / 80
    assert float(str(found["difference_wrong"])) <= 11 / 80
    assert found["null_open"] == found["difference_open"] == 0.0

"""Means and ratios of paired figures: their intervals hold what they promise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from bench.strength.figures import Rule, mean_of, ratio_of, standard_error

Vector = npt.NDArray[np.float64]
RUNS = 2000
LEAST, MOST = 0.935, 0.965
"""Between these lies the share of so many 95 % intervals that hold the true figure, three standard errors round it."""


def test_a_mean_lies_in_its_interval_as_often_as_is_said() -> None:
    """Of 2000 simulated runs of 12 deals about 95 % have the true mean in the interval."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(RUNS):
        interval = mean_of(rng.normal(3.0, 40.0, 12).tolist()).interval
        assert interval is not None
        held += interval[0] <= 3.0 <= interval[1]

    assert LEAST < held / RUNS < MOST


def test_a_ratio_lies_in_its_interval_as_often_as_is_said() -> None:
    """The same for a ratio of correlated gains with a denominator as noisy as a bot's that sees all cards."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(RUNS):
        below = rng.normal(10.0, 20.0, 30)
        above = 0.6 * below + rng.normal(0.0, 10.0, 30)
        estimate = ratio_of(above.tolist(), below.tolist())
        low, high = estimate.interval or (-math.inf, math.inf)
        held += low <= 0.6 <= high

    assert LEAST < held / RUNS < MOST


def test_a_ratio_is_that_of_the_means_within_its_interval() -> None:
    """It is no mean of ratios, in which a deal with a small gap would count for much."""
    estimate = ratio_of([1.0, 2.0, 3.0, 2.0, 2.2], [2.0, 4.0, 6.1, 4.2, 4.0])

    assert estimate.value == pytest.approx(10.2 / 20.3)
    assert estimate.interval is not None
    assert estimate.interval[0] < estimate.value < estimate.interval[1]


def test_a_ratio_to_next_to_nothing_has_no_interval() -> None:
    """Where the gap is not clearly there, no share of it is bounded."""
    assert ratio_of([1.0, -1.0, 2.0, -3.0, 1.0], [1.0, -2.0, 3.0, -1.0, -0.5]).interval is None


def test_few_deals_have_no_interval() -> None:
    """Three deals tell a mean and nothing of how sure it is; none tell nothing."""
    assert mean_of([1.0, 2.0, 3.0]).interval is None
    with pytest.raises(ValueError, match="no deals"):
        mean_of([])


def test_a_run_is_decided_at_the_first_look_that_is_clear() -> None:
    """Between looks nothing is decided, before the first one neither, and without a limit never."""
    unclear, clear = [5.0, -5.0] * 10, [3.0, 4.0] * 30

    assert Rule(3.0, 10, 10).decided_after(unclear + clear) == 50
    assert Rule(3.0, 37, 37).decided_after(unclear + clear) == 74
    assert Rule(3.0, 40, 20).decided_after(clear) == 40
    assert Rule(3.0, 10, 10).decided_after(unclear) is None
    assert Rule(0.0, 10, 10).decided_after(clear) is None


@pytest.mark.parametrize(
    ("draw", "most"),
    [
        pytest.param(lambda rng: rng.normal(0.0, 1.0, 400), 0.017, id="normal"),
        pytest.param(lambda rng: rng.standard_t(3, 400), 0.017, id="heavy tails"),
        pytest.param(lambda rng: rng.exponential(1.0, 400) - 1.0, 0.045, id="skewed"),
    ],
)
def test_luck_alone_decides_hardly_ever(draw: Callable[[np.random.Generator], Vector], most: float) -> None:
    """Of 3000 runs of 400 deals between equals one in a hundred is taken for decided, of very skewed gains three.

    Of twenty thousand runs it was 0.95 %, 0.7 % and 2.9 %; the bounds are more than four standard errors above these.
    """
    rng, rule = np.random.default_rng(3), Rule()

    decided = sum(rule.decided_after(draw(rng).tolist()) is not None for _ in range(3000))

    assert decided / 3000 < most


def test_a_single_deal_decides_nothing() -> None:
    """Its error is not known, nor is that of a few."""
    assert standard_error([4.0]) == math.inf
    assert Rule(3.3, 1, 1).decided_after([4.0, 4.0, 4.0]) is None

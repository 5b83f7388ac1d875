"""The laws of the histogram: a bounded error, and sums."""

from __future__ import annotations

import json
import math

from hypothesis import given
from hypothesis import strategies as some

from junto.load.histogram import RELATIVE_ERROR, Histogram

TIMES = some.lists(some.floats(1e-6, 1e4), min_size=1, max_size=200)


def histogram(times: list[float]) -> Histogram:
    """Return a histogram of some times."""
    found = Histogram()
    for seconds in times:
        found.add(seconds)
    return found


@given(TIMES, some.floats(0.0, 1.0))
def test_a_quantile_is_right_within_half_a_per_cent(times: list[float], share: float) -> None:
    """It is the time at that rank, within the error that is promised; the greatest is exact."""
    rank = max(1, math.ceil(share * len(times) - 1e-9))
    exact = sorted(times)[rank - 1]
    found = histogram(times)

    assert abs(found.quantile(share) - exact) <= exact * (RELATIVE_ERROR + 1e-9)
    assert max(times) == found.quantile(1.0)
    assert RELATIVE_ERROR < 0.01


@given(TIMES, TIMES)
def test_the_sum_of_two_is_the_histogram_of_all(first: list[float], second: list[float]) -> None:
    """It does not matter which generator noted what."""
    merged = histogram(first)
    merged.merge(histogram(second))
    whole = histogram(first + second)

    assert math.isclose(whole.sum_s, merged.sum_s)
    merged.sum_s = whole.sum_s  # sums of floats differ by their order
    assert whole == merged


@given(TIMES)
def test_it_survives_json(times: list[float]) -> None:
    """What generators write is what is read."""
    found = histogram(times)

    assert found == Histogram.from_json(json.loads(json.dumps(found.to_json())))


def test_an_empty_one_has_no_times() -> None:
    """Its quantiles are 0, it can be written, and adding it changes nothing."""
    found = histogram([0.5])
    found.merge(Histogram.from_json(Histogram().to_json()))

    assert histogram([0.5]) == found
    assert Histogram().quantile(0.99) == 0.0

"""Decision times in a bounded number of classes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.arena.statistics.timing import Histogram, class_of, middle_of

MICROS = st.integers(0, 10**9)


def histogram(times: list[int]) -> Histogram:
    found = Histogram()
    found.add(times)
    return found


@given(MICROS)
def test_a_class_tells_a_time_to_two_per_cent(micros: int) -> None:
    """Below 64 microseconds exactly."""
    assert middle_of(class_of(micros)) == pytest.approx(micros, rel=0.02 if micros >= 64 else 0.0)


@given(MICROS, MICROS)
def test_classes_are_in_the_order_of_their_times(one: int, other: int) -> None:
    """The longer time never has the lower class."""
    assert (class_of(one) <= class_of(other)) or one > other


@given(st.lists(MICROS, min_size=1, max_size=200), st.sampled_from([0.5, 0.9, 0.99]))
def test_a_quantile_is_that_of_the_list_to_two_per_cent(times: list[int], share: float) -> None:
    """The least time that such a share does not exceed."""
    exact = sorted(times)[math.ceil(share * len(times)) - 1]

    assert histogram(times).quantiles(share) == [pytest.approx(exact, rel=0.02)]


def test_times_are_told_in_milliseconds() -> None:
    """Three decisions of 1, 2 and 3 ms that looked at 12 worlds: 2000 worlds a second."""
    times = histogram([1000, 2000, 3000]).times(12)

    assert times.p50_ms == pytest.approx(2.0, rel=0.02)
    assert times.max_ms == 3.0
    assert times.total_s == 0.006
    assert times.worlds_per_s == 2000.0


def test_no_times_are_zeros() -> None:
    """A strategy that never had to decide took no time."""
    assert set(vars_of(histogram([]))) == {0.0}


def vars_of(found: Histogram) -> list[float]:
    times = found.times(0)
    return [times.p50_ms, times.p90_ms, times.p99_ms, times.max_ms, times.total_s, times.worlds_per_s]

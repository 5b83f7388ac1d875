"""Which time budgets count: the processor's, if it is asked for, and only as long as that."""

from __future__ import annotations

import time

import pytest
from bench.strength.clock import counted


@pytest.mark.parametrize("by_processor", [True, False])
def test_budgets_count_the_time_that_is_asked_for(by_processor: bool) -> None:
    """What the search reads is the processor time, or the clock as ever."""
    usual = time.monotonic, time.perf_counter
    with counted(by_processor):
        assert (time.monotonic is time.process_time) == by_processor
        assert (time.perf_counter is time.process_time) == by_processor
    assert (time.monotonic, time.perf_counter) == usual


def test_after_an_error_the_clock_is_as_before() -> None:
    """Whatever ends a measurement, an interrupt too."""
    usual = time.monotonic, time.perf_counter
    with pytest.raises(KeyboardInterrupt), counted(by_processor=True):
        raise KeyboardInterrupt
    assert (time.monotonic, time.perf_counter) == usual

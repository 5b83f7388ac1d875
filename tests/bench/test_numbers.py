"""Numbers of benchmarks' command lines have bounds."""

from __future__ import annotations

import argparse

import pytest
from bench._numbers import time_s, whole_number


def test_what_is_within_bounds_is_read() -> None:
    """The bounds themselves are."""
    assert [whole_number(1, 10)(text) for text in ("1", "10")] == [1, 10]
    assert [time_s(60.0)(text) for text in ("0.5", "60", "1e-3")] == [0.5, 60.0, 0.001]


@pytest.mark.parametrize("text", ["0", "11", "-1", "nan", "inf", "1e3", "", "9" * 5000, "2.5"])
def test_what_is_no_whole_number_or_out_of_bounds_is_refused(text: str) -> None:
    """In a short line, however long the number is."""
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        whole_number(1, 10)(text)

    assert len(str(refused.value)) < 100


@pytest.mark.parametrize("text", ["0", "-1", "61", "nan", "inf", "-inf", "1e400", "", "soon", "9" * 5000])
def test_what_is_no_time_or_too_long_is_refused(text: str) -> None:
    """In a short line, however long the number is."""
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        time_s(60.0)(text)

    assert len(str(refused.value)) < 100

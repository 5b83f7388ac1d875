"""What others wrote, as people read it."""

from __future__ import annotations

import pytest

from junto.arena.report.words import duration, plain, short


def test_signs_that_cannot_be_seen_are_taken_out() -> None:
    """Neither a terminal's orders, nor what turns a line around, nor a second line gets through."""
    assert plain("a\x1b[31mb\u202ec\nd\udcff包皇") == "a�[31mb�c d�包皇"
    assert plain("a\nb\tc", also="\n") == "a\nb c"


def test_long_names_are_cut() -> None:
    """With a sign that says so."""
    assert (short("exactly", 7), short("too long", 7)) == ("exactly", "too lo…")


@pytest.mark.parametrize(
    ("milliseconds", "told"), [(0.0, "0 µs"), (0.25, "250 µs"), (12.345, "12.3 ms"), (2345.6, "2.35 s")]
)
def test_times_have_the_unit_that_suits_them(milliseconds: float, told: str) -> None:
    """Microseconds, milliseconds or seconds, with three digits."""
    assert duration(milliseconds) == told

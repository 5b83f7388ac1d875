"""Where values are drawn."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from junto.arena.report.drawings import spread
from junto.arena.report.scales import Scale, around, log_around, round_values

VALUES = st.floats(-1e6, 1e6, allow_nan=False)


@given(st.lists(VALUES, max_size=20))
def test_a_scale_holds_its_values_and_zero(values: list[float]) -> None:
    """In their order, within its ends."""
    scale = around(values, 10, 300)

    drawn = [scale.at(value) for value in sorted([*values, 0.0])]

    assert drawn == sorted(drawn)
    assert all(10 <= at <= 300 for at in drawn)


@given(st.lists(st.floats(1e-3, 1e6), max_size=20))
def test_a_logarithmic_scale_goes_over_whole_powers_of_ten(values: list[float]) -> None:
    """Each power as far from the next."""
    ticks = log_around(values, 0, 600).ticks()

    gaps = [round(after.at - before.at) for before, after in pairwise(ticks)]

    assert (ticks[0].at, ticks[-1].at) == (0, 600)
    assert max(gaps) - min(gaps) <= 1


def test_what_lies_outside_is_drawn_at_the_edge() -> None:
    """So that one wild value does not run over the page."""
    scale = Scale(0.0, 10.0, 0.0, 100.0)

    assert (scale.at(-5.0), scale.at(5.0), scale.at(50.0)) == (0.0, 50.0, 100.0)


def test_ticks_are_round() -> None:
    """And about as many as are asked for."""
    assert round_values(-1.3, 3.9, 5) == [-1.0, 0.0, 1.0, 2.0, 3.0]
    assert round_values(0, 60, 6) == [0, 10, 20, 30, 40, 50, 60]
    assert [tick.text for tick in Scale(-2000.0, 2000.0, 0, 1).ticks(2)] == ["−2,000", "0", "2,000"]


@given(st.lists(st.floats(0, 300), min_size=2, max_size=8))
def test_labels_do_not_lie_on_each_other(heights: list[float]) -> None:
    """They are moved apart, in their order."""
    moved = spread(heights, 17.0)

    ordered = [moved[which] for which in sorted(range(len(heights)), key=heights.__getitem__)]
    assert all(below - above > 10.0 for above, below in pairwise(ordered))

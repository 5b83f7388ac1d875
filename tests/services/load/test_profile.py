"""How a load is written on the command line."""

from __future__ import annotations

import pytest

from junto.games.catalog import GAMES
from junto.load.profile import (
    Goal,
    Seating,
    Think,
    Unreadable,
    check_seating,
    read_duration,
    read_goal,
    read_seating,
    read_think,
    write_duration,
)


@pytest.mark.parametrize(
    ("text", "seconds"), [("50ms", 0.05), ("2s", 2.0), ("1m", 60.0), ("0.5h", 1800.0), (".5s", 0.5), ("200us", 0.0002)]
)
def test_durations_have_a_unit(text: str, seconds: float) -> None:
    """A number and one of five units is a duration."""
    assert seconds == pytest.approx(read_duration(text))


@pytest.mark.parametrize("text", ["", "5", "5 sec", "-1s", "0s", "1e3s", "ms", "1s2"])
def test_anything_else_is_no_duration(text: str) -> None:
    """It is refused in words that quote it."""
    with pytest.raises(Unreadable, match="is no"):
        read_duration(text)


def test_think_times_are_a_range_or_one_time() -> None:
    """`a..b` is anything in between, `a` always the same."""
    assert Think(0.05, 0.5) == read_think("50ms..500ms")
    assert Think(0.2, 0.2) == read_think("200ms")


@pytest.mark.parametrize("text", ["500ms..50ms", "50ms..", "..50ms", "50ms...500ms"])
def test_ranges_go_upwards(text: str) -> None:
    """A range that ends before it begins, or has half its bounds, is refused."""
    with pytest.raises(Unreadable):
        read_think(text)


def test_clients_fit_the_game() -> None:
    """Everybody has a seat, and no seat is left; the message has the game's number and theirs."""
    game = GAMES["napoleon-tw"]()
    assert Seating(1, 4) == read_seating("human:1,bot:4")
    assert Seating(5, 0) == read_seating("human:5")
    check_seating(Seating(1, 4), game)
    with pytest.raises(Unreadable, match="napoleon-tw seats 5: human:1,bot:3 makes 4"):
        check_seating(Seating(1, 3), game)


@pytest.mark.parametrize("text", ["", "human", "human:x", "dog:1", "bot:5", "human:0,bot:5", "human:-1"])
def test_clients_that_mean_nothing_are_refused(text: str) -> None:
    """Kinds and numbers must be known, and somebody must make the moves."""
    with pytest.raises(Unreadable):
        read_seating(text)


def test_a_goal_is_a_quantile_and_a_time() -> None:
    """`p99=100ms` is read; other quantiles and times are not."""
    assert Goal("p99", 0.99, 0.1) == read_goal("p99=100ms")
    for text in ("p98=1s", "p99", "p99=fast", "100ms"):
        with pytest.raises(Unreadable):
            read_goal(text)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "0 µs"), (0.00005, "50 µs"), (0.0137, "13.7 ms"), (0.25, "250 ms"), (90, "90 s")]
)
def test_durations_are_told_in_three_digits(seconds: float, text: str) -> None:
    """The unit is chosen so that the number is short."""
    assert text == write_duration(seconds)

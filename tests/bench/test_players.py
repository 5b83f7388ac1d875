"""Players by text, and how their decision times are told."""

from __future__ import annotations

import pytest
from bench.strength.endings import with_endings
from bench.strength.errors import BadPlayer
from bench.strength.players import player_of
from bench.strength.playing import fresh_deal
from bench.strength.times import Times

from junto.games.core import View
from junto.games.dou_dizhu import DouDizhu
from junto.search.climbing.habits import ENDING_CARDS, habits_of
from junto.search.decisions import Budget, Decision
from junto.search.strategies import greedy_strategy


@pytest.mark.parametrize(
    "text",
    [
        "greedy",
        "random",
        "pimc:seconds=0.05",
        "pimc:iterations=200",
        "pimc:seconds=0.05,infers=off",
        "pimc:iterations=8,endings=0",
        "seeing:seconds=1",
    ],
)
def test_a_player_reads_back_as_it_is_written(text: str) -> None:
    """Results are kept under the text."""
    assert player_of(text).text == text


def test_equal_players_have_one_text() -> None:
    """Their results are the same ones."""
    assert player_of("pimc:infers=on,seconds=0.050").text == "pimc:seconds=0.05"
    assert player_of("pimc:seconds=0.05").budget == Budget(time_s=0.05)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pimk:seconds=1", "there is no strategy 'pimk'"),
        ("pimc", "say how long it thinks"),
        ("pimc:seconds", "written 'name=value'"),
        ("pimc:seconds=-1", "must be positive"),
        ("pimc:iterations=many", "invalid literal"),
        ("pimc:minutes=1", "no setting 'minutes'"),
        ("pimc:seconds=1,infers=no", "on or off"),
        ("pimc:seconds=1,endings=few", "a number of cards"),
        ("seeing:seconds=1,infers=off", "for 'pimc' alone"),
    ],
)
def test_a_text_that_means_nobody_is_refused(text: str, reason: str) -> None:
    """The message repeats the text and says what is wrong with it."""
    with pytest.raises(BadPlayer, match=reason) as caught:
        player_of(text)

    assert repr(text) in str(caught.value)


def test_quantiles_of_times_are_right_to_their_class() -> None:
    """Of 1 to 1000 ms the middle is 500 ms, to 2.2 %; the worst is exact; some end in time."""
    times = Times()
    for milliseconds in range(1, 1001):
        times.note(milliseconds / 1e3, 0.5)

    assert times.decisions == 1000
    assert times.quantile_s(0.5) == pytest.approx(0.5, rel=0.023)
    assert times.quantile_s(0.99) == pytest.approx(0.99, rel=0.023)
    assert times.quantile_s(1.0) == times.worst_s == 1.0
    assert times.share_in_time == pytest.approx(0.51)


def test_times_of_many_lines_are_those_of_all() -> None:
    """Counting deal by deal loses nothing, and what is written down is read back."""
    parts = [Times(), Times()]
    for number in range(100):
        parts[number % 2].note(number * 1e-4, None)
    together = Times.of(part.as_json() for part in parts)

    assert together.decisions == together.in_time == 100
    assert together.worst_s == pytest.approx(0.0099)
    assert together.classes == parts[0].classes + parts[1].classes


@pytest.mark.parametrize("cards", [0, 12])
def test_a_player_with_other_endings_leaves_the_habits_as_they_were(cards: int) -> None:
    """They are others while it decides, and for it alone."""
    game = DouDizhu()
    habits = habits_of(game.terms)
    usual, during = habits[ENDING_CARDS], []

    class Watching:
        def decide(self, view: View, budget: Budget) -> Decision:
            during.append(habits[ENDING_CARDS])
            return greedy_strategy.decide(view, budget)

    deal = fresh_deal(game, 1)
    assert deal.to_act is not None
    with_endings(Watching(), cards).decide(deal.view(deal.to_act), Budget(iterations=1))

    assert during == [cards]
    assert habits[ENDING_CARDS] == usual

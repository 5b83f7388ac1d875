"""What an emperor can show, who is his guard then, and when everybody knows."""

from __future__ import annotations

import pytest

from junto.games import actions
from junto.games.actions import ShowCards
from junto.games.baohuang.naming import alliance_of, default_show, discovered, is_qualified, shows_of
from junto.games.cards import parse_card
from junto.games.view import Alliance

from .hands import hand

H7 = parse_card("H7")
THREE, FOUR = ShowCards(H7, 3), ShowCards(H7, 4)


def shown(*cards: str) -> list[str]:
    return [actions.text(show) for show in shows_of(hand(*cards))]


def test_three_equal_cards_qualify() -> None:
    """Three of one rank and one suit, not three of a rank."""
    assert shown("S9", "S9", "S9", "H9", "D4") == ["show3 S9"]
    assert not is_qualified(hand("S9", "H9", "D9", "C9", "S9", "H9"))


def test_four_equal_cards_can_be_shown_as_three_or_four() -> None:
    """Lowest rank first, in a rank spades, hearts, diamonds, clubs."""
    held = ["H7"] * 4 + ["C5"] * 3 + ["S7"] * 3
    assert shown(*held) == ["show3 C5", "show3 S7", "show3 H7", "show4 H7"]
    assert actions.text(default_show(shows_of(hand(*held)))) == "show3 C5"


@pytest.mark.parametrize("card", ["S2", "B", "R"])
def test_twos_and_jokers_do_not_qualify(card: str) -> None:
    """However many there are; an ace does, and a three."""
    assert not is_qualified(hand(*[card] * 4))
    assert is_qualified(hand("SA", "SA", "SA", *[card] * 4))
    assert is_qualified(hand("C3", "C3", "C3"))


def test_a_default_is_three_even_where_four_are_held() -> None:
    """A player whose time is up does not declare an open solo."""
    assert default_show(shows_of(hand("H7", "H7", "H7", "H7"))) == THREE


def test_the_holder_of_the_fourth_is_the_guard() -> None:
    """The emperor himself: a hidden solo; four shown: an open one."""
    three, four = hand("H7", "H7", "H7"), hand("H7", "H7", "H7", "H7")
    others = [hand("S7"), hand("D7"), hand("H8")]
    assert alliance_of(1, THREE, [hand("H7", "S3"), three, *others]) == (Alliance.PARTNER, 0)
    assert alliance_of(0, THREE, [four, hand("S3"), *others]) == (Alliance.HIDDEN_SOLO, None)
    assert alliance_of(0, FOUR, [four, hand("S3"), *others]) == (Alliance.OPEN_SOLO, None)


@pytest.mark.parametrize(
    ("played", "known"),
    [
        ([], (None, None)),
        ([(1, 2), (1, 1)], (None, None)),
        ([(1, 2), (1, 2)], (Alliance.HIDDEN_SOLO, None)),
        ([(1, 2), (4, 1)], (Alliance.PARTNER, 4)),
        ([(4, 1)], (Alliance.PARTNER, 4)),
    ],
)
def test_the_guard_is_known_once_he_has_played_the_card(
    played: list[tuple[int, int]], known: tuple[Alliance | None, int | None]
) -> None:
    """A hidden solo once the emperor has played all four; before that nobody can conclude anything."""
    assert discovered(1, THREE, played) == known


def test_an_open_solo_is_known_at_once() -> None:
    """All four lie on the table."""
    assert discovered(1, FOUR, []) == (Alliance.OPEN_SOLO, None)

"""What a match of Baohuang carries from deal to deal."""

from __future__ import annotations

import pytest

from junto.games.baohuang.carried import owed_in, with_owed, with_void
from junto.games.baohuang.tribute import Owed
from junto.games.core import Match, RuleError
from junto.games.dealing import voids_in
from junto.games.view import Alliance, Clearing

MATCH = Match((0,) * 5)
OWED = Owed(3, 1, Alliance.PARTNER, (0, 4, 3, 2, 1), -1, (Clearing(0, 2), Clearing(4, 1)))


def test_a_new_match_owes_nothing() -> None:
    """Before the first scored deal there is no tribute and no void deal."""
    assert owed_in(MATCH) is None
    assert voids_in(MATCH) == 0


@pytest.mark.parametrize("owed", [OWED, Owed(0, None, Alliance.OPEN_SOLO, (0, 1, 2, 3, 4), 8)])
def test_what_is_owed_comes_back_as_it_was(owed: Owed) -> None:
    """All of it, in whole numbers."""
    assert owed_in(with_owed(MATCH, owed)) == owed


def test_void_deals_are_counted_until_one_is_played() -> None:
    """They leave the tribute as it is."""
    match = with_void(with_void(with_owed(MATCH, OWED)))
    assert voids_in(match) == 2
    assert owed_in(match) == OWED
    assert voids_in(with_owed(match, OWED)) == 0


@pytest.mark.parametrize(
    "carried",
    [
        (0, 1),
        (0, 1, 1, 1, 0, 1, 2, 3, 3),
        (5, 1, 1, 1, 0, 1, 2, 3, 4),
        (0, 1, 9) * 3,
        (0, 0, 1, -2, 0, 1, 2, 3, 4),
        (0, -1, 1, 2, 0, 1, 2, 3, 4),
        (0, 1, 3, 8, 0, 1, 2, 3, 4),
    ],
)
def test_what_is_no_tribute_is_refused(carried: tuple[int, ...]) -> None:
    """A match that was tampered with says so instead of dealing nonsense."""
    with pytest.raises(RuleError, match="no tribute of five players"):
        owed_in(MATCH.carrying(tribute=carried))


@pytest.mark.parametrize("cleared", [(1,), (9, 1), (1, 9), (-1, 1), (2, 2)])
def test_what_are_no_clearings_is_refused(cleared: tuple[int, ...]) -> None:
    """Each is a seat and another one that cleared it."""
    with pytest.raises(RuleError, match="no tribute of five players"):
        owed_in(with_owed(MATCH, OWED).carrying(cleared=cleared))

"""What is asked for on the command line is told to be possible or not, in words, before anything is started."""

from __future__ import annotations

import pytest

from junto.cli.console import Failure
from junto.cli.wishes import BAD_WISH, table_of
from junto.games.catalog import GAMES


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_has_the_seats_that_its_game_has(game_id: str) -> None:
    """Only a game for several numbers of players has an option for them; others are refused with what there is."""
    game = GAMES[game_id]
    low, high = game.player_range
    for seats in range(low, high + 1):
        written = table_of(game, seats)
        assert written == ([f"players={seats}"] if low < high else [])
        assert game(dict.fromkeys(["players"], seats) if written else {}).seats == seats
    for seats in (low - 1, high + 1):
        with pytest.raises(Failure, match=f"{game_id} is played by {low}.*not by {seats}") as refusal:
            table_of(game, seats)
        assert refusal.value.code == BAD_WISH

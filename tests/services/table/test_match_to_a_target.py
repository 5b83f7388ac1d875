"""A match that is played to a number of points ends when somebody has them."""

from __future__ import annotations

from junto.table.commands import OpenDeal
from junto.table.seats import Status, TableSettings

from .playtable import Playtable, secret


def test_a_match_to_a_target_ends_with_the_deal_that_reaches_it() -> None:
    """It goes on below the target, however many deals the table has room for, and stops there."""
    play = Playtable.started(0, TableSettings(deals=99), game_id="whist", target=5)
    standings = []
    while True:
        play.play_deal()
        assert play.table.standing is not None
        standings.append(max(play.table.standing.scores))
        if play.table.status is Status.FINISHED:
            break
        play.do(OpenDeal(secret(len(standings))))

    assert standings == sorted(standings)
    assert all(points < 5 for points in standings[:-1])
    assert standings[-1] >= 5

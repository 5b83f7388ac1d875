"""What others have done, told from a view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from junto.games.actions import Bid, Pass
from junto.games.climbing.kernel import RANKS
from junto.games.climbing.ranks import counts_of
from junto.games.dou_dizhu import DouDizhu
from junto.games.options import OptionValue
from junto.search.beliefs import view_of
from junto.search.climbing.before_play import BIDS_FROM
from junto.search.climbing.history import CALLER, LEAST, MOST, SINCE_CALL, history_of
from junto.search.climbing.knowledge import knowledge_of
from junto.search.climbing.state import SIZES, TURN
from junto.search.climbing.worlds import ROW

from .begun import GAMES
from .playing import after_rules_of_thumb


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_each_decision_of_others_is_told_seat_by_seat(game_id: str, options: Mapping[str, OptionValue]) -> None:
    """In the state it was made in, with the cards that its seat has played since: its hand then."""
    deal = after_rules_of_thumb(game_id, options, 6, 14)
    view = deal.view(deal.seat)
    history = history_of(view, knowledge_of(view))
    assert history.done.size > 0
    assert history.since.shape == (history.done.size, ROW)
    assert history.starts[-1] == history.done.size
    for seat in range(deal.game.seats):
        own = slice(history.starts[seat], history.starts[seat + 1])
        assert set(history.states[own, TURN]) <= {seat} - {view.seat}
        sizes = history.states[own, SIZES + seat]
        assert np.array_equal(sizes, view.shared.hands[seat].size + history.since[own, :RANKS].sum(axis=1))


def test_only_the_latest_decisions_are_told() -> None:
    """As many as are asked for."""
    deal = after_rules_of_thumb("shuangkou", {}, 2, 20)
    view = deal.view(deal.seat)
    whole, latest = (history_of(view, knowledge_of(view), number) for number in (100, 5))
    assert latest.done.size == 5
    assert Counter(latest.done.tolist()) <= Counter(whole.done.tolist())


def test_calls_are_told_of_the_hand_that_was_called_on() -> None:
    """A bid says at least and at most what the hand is worth, a pass at most; the landlord had no kitty yet."""
    game, cards = DouDizhu(), list(range(54))
    deal = game.deal_hands(1, [cards[:17], cards[17:34], cards[34:51]], cards[51:], 0).deal
    for action in (Bid(1), Pass(), Bid(3)):
        deal = deal.apply(action).deal
    kitty = counts_of(cards[51:])
    for seat in range(3):
        view = view_of(deal, seat)
        calls = {int(call[CALLER]): call for call in history_of(view, knowledge_of(view)).calls}
        assert set(calls) == {0, 1, 2} - {seat}
        if 0 in calls:
            assert (calls[0][LEAST], calls[0][MOST]) == (BIDS_FROM[0], BIDS_FROM[1])
        if 1 in calls:
            assert calls[1][MOST] == BIDS_FROM[1]
        if 2 in calls:
            assert calls[2][LEAST] == BIDS_FROM[2]
            assert np.array_equal(calls[2][SINCE_CALL:], -kitty)

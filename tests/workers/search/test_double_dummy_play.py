"""The rules of bridge and the double-dummy solver speak of the same places, trumps and tricks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from junto.games.actions import Bid, Pass, Play
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.three import BridgeThree
from junto.games.core import Step
from junto.search import double_dummy


def hands_of(rng: Random) -> list[Sequence[int]]:
    """Return four random hands."""
    pack = rng.sample(range(52), 52)
    return [pack[13 * hand : 13 * hand + 13] for hand in range(4)]


def tricks_by_best_play(step: Step, strain: int, passes: int) -> tuple[int, int]:
    """Let the player after `passes` declare; return declarer's tricks as solved, and as then taken by best play."""
    deal = step.deal
    for action in (*[Pass()] * passes, Bid(1, strain), Pass(), Pass(), Pass()):
        if deal.shared.contract is None:
            deal = deal.apply(action).deal
    assert isinstance(deal, BridgeDeal)
    order = [hand.seat for hand in deal.shared.hands]
    declarer = order.index(deal.contract.declarer)
    solved = 13 - double_dummy.most_tricks([deal.hands[hand] for hand in order], strain, (declarer + 1) % 4)
    while not deal.is_over:
        trick = deal.trick
        leader = deal.hand_number if trick is None else trick.leader
        cards = [] if trick is None else [played.card for played in trick.cards]
        tricks = double_dummy.tricks_by_card([deal.hands[hand] for hand in order], strain, order.index(leader), cards)
        deal = deal.apply(Play(max(tricks, key=tricks.__getitem__))).deal
        assert isinstance(deal, BridgeDeal)
    assert deal.shared.result is not None
    assert deal.shared.result.captured is not None
    return solved, deal.shared.result.captured


@pytest.mark.parametrize("strain", range(5))
def test_best_play_by_the_rules_takes_the_tricks_that_were_solved(strain: int) -> None:
    """Each seat declares in turn, in each strain."""
    rng = Random(strain)
    solved, taken = tricks_by_best_play(Bridge().deal_hands(1, hands_of(rng)), strain, strain % 4)

    assert solved == taken


@pytest.mark.parametrize("passes", range(3))
def test_best_play_with_three_players_takes_the_tricks_that_were_solved(passes: int) -> None:
    """Whoever of the three declares, after he has moved and with the pile as dummy."""
    rng = Random(passes)
    solved, taken = tricks_by_best_play(BridgeThree().deal_hands(1, hands_of(rng)), passes, passes)

    assert solved == taken

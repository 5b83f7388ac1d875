"""The system at the table: real deals of bridge for four and for three are bid by what each seat may see."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal, BridgeGame
from junto.games.bridge.three import BridgeThree
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.view import Phase
from junto.search.bridge_bidding import explain, misfit
from junto.search.bridge_bidding.seats import call_for


def deal_start(game: BridgeGame, number: int) -> BridgeDeal:
    """Return a random deal of a game before its first call; `number` is the board's, too."""
    seed = DealSeed(random.Random(number).randbytes(SECRET_BYTES), (b"",) * game.seats)
    deal = game.deal(replace(game.new_match(), deals_opened=number), seed).deal
    assert isinstance(deal, BridgeDeal)
    return deal


def auction_of(game: BridgeGame, number: int) -> BridgeDeal:
    """Return the same deal after its auction, all calls made by the bots."""
    deal = deal_start(game, number)
    while deal.phase is Phase.AUCTION:
        seat = deal.to_act
        assert seat is not None
        found = deal.apply(call_for(game, deal.shared, deal.owns[seat])).deal
        assert isinstance(found, BridgeDeal)
        deal = found
    return deal


@pytest.mark.parametrize("first_caller", ["dealer", "dealer_partner"])
def test_bots_bid_deals_for_four(first_caller: str) -> None:
    """Boards of every vulnerability are bid to a contract or passed out, and each hand fits what it announced."""
    game = Bridge({"first_caller": first_caller})
    for board in range(1, 33):
        deal = auction_of(game, board)
        first = game.first_caller(deal.shared)
        meanings = explain(
            [call.action for call in deal.shared.calls],
            first_side_vulnerable=game.is_vulnerable(deal.shared, first),
            other_side_vulnerable=game.is_vulnerable(deal.shared, (first + 1) % 4),
        )
        assert len(meanings) == len(deal.shared.calls)
        assert all(misfit(hand, meanings, (seat - first) % 4) == 0 for seat, hand in enumerate(deal.hands))


def test_bots_bid_deals_for_three() -> None:
    """Most deals find a declarer below the slams, and some reach games."""
    levels: Counter[int] = Counter()
    for number in range(1, 61):
        contract = auction_of(BridgeThree({}), number).shared.contract
        levels[contract.bid.amount if contract else 0] += 1

    assert levels[0] < 6
    assert levels[7] < 6
    assert sum(levels[level] for level in (1, 2, 3, 4, 5)) > 35
    assert levels[3] + levels[4] > 10

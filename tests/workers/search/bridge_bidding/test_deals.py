"""Whole auctions of four bots, as the table of deals has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .writing import bid_out, read_auction, read_hand, write_auction

TABLE = Path(__file__).with_name("deals.txt")
LINES = [
    line.split(" | ") for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
]


@pytest.mark.parametrize(("hands", "calls"), LINES, ids=[calls for _, calls in LINES])
def test_a_deal_is_bid_as_the_table_says(hands: str, calls: str) -> None:
    """Four bots make the table's calls, and then pass three times."""
    made = bid_out([read_hand(hand) for hand in hands.split()])

    assert write_auction([one.call for one in made]) == write_auction(read_auction(f"{calls} P P P"))

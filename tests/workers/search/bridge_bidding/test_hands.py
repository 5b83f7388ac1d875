"""The table of hands: what the bots bid with a hand after an auction, and what it is called."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from junto.search.bridge_bidding import explain, propose

from .writing import read_auction, read_hand, write_auction

TABLE = Path(__file__).with_name("hands.txt")
DEALS = Path(__file__).with_name("deals.txt")


class Line(NamedTuple):
    """A line of the table."""

    hand: str
    calls: str
    call: str
    name: str


LINES = [
    Line(*(part.strip() for part in line.split("|")))
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.hand} {line.calls} {line.call}")
def test_a_hand_is_bid_as_the_table_says(line: Line) -> None:
    """The bots make the table's call, it is called what the table calls it, and everybody reads it so."""
    calls = read_auction(line.calls)

    proposal = propose(read_hand(line.hand), calls)

    assert (write_auction([proposal.call]), proposal.meaning.name) == (line.call, line.name)
    assert explain([*calls, proposal.call])[-1] == proposal.meaning


def test_the_table_is_large() -> None:
    """There are at least eighty hands, none twice in one position."""
    assert len({(line.hand, line.calls) for line in LINES}) == len(LINES) >= 80


def test_the_page_for_players_tells_what_is_tested() -> None:
    """Every example on the page of the system is a line of the tables, with the same call."""
    page = (Path(__file__).parents[4] / "docs" / "games" / "bridge-bidding.md").read_text(encoding="utf-8")
    hands = {(line.hand, line.calls, line.call) for line in LINES}
    deals = {tuple(line.replace(" | ", "  ").split("  ")) for line in DEALS.read_text(encoding="utf-8").splitlines()}
    told = [[cell.strip() for cell in row.strip("|").split("|")] for row in page.splitlines() if row.startswith("| `")]

    assert len(told) > 25
    for first, *rest in told:
        cards = first.replace("`", "").split()
        known = (
            (*cards, rest[0]) in deals if len(cards) == 4 else (cards[0], *(rest if rest[1:] else ("", *rest))) in hands
        )
        assert known, (first, rest)

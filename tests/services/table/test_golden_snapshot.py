"""Snapshots of earlier versions must load: a table may be older than the process that serves it.

When the schema is raised, keep the old file and its test, and add a new one: `table-<schema>.binpb` holds the
table of `golden_table`, as `pack` of that schema wrote it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from junto.table.aggregate import Table
from junto.table.commands import AddEntropy, Leave, OpenDeal, Presence
from junto.table.seats import Bot, TableSettings, Visibility
from junto.table.snapshot import SCHEMA, pack, unpack
from junto.wire.decisions import Limits

from .playtable import Playtable, any_action

GOLDEN = Path(__file__).parents[2] / "golden"


def golden_table() -> Table:
    """Return a table in the middle of its second deal, with something in every field."""
    settings = TableSettings(
        deals=3,
        visibility=Visibility.UNLISTED,
        turn_ms=20_000,
        bank_ms=5_000,
        hints=False,
        stand_in=Bot("pimc", Limits(time_ms=50, iterations=100, seed=7)),
        entropy_ms=3_000,
        pause_ms=0,
    )
    play = Playtable.started(3, settings, players=4, min_bid=12)
    chance = random.Random(11)
    while True:
        assert play.table.deal is not None
        number = play.table.deal.number
        for seat, name in enumerate(("p0", "p1", "p2")):
            play.do(AddEntropy(number, bytes((number, seat))), name)
        if number == 2:
            break
        play.play_deal(lambda deal: any_action(deal, chance, 3))
        play.do(OpenDeal(chance.randbytes(32)))
    for _ in range(20):
        play.act(after_ms=100)
    play.do(Presence(0, connected=True))
    play.do(Presence(1, connected=True))
    play.do(Presence(1, connected=False))
    play.do(Leave(), "p2")
    return play.table


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_a_snapshot_of_each_schema_loads(schema: int) -> None:
    """What an earlier process wrote reads as the very same table."""
    data = (GOLDEN / f"table-{schema}.binpb").read_bytes()

    assert golden_table() == unpack(data)


def test_a_known_table_is_not_dealt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a newer snapshot of the same deal applies the new moves to the state that is known."""
    play = Playtable.started(3)
    for _ in range(6):
        play.act()
    known = play.table
    play.act()
    data = pack(play.table).data

    def never(*_: Any) -> Any:
        raise AssertionError("the cards are dealt again")

    monkeypatch.setattr(type(play.table.game), "deal", never)

    assert play.table == unpack(data, known)

"""Tables of every game of the catalogue: played, seen by all, kept as bytes and folded again."""

from __future__ import annotations

import random

import pytest

from junto.games.catalog import GAMES
from junto.table.commands import AddEntropy
from junto.table.entries import pack_entry, read_entry, read_log_message
from junto.table.handling import fold_all
from junto.table.scenes import scene, update, write_table
from junto.table.seats import Status, TableSettings
from junto.table.snapshot import pack, unpack
from junto.v1 import tables_pb2
from junto.wire.reading import read_own, read_shared
from junto.wire.results import read_match_view

from .playtable import Playtable


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_match_is_played_seen_and_kept(game_id: str) -> None:
    """Every viewer's view can be read back at every step; the log folded is the table; a snapshot gives it back."""
    play = Playtable.started(2, TableSettings(deals=1), game_id)
    play.play_match(random.Random(7))

    assert play.table.status is Status.FINISHED
    for change in play.changes:
        table = change.table
        for viewer in (None, *range(len(table.seats))):
            view = tables_pb2.TableView.FromString(scene(table).view(viewer))
            if not view.HasField("deal"):
                continue
            assert table.deal is not None
            assert table.deal.state is not None
            assert read_shared(view.deal.shared) == table.deal.state.shared
            assert viewer is None or read_own(view.deal.own) == table.deal.state.owns[viewer]
        assert unpack(pack(table).data) == table
    entries = [read_entry(read_log_message(pack_entry(change.entry))) for change in play.changes]
    assert fold_all(None, entries) == play.table


def test_partners_are_told_when_they_are_drawn() -> None:
    """In whist the update with the first cards has the table with its sides, though nothing else in it changed."""
    play = Playtable.started(1, TableSettings(deals=1, entropy_ms=3_000), "whist")
    assert not play.table.sides
    play.do(AddEntropy(1, b"one"), "p0")

    seen = tables_pb2.TableUpdate.FromString(update(play.changes[-1]).for_viewer(None))
    assert play.table.to_act is not None
    assert read_match_view(seen.table.match).sides == play.table.sides
    assert sorted(seat for side in play.table.sides for seat in side) == [0, 1, 2, 3]
    assert [list(side.seats) for side in write_table(play.table).match.sides] == [
        list(side) for side in play.table.sides
    ]

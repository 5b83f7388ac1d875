"""Deals as Parquet: all that was played, a row a seat, and back."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.arena.simulated import plan_of, played

from junto.arena.errors import NoTournament
from junto.arena.records import SittingRecord
from junto.arena.report import parquet
from junto.arena.report.parquet import SCHEMA, read_deals, write_deals
from junto.arena.spec import Format


def scores(records: SittingRecord) -> list[tuple[object, ...]]:
    return [(seat.entrant, seat.score, seat.role, seat.place) for seat in records.seats]


@pytest.mark.parametrize("how", [Format.ROUND_ROBIN, Format.LADDER])
def test_what_was_played_can_be_read_back_deal_by_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Format
) -> None:
    """Sittings, scores, roles and places come back as they were, also over the ends of groups of rows."""
    monkeypatch.setattr(parquet, "ROWS", 7)
    plan = plan_of(how=how, deals=5)
    deals = played(plan)

    write_deals(tmp_path / "deals.parquet", plan, chain.from_iterable(deals))

    back = [*read_deals(tmp_path / "deals.parquet", plan)]
    assert [[record.sitting for record in deal] for deal in back] == [[*plan.of_deal(deal)] for deal in range(5)]
    assert [[*map(scores, deal)] for deal in back] == [[*map(scores, deal)] for deal in deals]


def test_a_row_tells_a_seat_and_seat_zero_the_actions(tmp_path: Path) -> None:
    """There are as many rows as seats were held; actions stand once a sitting."""
    plan = plan_of(deals=3)
    deals = played(plan)

    write_deals(tmp_path / "deals.parquet", plan, chain.from_iterable(deals))

    table = pq.read_table(tmp_path / "deals.parquet")
    rows = table.to_pylist()
    assert table.schema.equals(SCHEMA)
    assert len(rows) == 3 * plan.sittings_per_deal * plan.game.seats
    assert {row["actions"] for row in rows if row["seat"] == 0} == {"play 0\nplay 1\nplay 2"}
    assert {row["actions"] for row in rows if row["seat"] != 0} == {None}
    first = deals[0][0].seats[2]
    assert rows[2]["time_max_us"] == max(first.micros)
    assert rows[2]["time_p50_us"] == sorted(first.micros)[3]
    assert rows[2]["worlds"] == first.worlds


def test_only_columns_of_time_hang_on_the_clock(tmp_path: Path) -> None:
    """The same deals give the same file, and those that took longer the same table but for columns named `time`."""
    plan = plan_of(deals=4)
    deals = [*chain.from_iterable(played(plan))]
    write_deals(tmp_path / "a", plan, deals)
    write_deals(tmp_path / "b", plan, deals)
    write_deals(tmp_path / "c", plan, map(slower, deals))

    timed = [name for name in SCHEMA.names if name.startswith("time_")]

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    a, c = (pq.read_table(tmp_path / name) for name in "ac")
    assert a != c
    assert a.drop_columns(timed) == c.drop_columns(timed)


def slower(record: SittingRecord) -> SittingRecord:
    seats = tuple(replace(seat, micros=tuple(time + 5 for time in seat.micros)) for seat in record.seats)
    return replace(record, seats=seats, cpu_s=9.0)


def test_what_is_no_such_file_is_refused_in_words(tmp_path: Path) -> None:
    """A missing file, one that is no Parquet, and one with other entrants."""
    plan = plan_of(deals=1)
    (tmp_path / "text").write_text("deals")
    write_deals(tmp_path / "other", plan_of("others", "than", "these", deals=1), played(plan)[0])

    for name, what in (("missing", "cannot be read"), ("text", "holds no deals"), ("other", "holds no deals")):
        with pytest.raises(NoTournament, match=what):
            list(read_deals(tmp_path / name, plan))

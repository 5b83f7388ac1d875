"""Every deal of a tournament as one Parquet file: a row for each seat of each sitting, in order. See docs/arena.md.

It is written and read in groups of rows, so its length does not matter. Columns named `time_...` hang on the clock; the
rest is the same for every run that played the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from junto.arena.errors import NoTournament
from junto.arena.plan import Plan, Sitting
from junto.arena.records import SeatRecord, SittingRecord
from junto.arena.spec import VERSION
from junto.games.view import Outcome, Role

ROWS: Final = 20_000
"""So many rows are kept before they are written."""
_META: Final = b"junto"
_WORD: Final = pa.dictionary(pa.int16(), pa.string())
SCHEMA: Final = pa.schema(
    [
        pa.field("deal", pa.int32(), nullable=False),
        pa.field("sitting", pa.int32(), nullable=False),
        pa.field("seat", pa.int8(), nullable=False),
        pa.field("entrant", _WORD, nullable=False),
        pa.field("strategy", _WORD, nullable=False),
        pa.field("score", pa.int32(), nullable=False),
        pa.field("role", _WORD),
        pa.field("place", pa.int8()),
        pa.field("outcome", _WORD, nullable=False),
        pa.field("captured", pa.int32()),
        pa.field("attempt", pa.int8(), nullable=False),
        pa.field("decisions", pa.int32(), nullable=False),
        pa.field("worlds", pa.int64(), nullable=False),
        pa.field("playouts", pa.int64(), nullable=False),
        pa.field("faults", pa.int32(), nullable=False),
        pa.field("fault", _WORD),
        pa.field("fault_step", pa.int32()),
        pa.field("fault_reason", pa.string()),
        pa.field("actions", pa.string()),
        pa.field("time_p50_us", pa.int64()),
        pa.field("time_p99_us", pa.int64()),
        pa.field("time_max_us", pa.int64()),
        pa.field("time_total_us", pa.int64(), nullable=False),
        pa.field("time_cpu_us", pa.int64()),
    ]
)
"""`fault...` tell a seat's first fault. `actions` (a line each) and `time_cpu_us` are in the rows of seat 0 alone."""
_NEEDED: Final = ["deal", "sitting", "seat", "entrant", "score", "role", "place", "outcome", "captured", "attempt"]
Row = dict[str, Any]


def write_deals(path: Path, plan: Plan, records: Iterable[SittingRecord]) -> None:
    """Write records, which come in the order of deals and sittings."""
    about = json.dumps({"version": VERSION, "game": plan.spec.game, "seed": plan.spec.seed}, sort_keys=True)
    schema = SCHEMA.with_metadata({_META: about.encode()})
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        rows: list[Row] = []
        for row in chain.from_iterable(_rows(plan, record) for record in records):
            rows.append(row)
            if len(rows) == ROWS:
                writer.write_table(pa.Table.from_pylist(rows, schema))
                rows.clear()
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema))


def _rows(plan: Plan, record: SittingRecord) -> Iterator[Row]:
    for number, seat in enumerate(record.seats):
        entrant = plan.spec.entrants[seat.entrant]
        yield {
            "deal": record.sitting.deal,
            "sitting": record.sitting.number,
            "seat": number,
            "entrant": entrant.name,
            "strategy": _text(entrant.strategy),
            "outcome": record.outcome.name.lower(),
            "captured": record.captured,
            "attempt": record.attempt,
            "actions": None if number else "\n".join(record.actions),
            "time_cpu_us": None if number else round(record.cpu_s * 1e6),
            **_seat(seat),
        }


def _seat(seat: SeatRecord) -> Row:
    fault = seat.faults[0] if seat.faults else None
    return {
        "score": seat.score,
        "role": None if seat.role is None else seat.role.name.lower(),
        "place": seat.place,
        "decisions": len(seat.micros),
        "worlds": seat.worlds,
        "playouts": seat.playouts,
        "faults": len(seat.faults),
        "fault": fault and fault.failing.value,
        "fault_step": fault and fault.step,
        "fault_reason": fault and _text(fault.reason),
        **_times(sorted(seat.micros)),
    }


def _times(ordered: Sequence[int]) -> Row:
    return {
        "time_p50_us": ordered[ceil(0.5 * len(ordered)) - 1] if ordered else None,
        "time_p99_us": ordered[ceil(0.99 * len(ordered)) - 1] if ordered else None,
        "time_max_us": ordered[-1] if ordered else None,
        "time_total_us": sum(ordered),
    }


def _text(anything: str) -> str:
    """Return what others wrote as text that UTF-8 can hold."""
    return anything.encode("utf-8", "replace").decode("utf-8")


def read_deals(path: Path, plan: Plan) -> Iterator[tuple[SittingRecord, ...]]:
    """Yield the sittings of each deal, in order: who sat where and what it came to, without actions, times and faults.

    Raises:
        NoTournament: the file is none of this plan.
    """
    numbers = {entrant.name: number for number, entrant in enumerate(plan.spec.entrants)}
    try:
        rows = _stored(path)
        for _, of_deal in groupby(rows, itemgetter("deal")):
            sittings = groupby(of_deal, itemgetter("sitting"))
            yield tuple(_record([*of_sitting], numbers) for _, of_sitting in sittings)
    except OSError as problem:
        raise NoTournament(f"{path} cannot be read: {problem}") from None
    except (pa.ArrowException, KeyError) as problem:
        raise NoTournament(f"{path} holds no deals of this tournament: {problem}") from None


def _stored(path: Path) -> Iterator[Row]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS, columns=_NEEDED):
            yield from batch.to_pylist()


def _record(rows: Sequence[Row], numbers: dict[str, int]) -> SittingRecord:
    seats = tuple(
        SeatRecord(numbers[row["entrant"]], row["score"], row["role"] and Role[row["role"].upper()], row["place"])
        for row in rows
    )
    first = rows[0]
    return SittingRecord(
        sitting=Sitting(first["deal"], first["sitting"], tuple(seat.entrant for seat in seats)),
        outcome=Outcome[first["outcome"].upper()],
        seats=seats,
        attempt=first["attempt"],
        captured=first["captured"],
    )

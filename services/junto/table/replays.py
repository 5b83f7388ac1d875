"""Finished deals for the record, out of their logs: enough to deal them again, check them and walk through them."""

from __future__ import annotations

from collections.abc import Sequence

from junto.games.actions import text
from junto.table.aggregate import Change, Entry, LogStart, Table
from junto.table.commands import Act
from junto.table.history import LogGone, changes_of
from junto.table.scenes import promise
from junto.table.seats import Seat
from junto.table.store import Store
from junto.v1 import events_pb2, replays_pb2
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.replays import write_deal
from junto.wire.results import write_match_view
from junto.wire.times import write_time


def finished_deals(table: Table) -> tuple[LogStart, ...]:
    """Return where the logs of the match's finished deals begin, in order; the match is the last one started."""
    deals: tuple[LogStart, ...] = ()
    for start in reversed(table.logs):
        if start.deal_number == 0:
            break
        deals = (start, *deals)
        if start.deal_number == 1:
            break
    return deals if table.deal is None or table.deal.is_over else deals[:-1]


async def write_replay(store: Store, table: Table, deals: Sequence[LogStart]) -> replays_pb2.Replay:
    """Return a replay of some finished deals; those that are not kept any more are left out.

    Raises:
        StoreUnavailable: Redis cannot be reached.
        BrokenLog, ForeignEntry, NewerSchema: another process wrote what this one cannot read.
    """
    records = []
    for start in deals:
        try:
            records.append(_write_record(await changes_of(store, table, start)))
        except LogGone:
            continue
    match = table.match_view
    return replays_pb2.Replay(
        table_id=table.table_id,
        rules=write_rules(table.game),
        rules_version=table.game.rules_version,
        seat_names=[_name(seat) for seat in table.seats],
        deals=records,
        match=None if match is None else write_match_view(match),
    )


def _write_record(changes: Sequence[Change]) -> replays_pb2.DealRecord:
    first, last = changes[0].table, changes[-1].table
    deal, before = last.deal, first.match_view
    assert deal is not None
    assert before is not None
    assert first.match is not None
    actions = [
        _write_action(change.entry, change.entry.command) for change in changes if isinstance(change.entry.command, Act)
    ]
    return write_deal(deal.shared, deal.seed, promise(deal), first.match, before, actions)


def _write_action(entry: Entry, command: Act) -> replays_pb2.ActionRecord:
    record = replays_pb2.ActionRecord(
        version=entry.version,
        time=write_time(entry.time_ms),
        seat=command.seat,
        actor=events_pb2.Actor.ValueType(command.actor),
        action=write_action(command.action),
        text=text(command.action),
    )
    if command.decision is not None:
        record.decision.MergeFromString(command.decision)
    return record


def _name(seat: Seat) -> str:
    if seat.player is not None:
        return seat.player.name
    return seat.bot.strategy_id if seat.bot is not None else ""

"""A table as its viewers may see it: `Scene`s and `Update`s of the wire, made from the aggregate by inclusion."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from junto.games.shuffle import commitment
from junto.table.aggregate import Change, Table, TableDeal
from junto.table.messages import write_bot, write_player, write_settings
from junto.table.seats import Occupant, PlayerId, Seat, Visibility
from junto.v1 import tables_pb2
from junto.wire.catalog import write_rules
from junto.wire.promises import Promise
from junto.wire.results import write_match_view
from junto.wire.times import write_time
from junto.wire.updates import Due, Known, Scene, Told, Turn, Update, told


def write_table(table: Table) -> tables_pb2.Table:
    """Return a table's message, which has no cards: anybody who may see the table may see it."""
    header, match = table.header, table.match_view
    return tables_pb2.Table(
        id=header.table_id,
        version=table.version,
        rules=write_rules(header.game),
        settings=write_settings(header.settings),
        host_player_id=None if header.host is None else header.host.id,
        status=tables_pb2.TableStatus.ValueType(table.status),
        seats=[_write_seat(number, seat) for number, seat in enumerate(table.seats)],
        match=None if match is None else write_match_view(match),
        create_time=write_time(header.create_ms),
    )


def scene(table: Table) -> Scene:
    """Return the table as its viewers may see it."""
    deal, clock = table.deal, table.clock
    return Scene(
        lambda: write_table(table),
        None if deal is None else _known(deal),
        _due(table),
        None if clock is None else Turn(clock.turn_end_ms, clock.deadline_ms),
    )


def update(change: Change) -> Update:
    """Return what a command did, for all viewers of the table."""
    table, deal, actor = change.table, change.table.deal, change.actor
    events: tuple[Told, ...] = ()
    if change.events and deal is not None:
        # A plain number: the wire looks events up by it, and an enum's hash is slow.
        events = told(change.events, int(actor or 0), promise(deal), deal.seed if deal.is_over else None)
    return Update(
        scene(table),
        table.version - 1,
        table.version,
        change.entry.time_ms,
        events,
        table_changed=_table_changed(change.before, table),
    )


def merged(changes: Iterable[Change]) -> Update | None:
    """Return what several commands did, one after the other; None for none."""
    whole: Update | None = None
    for change in changes:
        whole = update(change) if whole is None else whole.then(update(change))
    return whole


def promise(deal: TableDeal) -> Promise:
    """Return what was promised of a deal, with the deadline for entropy while some may be added."""
    return _promise(deal.secret, deal.entropy_until_ms if deal.state is None and deal.entropy_until_ms else None)


@lru_cache(4096)
def _promise(secret: bytes, deadline_ms: int | None) -> Promise:
    return Promise(commitment(secret), deadline_ms)


def viewer(table: Table, player: PlayerId) -> int | None:
    """Return the seat that a player sees the table from; None: as a spectator. Who has left has no seat."""
    number = table.seat_of(player)
    return None if number is None or table.seats[number].left else number


def may_watch(table: Table, player: PlayerId) -> bool:
    """Tell whether a player may see the table: at a private one only the host and the seated."""
    if table.settings.visibility is not Visibility.PRIVATE:
        return True
    return table.is_host(player) or viewer(table, player) is not None


def _known(deal: TableDeal) -> Known:
    return Known(
        deal.shared,
        deal.state.owns if deal.state else (),
        promise(deal),
        deal.seed if deal.is_over else None,
    )


def _due(table: Table) -> Due | None:
    """Return the decision that is due, if a player could see it: a bot is asked in another way."""
    to_act = table.to_act
    if to_act is None or table.seats[to_act].player is None:
        return None
    assert table.deal is not None
    assert table.deal.state is not None
    prompt = table.deal.state.prompt
    assert prompt is not None
    deadline_ms = None if table.clock is None else table.clock.deadline_ms
    is_certain = deadline_ms is not None and table.settings.stand_in is None
    default = table.deal.state.default_action() if is_certain else None
    return Due(prompt, table.deal.prompt_version, deadline_ms, default)


def _write_seat(number: int, seat: Seat) -> tables_pb2.Seat:
    return tables_pb2.Seat(
        number=number,
        player=None if seat.player is None else write_player(seat.player),
        bot=None if seat.bot is None else write_bot(seat.bot),
        connected=seat.connected,
        stand_in=seat.stand_in,
    )


def _table_changed(before: Table | None, table: Table) -> bool:
    if before is None or before.status is not table.status or before.standing is not table.standing:
        return True
    if before.sides != table.sides:
        return True
    return before.seats is not table.seats and any(
        _shown(old) != _shown(new) for old, new in zip(before.seats, table.seats, strict=True)
    )


def _shown(seat: Seat) -> tuple[Occupant | None, bool, bool]:
    return seat.occupant, seat.connected, seat.stand_in

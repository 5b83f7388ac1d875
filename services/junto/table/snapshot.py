"""The whole table as bytes, and back.

A snapshot is written in parts. Protobuf lets serialised parts of one message be joined, so what a move
does not change (rules, settings, seats, the moves so far) is taken over from the snapshot before, and a
move writes itself and a few numbers. Reading goes the same way: a table that is known already and has the
same deal on it takes over that deal's state and applies the new moves alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from junto.games.actions import Action
from junto.games.catalog import GAMES
from junto.games.core import Deal, Game, Match
from junto.games.shuffle import DealSeed
from junto.internal.v1 import store_pb2
from junto.table.aggregate import Header, LogStart, SeatMove, Table, TableDeal, TurnClock
from junto.table.messages import (
    read_bot,
    read_player,
    read_settings,
    write_bot,
    write_player,
    write_settings,
)
from junto.table.seats import Actor, Seat, Status, TableId
from junto.v1 import events_pb2, tables_pb2
from junto.wire.actions import read_action, write_action
from junto.wire.catalog import read_rules, write_rules
from junto.wire.match import read_match, write_match

SCHEMA = 1
"""The version of what a snapshot means. Raise it when older processes would misread a newer one."""


class SnapshotError(Exception):
    """A snapshot that cannot be read."""


class NewerSchema(SnapshotError):
    """A newer process wrote the table, with a schema or rules that this one does not know: leave it alone."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A snapshot in parts, each with what it was made from, so that the next can tell what is still good."""

    table: Table
    header: bytes = field(repr=False)
    seats: bytes = field(repr=False)
    match: bytes = field(repr=False)
    deal: bytes = field(repr=False)
    moves: bytes = field(repr=False)
    now: bytes = field(repr=False)

    @property
    def data(self) -> bytes:
        """The snapshot: a serialised `junto.internal.v1.Snapshot`."""
        return b"".join((self.header, self.seats, self.match, self.deal, self.moves, self.now))


def pack(table: Table, before: Packed | None = None) -> Packed:
    """Return the table's snapshot, with the parts of the one before that are still good."""
    old = before.table if before else None
    same_deal = before is not None and _is_same_deal(old, table)
    return Packed(
        table=table,
        header=before.header if before and old and old.header is table.header else _pack_header(table),
        seats=before.seats if before and old and old.seats is table.seats else _pack_seats(table),
        match=before.match if before and old and _is_same_match(old, table) else _pack_match(table),
        deal=before.deal if before and same_deal else _pack_deal(table.deal),
        moves=_pack_moves(table.deal, before if same_deal else None),
        now=_pack_now(table),
    )


def unpack(data: bytes, known: Table | None = None) -> Table:
    """Return the table of a snapshot; `known` is the same table as this process last knew it.

    Raises:
        NewerSchema: a newer process wrote it.
        SnapshotError: it makes no sense.
    """
    message = store_pb2.Snapshot.FromString(data)
    _check_age(message)
    if known is not None and known.table_id != message.table_id:
        known = None
    header = known.header if known else _read_header(message)
    match = read_match(message.match) if message.HasField("match") else None
    return Table(
        header=header,
        version=message.version,
        status=Status(message.status),
        seats=tuple(_read_seat(seat) for seat in message.seats),
        touched_ms=message.touched_ms,
        logs=tuple(LogStart(start.log, start.deal_number, start.version) for start in message.logs),
        match=match,
        deal=_read_deal(message, header.game, match, known.deal if known else None)
        if message.HasField("deal")
        else None,
        clock=_read_clock(message.clock) if message.HasField("clock") else None,
    )


def _check_age(message: store_pb2.Snapshot) -> None:
    if message.schema > SCHEMA:
        raise NewerSchema(f"the table has schema {message.schema}, this process knows {SCHEMA}")
    game = GAMES.get(message.rules.game_id)
    if game is None or message.rules_version > game.rules_version:
        raise NewerSchema(f"the table is played by rules of {message.rules.game_id} that this process does not know")
    if message.schema < 1:
        raise SnapshotError("this is no snapshot of a table")


def _is_same_match(old: Table, table: Table) -> bool:
    return old.match is table.match and old.logs is table.logs


def _is_same_deal(old: Table | None, table: Table) -> bool:
    if old is None or old.deal is None or table.deal is None:
        return False
    return old.deal.secret is table.deal.secret and old.deal.entropy is table.deal.entropy


def _pack_header(table: Table) -> bytes:
    header = table.header
    return store_pb2.Snapshot(
        schema=SCHEMA,
        rules_version=header.game.rules_version,
        table_id=header.table_id,
        rules=write_rules(header.game),
        settings=write_settings(header.settings),
        host=None if header.host is None else write_player(header.host),
        create_ms=header.create_ms,
    ).SerializeToString()


def _read_header(message: store_pb2.Snapshot) -> Header:
    game = read_rules(message.rules)
    return Header(
        table_id=TableId(message.table_id),
        game=game,
        settings=read_settings(message.settings, game.default_deals),
        host=read_player(message.host) if message.HasField("host") else None,
        create_ms=message.create_ms,
    )


def _pack_seats(table: Table) -> bytes:
    return store_pb2.Snapshot(seats=[_write_seat(seat) for seat in table.seats]).SerializeToString()


def _write_seat(seat: Seat) -> store_pb2.SeatState:
    return store_pb2.SeatState(
        player=None if seat.player is None else write_player(seat.player),
        bot=None if seat.bot is None else write_bot(seat.bot),
        connected=seat.connected,
        stand_in=seat.stand_in,
        left=seat.left,
        bank_ms=seat.bank_ms,
        gone_ms=seat.gone_ms,
    )


def _read_seat(message: store_pb2.SeatState) -> Seat:
    match message.WhichOneof("occupant"):
        case "player":
            occupant = read_player(message.player)
        case "bot":
            return Seat(read_bot(message.bot))
        case _:
            return Seat()
    return Seat(occupant, message.connected, message.gone_ms, message.stand_in, message.left, message.bank_ms)


def _pack_match(table: Table) -> bytes:
    logs = [
        store_pb2.LogStart(log=start.log, deal_number=start.deal_number, version=start.version) for start in table.logs
    ]
    match = None if table.match is None else write_match(table.match)
    return store_pb2.Snapshot(match=match, logs=logs).SerializeToString()


def _pack_deal(deal: TableDeal | None) -> bytes:
    if deal is None:
        return b""
    state = store_pb2.DealState(
        number=deal.number, secret=deal.secret, entropy=deal.entropy, entropy_until_ms=deal.entropy_until_ms
    )
    return store_pb2.Snapshot(deal=state).SerializeToString()


def _pack_moves(deal: TableDeal | None, before: Packed | None) -> bytes:
    if deal is None:
        return b""
    known = 0 if before is None or before.table.deal is None else len(before.table.deal.moves)
    new = [_pack_move(move.seat, int(move.actor), move.action) for move in deal.moves[known:]]
    return b"".join((before.moves, *new) if before else new)


@lru_cache(8192)
def _pack_move(seat: int, actor: int, action: Action) -> bytes:
    """Return a move serialised; there are some thousands, and each comes up in every deal."""
    message = store_pb2.SeatMove(seat=seat, actor=events_pb2.Actor.ValueType(actor), action=write_action(action))
    return store_pb2.Snapshot(deal=store_pb2.DealState(moves=(message,))).SerializeToString()


def _pack_now(table: Table) -> bytes:
    message = store_pb2.Snapshot(
        version=table.version, status=tables_pb2.TableStatus.ValueType(table.status), touched_ms=table.touched_ms
    )
    if table.clock is not None:
        clock = table.clock
        message.clock.turn_start_ms = clock.start_ms
        message.clock.turn_end_ms = clock.turn_end_ms
        message.clock.deadline_ms = clock.deadline_ms
    deal = table.deal
    if deal is not None:
        message.deal.dealt = deal.state is not None
        message.deal.prompt_version = deal.prompt_version
        message.deal.over_ms = deal.over_ms
        if deal.after is not None:
            message.after.CopyFrom(write_match(deal.after))
    return message.SerializeToString()


def _read_clock(message: store_pb2.ClockState) -> TurnClock:
    return TurnClock(message.turn_start_ms, message.turn_end_ms, message.deadline_ms)


def _read_deal(snapshot: store_pb2.Snapshot, game: Game, match: Match | None, known: TableDeal | None) -> TableDeal:
    if match is None:
        raise SnapshotError("a deal is on the table, and no match")
    message = snapshot.deal
    moves = tuple(SeatMove(move.seat, Actor(move.actor), read_action(move.action)) for move in message.moves)
    entropy = tuple(message.entropy)
    state = None
    if message.dealt:
        state = _known_state(message, entropy, moves, known)
        if state is None:
            state = _replayed(game.deal(match, DealSeed(message.secret, entropy)).deal, moves)
    return TableDeal(
        number=message.number,
        secret=message.secret,
        entropy=entropy,
        entropy_until_ms=message.entropy_until_ms,
        state=state,
        moves=moves,
        prompt_version=message.prompt_version,
        over_ms=message.over_ms,
        after=read_match(snapshot.after) if snapshot.HasField("after") else None,
    )


def _known_state(
    message: store_pb2.DealState, entropy: tuple[bytes, ...], moves: tuple[SeatMove, ...], known: TableDeal | None
) -> Deal | None:
    """Return the deal's state, from the one that is known and the moves since; None: they do not fit together."""
    if known is None or known.state is None or known.secret != message.secret or known.entropy != entropy:
        return None
    if moves[: len(known.moves)] != known.moves:
        return None
    return _replayed(known.state, moves[len(known.moves) :])


def _replayed(state: Deal, moves: tuple[SeatMove, ...]) -> Deal:
    for move in moves:
        state = state.apply(move.action).deal
    return state

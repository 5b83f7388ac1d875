"""A table's message straight from its snapshot: for lists, where dealing the cards again would be in vain."""

from __future__ import annotations

from collections.abc import Iterable

from junto.internal.v1 import store_pb2
from junto.table.snapshot import SCHEMA
from junto.v1 import catalog_pb2, tables_pb2, views_pb2
from junto.wire.catalog import read_rules
from junto.wire.errors import WireError
from junto.wire.match import read_match
from junto.wire.times import write_time


def summary(snapshot: bytes) -> tables_pb2.Table | None:
    """Return the message of a table, as `write_table` makes it; None: a newer process wrote the snapshot.

    Only partners that were drawn for the deal on the table are not told: its cards would have to be dealt again.
    """
    stored = store_pb2.Snapshot.FromString(snapshot)
    if stored.schema > SCHEMA:
        return None
    return tables_pb2.Table(
        id=stored.table_id,
        version=stored.version,
        rules=stored.rules,
        settings=stored.settings,
        host_player_id=stored.host.id if stored.HasField("host") else None,
        status=stored.status,
        seats=[_seat(number, seat) for number, seat in enumerate(stored.seats)],
        match=_match(stored),
        create_time=write_time(stored.create_ms),
    )


def _seat(number: int, seat: store_pb2.SeatState) -> tables_pb2.Seat:
    return tables_pb2.Seat(
        number=number,
        player=seat.player if seat.HasField("player") else None,
        bot=seat.bot if seat.HasField("bot") else None,
        connected=seat.connected,
        stand_in=seat.stand_in,
    )


def _match(stored: store_pb2.Snapshot) -> views_pb2.MatchView | None:
    if not stored.HasField("match"):
        return None
    match = stored.after if stored.HasField("after") else stored.match
    return views_pb2.MatchView(
        deals_done=match.deals_done,
        deals_total=stored.settings.deals,
        scores=[views_pb2.SeatScore(seat=seat, score=score) for seat, score in enumerate(match.scores)],
        last_deal=match.last_deal if match.HasField("last_deal") else None,
        sides=_sides(stored.rules, match),
    )


def _sides(rules: catalog_pb2.RuleSet, match: store_pb2.MatchState) -> Iterable[views_pb2.Side]:
    try:
        sides = read_rules(rules).sides(read_match(match))
    except WireError:
        return ()  # a newer process's game
    return [views_pb2.Side(seats=side) for side in sides]

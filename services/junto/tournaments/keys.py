"""The names of what is kept of tournaments in Redis.

A tournament lives in the shard that its id gives, beside tables. What is looked through for all of them at once (who
waits to be played, whose they are) is under the tag of what belongs to no shard.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import NewType

from junto.table.keys import Keyspace, Shard
from junto.table.seats import PlayerId, TableId

TournamentId = NewType("TournamentId", str)

_ID_BYTES = 10


@dataclass(frozen=True, slots=True)
class TournamentKeys:
    """The keys of one tournament, all in one slot. `changed` is the channel on which its shard tells of changes."""

    shard: Shard
    slot: int
    id: bytes
    tournament: bytes
    sittings: bytes
    changed: bytes


@dataclass(frozen=True, slots=True)
class DeskKeys:
    """The keys of what is kept of all tournaments, in one slot: those that are to be played, and a player's."""

    slot: int
    open: bytes
    of: bytes


def tournament_keys(keyspace: Keyspace, tournament_id: TournamentId) -> TournamentKeys:
    """Return the keys of a tournament."""
    shard = shard_of(keyspace, tournament_id)
    encoded = tournament_id.encode()
    tag = b"%b:{s%d}" % (keyspace.prefix.encode(), shard)
    return TournamentKeys(
        shard,
        keyspace.slot(shard),
        encoded,
        b"%b:tournament:%b" % (tag, encoded),
        b"%b:sittings:%b" % (tag, encoded),
        keyspace.changed(shard),
    )


def desk_keys(keyspace: Keyspace, player: PlayerId = PlayerId("")) -> DeskKeys:  # noqa: B008  # a str
    """Return the keys of the desk; whose tournaments are meant does not matter to who asks for the open ones."""
    all_open, slot = keyspace.meta("tournaments")
    of_player, _ = keyspace.meta(f"tournaments-of:{player}")
    return DeskKeys(slot, all_open, of_player)


def shard_of(keyspace: Keyspace, tournament_id: TournamentId) -> Shard:
    """Return the shard that a tournament lives in."""
    return keyspace.shard_of(TableId(tournament_id))


def new_id(player: PlayerId, request_id: str) -> TournamentId:
    """Return the id that follows from who asks and for which intent: asked again, it is the same tournament."""
    digest = hashlib.sha256(f"{player}\0tournament\0{request_id}".encode()).digest()
    return TournamentId(base64.b32encode(digest[:_ID_BYTES]).decode().lower())

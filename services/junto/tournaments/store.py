"""Tournaments in Redis: asked for, looked at, stopped. What an organiser does with them is in `junto.tournaments.work`.

A tournament is on the desk (a set of those to be played, and a list for each creator) before it is stored, and off it
after it has ended; so whoever dies in between leaves a name on the desk that the next organiser clears away, and
never a tournament that nobody would play. Who was frozen in between for so long that it was cleared away puts it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from junto.internal.v1 import store_pb2
from junto.table.connection import Argument
from junto.table.errors import RequestIdReused, TooMany
from junto.table.pipe import Reply
from junto.table.seats import PlayerId
from junto.table.store import Store
from junto.tournaments.errors import NewerTournament, TournamentNotFound, TournamentsFull
from junto.tournaments.keys import TournamentId, desk_keys, new_id, tournament_keys
from junto.tournaments.scripts import CANCEL, CLEAR, ENTER, LEAVE, OPEN
from junto.v1 import tournaments_pb2

SCHEMA: Final = 1
"""The version of what a `TournamentRecord` means."""
MOST_KEPT: Final = 100
"""How many tournaments of a player are kept; of more, those that ended and were created first are forgotten."""

_FIELDS: Final = ("record", "version", "status", "end", "problem", "progress", "until", "fence")
_STANDINGS: Final = "standings"


@dataclass(frozen=True, slots=True)
class Room:
    """How many tournaments may run, of a player and in all, and how long those that ended stay."""

    of_player: int = 2
    in_all: int = 100
    keep_ms: int = 7 * 86_400_000


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as it is stored.

    `version` rises with every change that is to be seen. `held_until_ms` is when the lease of whoever plays it ends.
    """

    record: store_pb2.TournamentRecord
    version: int
    status: tournaments_pb2.TournamentStatus.ValueType
    end_ms: int
    problem: str
    progress: store_pb2.TournamentProgress
    held_until_ms: int
    fence: int

    @property
    def id(self) -> TournamentId:
        """Its id."""
        return TournamentId(self.record.tournament_id)

    @property
    def is_running(self) -> bool:
        """Whether it is neither over nor stopped."""
        return self.status == tournaments_pb2.TOURNAMENT_STATUS_RUNNING

    def is_waiting(self, now_ms: int) -> bool:
        """Tell whether it runs and nobody plays it."""
        return self.is_running and self.held_until_ms <= now_ms


class Tournaments:
    """The tournaments of a store. Methods raise `StoreUnavailable` and `StoreUnwritable` as the store's do."""

    def __init__(self, store: Store, room: Room | None = None) -> None:
        self.store = store
        self.room = room or Room()
        self._connection = store.connection
        self._keyspace = store.keyspace

    async def create(self, request_id: str, record: store_pb2.TournamentRecord) -> Tournament:
        """Store a tournament; its id is filled in. Who asks for the same one again gets it as it is now.

        Raises:
            RequestIdReused: the request id was used with other content.
            TooMany: so many of the player's are running.
            TournamentsFull: so many are running at all.
        """
        player = PlayerId(record.creator.id)
        tournament_id = new_id(player, request_id)
        first = await self.find(tournament_id)
        if first is None:
            stored = store_pb2.TournamentRecord()
            stored.CopyFrom(record)
            stored.schema, stored.tournament_id = SCHEMA, tournament_id
            await self._enter(tournament_id, player, record.create_ms)
            keys = tournament_keys(self._keyspace, tournament_id)
            said: list[Argument] = [stored.SerializeToString(), self.room.keep_ms]
            await self._connection.run(keys.slot, OPEN, [keys.tournament], said)
            first = await self.get(tournament_id)
        if first.is_running:
            desk = desk_keys(self._keyspace, player)
            await self._connection.write(desk.slot, "ZADD", desk.open, "NX", first.record.create_ms, tournament_id)
        if first.record.request_hash != record.request_hash:
            raise RequestIdReused("this request id was used for something else: take a fresh one for each intent")
        return first

    async def get(self, tournament_id: TournamentId) -> Tournament:
        """Return a tournament.

        Raises:
            TournamentNotFound: there is none.
            NewerTournament: a newer process wrote it.
        """
        found = await self.find(tournament_id)
        if found is None:
            raise TournamentNotFound
        return found

    async def find(self, tournament_id: TournamentId) -> Tournament | None:
        """Return a tournament; None: there is none.

        Raises:
            NewerTournament: a newer process wrote it.
        """
        keys = tournament_keys(self._keyspace, tournament_id)
        reply = await self._connection.read(keys.slot, "HMGET", keys.tournament, *_FIELDS, _STANDINGS)
        found = _read(reply[:-1], reply[-1] or b"")
        if isinstance(found, NewerTournament):
            raise found
        return found

    async def find_all(self, tournament_ids: Iterable[TournamentId]) -> list[Tournament | None]:
        """Return many tournaments, in the order asked for, all without their standings; None where there is none.

        Raises:
            NewerTournament: a newer process wrote one.
        """
        found = await self.find_each(tournament_ids)
        for one in found:
            if isinstance(one, NewerTournament):
                raise one
        return cast("list[Tournament | None]", found)

    async def find_each(self, tournament_ids: Iterable[TournamentId]) -> list[Tournament | NewerTournament | None]:
        """Return many tournaments, as `find_all`; what is to be raised for those that a newer process wrote."""
        all_keys = [tournament_keys(self._keyspace, one) for one in tournament_ids]
        replies = await self._connection.read_all(
            (keys.slot, ("HMGET", keys.tournament, *_FIELDS)) for keys in all_keys
        )
        return [_read(reply) for reply in replies]

    async def of_player(self, player: PlayerId, limit: int, after: bytes = b"") -> tuple[list[Tournament], bytes]:
        """Return some of a player's tournaments, newest first, and where the next page begins (empty: nowhere)."""
        desk = desk_keys(self._keyspace, player)
        reply = await self._connection.read(desk.slot, "ZREVRANGE", desk.of, 0, -1, "WITHSCORES")
        places = [(int(float(ms)), one) for one, ms in zip(reply[::2], reply[1::2], strict=True)]
        rest = [place for place in places if not after or place < _place(after)]
        page = rest[:limit]
        found = await self.find_all(TournamentId(one.decode()) for _, one in page)
        more = b"%d %b" % page[-1] if len(page) < len(rest) else b""
        return [one for one in found if one is not None], more

    async def cancel(self, tournament: Tournament) -> Tournament:
        """Stop a tournament if it is running; return it as it is then.

        Raises:
            TournamentNotFound: it is gone.
        """
        keys = tournament_keys(self._keyspace, tournament.id)
        said: list[Argument] = [self.room.keep_ms, keys.changed, keys.id]
        await self._connection.run(keys.slot, CANCEL, [keys.tournament, keys.sittings], said)
        await self.clear(tournament.id, PlayerId(tournament.record.creator.id))
        return await self.get(tournament.id)

    async def clear(self, tournament_id: TournamentId, player: PlayerId) -> None:
        """Take a tournament off the desk: it is over."""
        desk = desk_keys(self._keyspace, player)
        await self._connection.run(desk.slot, LEAVE, [desk.open, desk.of], [tournament_id.encode(), self._list_life_ms])

    async def clear_stray(self, tournament_id: TournamentId, since_ms: int) -> None:
        """Take a name off the desk that is there since then without a tournament."""
        desk = desk_keys(self._keyspace)
        await self._connection.run(desk.slot, CLEAR, [desk.open], [tournament_id.encode(), since_ms])

    @property
    def _list_life_ms(self) -> int:
        return 2 * self.room.keep_ms

    async def _enter(self, tournament_id: TournamentId, player: PlayerId, create_ms: int) -> None:
        desk, room = desk_keys(self._keyspace, player), self.room
        said: list[Argument] = [tournament_id, create_ms, room.in_all, room.of_player, MOST_KEPT, self._list_life_ms]
        answer, *forgotten = await self._connection.run(desk.slot, ENTER, [desk.open, desk.of], said)
        match answer:
            case b"player":
                raise TooMany(f"{room.of_player} of your tournaments are running: wait or cancel one", room.of_player)
            case b"all":
                raise TournamentsFull(f"{room.in_all} tournaments wait to be played: try again later")
        for one in forgotten:
            keys = tournament_keys(self._keyspace, TournamentId(one.decode()))
            await self._connection.write(keys.slot, "UNLINK", keys.tournament, keys.sittings)


def _place(cursor: bytes) -> tuple[int, bytes]:
    """Return the time and id of a cursor; of one that somebody made up, a place before everything."""
    ms, _, tournament_id = cursor.partition(b" ")
    return (int(ms) if ms.isdigit() and len(ms) < 20 else 0), tournament_id


def _read(reply: Reply, standings: bytes = b"") -> Tournament | NewerTournament | None:
    packed, version, status, end, problem, progress, until, fence = reply
    if packed is None or status is None:
        return None
    record = store_pb2.TournamentRecord.FromString(packed)
    if record.schema > SCHEMA:
        return NewerTournament(f"tournament {record.tournament_id} has schema {record.schema}, and {SCHEMA} is known")
    return Tournament(
        record,
        int(version),
        tournaments_pb2.TournamentStatus.ValueType(int(status)),
        int(end or 0),
        (problem or b"").decode(),
        store_pb2.TournamentProgress.FromString((progress or b"") + standings),
        int(until or 0),
        int(fence or 0),
    )

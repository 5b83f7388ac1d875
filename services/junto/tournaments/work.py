"""What an organiser does with tournaments: finds those that nobody plays, holds one, keeps its journal, tells, ends it.

Whoever plays a tournament holds its lease. Every write says under which number it is held, so that one who was
frozen, or cut off, for longer than the lease changes nothing any more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from junto.internal.v1 import store_pb2
from junto.table.connection import Argument
from junto.table.seats import PlayerId
from junto.tournaments.errors import JournalBehind, LeaseLost
from junto.tournaments.keys import TournamentId, desk_keys, tournament_keys
from junto.tournaments.scripts import ADD, END, GIVE_BACK, TAKE, TELL
from junto.tournaments.store import Tournament, Tournaments
from junto.v1 import tournaments_pb2

STRAY_MS: Final = 120_000
"""A name on the desk without a tournament is cleared away after so long: nobody is storing it any more."""
_AT_ONCE: Final = 32
"""How many entries of a journal are read at a time."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The right to play a tournament.

    `tries` is how often it was taken up since it last came on, this time included; `code` the state of the code that
    it was begun with.
    """

    tournament: Tournament
    owner: str
    fence: int
    tries: int
    code: str


class Work:
    """The tournaments as one organiser sees them. Methods raise `StoreUnavailable` as the store's do.

    Args:
        tournaments: where they are.
        owner: the organiser's name, unique.
        life_ms: how long a lease lasts unless it is renewed; each write renews it.
    """

    def __init__(self, tournaments: Tournaments, owner: str, life_ms: int) -> None:
        self.tournaments = tournaments
        self.owner = owner
        self.life_ms = life_ms
        self._connection = tournaments.store.connection
        self._keyspace = tournaments.store.keyspace
        self._keep_ms = tournaments.room.keep_ms

    async def to_be_played(self) -> list[tuple[TournamentId, int]]:
        """Return the tournaments that are not over, whose turn is next first, with when they last had one (ms)."""
        desk = desk_keys(self._keyspace)
        reply = await self._connection.read(desk.slot, "ZRANGE", desk.open, 0, -1, "WITHSCORES")
        return [(TournamentId(one.decode()), int(float(ms))) for one, ms in zip(reply[::2], reply[1::2], strict=True)]

    async def unheld(self, now_ms: int) -> list[Tournament]:
        """Return the tournaments that nobody plays, whose turn is next first; clear away names of what is over.

        Those that a newer process wrote are left to newer organisers.
        """
        waiting = await self.to_be_played()
        found = await self.tournaments.find_each(one for one, _ in waiting)
        for (tournament_id, since_ms), tournament in zip(waiting, found, strict=True):
            match tournament:
                case None if now_ms - since_ms > STRAY_MS:
                    await self.tournaments.clear_stray(tournament_id, since_ms)
                case Tournament() if not tournament.is_running:
                    await self.tournaments.clear(tournament_id, PlayerId(tournament.record.creator.id))
        return [one for one in found if isinstance(one, Tournament) and one.is_waiting(now_ms)]

    async def take(self, tournament: Tournament, code: str) -> Hold | None:
        """Take up a tournament; None: another holds it, or it is over."""
        keys = tournament_keys(self._keyspace, tournament.id)
        said: list[Argument] = [self.owner, self.life_ms, self._keep_ms, code, keys.changed, keys.id]
        answer, *rest = await self._connection.run(keys.slot, TAKE, [keys.tournament], said)
        if answer != b"taken":
            return None
        fence, tries, begun_with = rest
        return Hold(tournament, self.owner, int(fence), int(tries), begun_with.decode())

    async def tell(self, hold: Hold, progress: store_pb2.TournamentProgress | None = None) -> None:
        """Prolong the lease, and say how far the tournament is if there is something to say.

        Raises:
            LeaseLost: it is another's by now, or the tournament is over.
        """
        keys = tournament_keys(self._keyspace, hold.tournament.id)
        said: list[Argument] = [*self._held(hold), *_packed(progress), keys.changed, keys.id]
        if not await self._connection.run(keys.slot, TELL, [keys.tournament], said):
            raise LeaseLost

    async def add(self, hold: Hold, entries: int, entry: store_pb2.PlayedSittings) -> None:
        """Add an entry to a journal that has so many already. Repeated, it is there once.

        Raises:
            LeaseLost: as `tell`.
            JournalBehind: the journal has fewer entries than that.
        """
        keys = tournament_keys(self._keyspace, hold.tournament.id)
        said: list[Argument] = [*self._held(hold), entries, entry.SerializeToString()]
        has = await self._connection.run(keys.slot, ADD, [keys.tournament, keys.sittings], said)
        if has == -1:
            raise LeaseLost
        if has != entries + 1:
            raise JournalBehind(f"tournament {hold.tournament.id}: {has} entries of {entries} are there")

    async def journal(self, tournament_id: TournamentId) -> AsyncIterator[store_pb2.PlayedSittings]:
        """Yield the entries of a journal, in order."""
        keys = tournament_keys(self._keyspace, tournament_id)
        first = 0
        while True:
            found = await self._connection.read(keys.slot, "LRANGE", keys.sittings, first, first + _AT_ONCE - 1)
            for packed in found:
                yield store_pb2.PlayedSittings.FromString(packed)
            if len(found) < _AT_ONCE:
                return
            first += len(found)

    async def end(
        self,
        hold: Hold,
        status: tournaments_pb2.TournamentStatus.ValueType,
        progress: store_pb2.TournamentProgress | None = None,
        problem: str = "",
    ) -> None:
        """End a tournament: it is finished, or could not go on.

        Raises:
            LeaseLost: as `tell`.
        """
        keys = tournament_keys(self._keyspace, hold.tournament.id)
        said: list[Argument] = [
            *(self.owner, hold.fence, status, problem, *_packed(progress)),
            *(self._keep_ms, keys.changed, keys.id),
        ]
        done = await self._connection.run(keys.slot, END, [keys.tournament, keys.sittings], said)
        await self._leave_desk(hold.tournament)
        if not done:
            raise LeaseLost

    async def give_back(self, hold: Hold, now_ms: int, *, failed: bool = False) -> None:
        """Give a tournament back before it is over; those that wait longer have their turn first.

        `failed` says that this was a try which did not get it on.
        """
        keys = tournament_keys(self._keyspace, hold.tournament.id)
        desk = desk_keys(self._keyspace)
        said: list[Argument] = [self.owner, hold.fence, int(failed), keys.changed, keys.id]
        if await self._connection.run(keys.slot, GIVE_BACK, [keys.tournament], said):
            await self._connection.write(desk.slot, "ZADD", desk.open, "XX", now_ms, hold.tournament.id)

    async def _leave_desk(self, tournament: Tournament) -> None:
        now = await self.tournaments.find(tournament.id)
        if now is None or not now.is_running:
            await self.tournaments.clear(tournament.id, PlayerId(tournament.record.creator.id))

    def _held(self, hold: Hold) -> tuple[Argument, ...]:
        return hold.owner, hold.fence, self.life_ms, self._keep_ms


def _packed(progress: store_pb2.TournamentProgress | None) -> tuple[bytes, bytes]:
    """Return how far a tournament is, and its standings, in two messages that are one if they are joined."""
    if progress is None:
        return b"", b""
    rest = store_pb2.TournamentProgress()
    rest.CopyFrom(progress)
    rest.ClearField("standings")
    standings = store_pb2.TournamentProgress(standings=progress.standings)
    return rest.SerializeToString(), standings.SerializeToString()

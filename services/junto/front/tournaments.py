"""TournamentService: tournaments of bots over the API. They are stored here and played elsewhere."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from junto.front.call import Call
from junto.front.names import NameRefused, display_name
from junto.front.pages import read_page_token, write_page_token
from junto.front.refusals import refusals
from junto.front.tournament_watch import TournamentWatch
from junto.internal.v1 import store_pb2
from junto.table.changes import Changes
from junto.table.errors import InvalidPageToken, NotAllowed, Over
from junto.table.messages import write_player
from junto.table.settings import Settings
from junto.table.store import Store, content_hash
from junto.tournaments.errors import SpecRefused
from junto.tournaments.keys import TournamentId
from junto.tournaments.messages import write_tournament, write_watch
from junto.tournaments.specs import Bounds, deals_total, filled_in
from junto.tournaments.store import Room, Tournament, Tournaments
from junto.v1 import tournaments_pb2
from junto.wire.catalog import read_rules

_PAGE: Final = 20
_LONGEST_TOKEN_S: Final = 30 * 86_400.0
_MINE: Final = "tournaments"
_RULES: Final = "spec.rules"


@dataclass(frozen=True, slots=True)
class Terms:
    """What may be played: how much, how many at a time, and by whom.

    `plays` tells whether there is a strategy with an id, and whether it plays a game with an id.
    """

    plays: Callable[[str, str], bool]
    bounds: Bounds = field(default_factory=Bounds)
    room: Room = field(default_factory=Room)


def terms_of(settings: Settings, plays: Callable[[str, str], bool]) -> Terms:
    """Return the terms that the settings say."""
    return Terms(
        plays,
        Bounds(
            settings.max_tournament_deals,
            settings.max_tournament_think_seconds,
            settings.max_tournament_iterations,
        ),
        room_of(settings),
    )


def room_of(settings: Settings) -> Room:
    """Return how many tournaments may run and how long they are kept, by the settings."""
    return Room(
        settings.max_tournaments_per_player, settings.max_tournaments, settings.tournament_retention_seconds * 1000
    )


class TournamentService:
    """Answers `junto.v1.TournamentService`.

    Args:
        tournaments: where they are.
        watch: who watches them in this process.
        now_ms: the store's time.
        terms: see there.
        draw_bits: draws so many random bits, for seeds; the system's randomness by default.
        clock: seconds since 1970, as the tokens count them.
    """

    def __init__(
        self,
        tournaments: Tournaments,
        watch: TournamentWatch,
        now_ms: Callable[[], int],
        terms: Terms,
        *,
        draw_bits: Callable[[int], int] = secrets.randbits,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tournaments = tournaments
        self._watch = watch
        self._now_ms = now_ms
        self._terms = terms
        self._draw_bits = draw_bits
        self._clock = clock

    async def create_tournament(
        self, request: tournaments_pb2.CreateTournamentRequest, call: Call
    ) -> tournaments_pb2.CreateTournamentResponse:
        """Start a tournament."""
        with refusals(_RULES):
            game = read_rules(request.spec.rules)
            _check_names(request.spec)
            spec = filled_in(request.spec, game, self._terms.plays, self._terms.bounds, self._draw_bits)
            record = store_pb2.TournamentRecord(
                spec=spec,
                creator=write_player(call.player),
                create_ms=self._now_ms(),
                deals_total=deals_total(spec, game),
                request_hash=content_hash(request.spec.SerializeToString(deterministic=True)),
            )
            created = await self._tournaments.create(request.request_id, record)
            return tournaments_pb2.CreateTournamentResponse(tournament=self._message(created, call))

    async def get_tournament(
        self, request: tournaments_pb2.GetTournamentRequest, call: Call
    ) -> tournaments_pb2.GetTournamentResponse:
        """Return a tournament."""
        with refusals():
            found = await self._tournaments.get(TournamentId(request.tournament_id))
            return tournaments_pb2.GetTournamentResponse(tournament=self._message(found, call))

    async def list_tournaments(
        self, request: tournaments_pb2.ListTournamentsRequest, call: Call
    ) -> tournaments_pb2.ListTournamentsResponse:
        """Return a page of the caller's tournaments, newest first."""
        with refusals():
            after = read_page_token(_MINE, request.page_token)
            found, more = await self._tournaments.of_player(call.player.id, request.page_size or _PAGE, after)
            return tournaments_pb2.ListTournamentsResponse(
                tournaments=[self._message(one, call) for one in found],
                next_page_token=write_page_token(_MINE, more),
            )

    async def watch_tournament(
        self, request: tournaments_pb2.WatchTournamentRequest, call: Call
    ) -> AsyncGenerator[tournaments_pb2.WatchTournamentResponse, None]:
        """Stream how a tournament goes."""
        token_s = min(_LONGEST_TOKEN_S, max(0.0, call.token_expires - self._clock()))
        async with aclosing(self._watch.watch(TournamentId(request.tournament_id), token_s)) as states:
            async for state in states:
                yield write_watch(state, self._now_ms(), call.player.id)

    async def get_standings(
        self, request: tournaments_pb2.GetStandingsRequest, call: Call
    ) -> tournaments_pb2.GetStandingsResponse:
        """Return a page of the standings, best first. Between two pages the order may change."""
        del call
        with refusals():
            kind = f"standings {request.tournament_id}"
            first = _first(read_page_token(kind, request.page_token))
            progress = (await self._tournaments.get(TournamentId(request.tournament_id))).progress
            page = progress.standings[first : first + (request.page_size or _PAGE)]
            after = first + len(page)
            more = str(after).encode() if after < len(progress.standings) else b""
            return tournaments_pb2.GetStandingsResponse(
                standings=page, deals_played=progress.deals_played, next_page_token=write_page_token(kind, more)
            )

    async def cancel_tournament(
        self, request: tournaments_pb2.CancelTournamentRequest, call: Call
    ) -> tournaments_pb2.CancelTournamentResponse:
        """Stop a tournament."""
        with refusals():
            found = await self._tournaments.get(TournamentId(request.tournament_id))
            if found.record.creator.id != call.player.id:
                raise NotAllowed("only who created a tournament may stop it")
            stopped = await self._tournaments.cancel(found) if found.is_running else found
            if stopped.status != tournaments_pb2.TOURNAMENT_STATUS_CANCELLED:
                raise Over("the tournament is over")
            return tournaments_pb2.CancelTournamentResponse(tournament=self._message(stopped, call))

    def _message(self, tournament: Tournament, call: Call) -> tournaments_pb2.Tournament:
        return write_tournament(tournament, self._now_ms(), call.player.id)


@dataclass(frozen=True, slots=True)
class Organised:
    """The tournament service of a process, and who watches. On drain call `watch.drain`."""

    service: TournamentService
    watch: TournamentWatch


@asynccontextmanager
async def organised(store: Store, now_ms: Callable[[], int], terms: Terms) -> AsyncIterator[Organised]:
    """Provide the tournament service of this process.

    Args:
        store: where tournaments are.
        now_ms: the store's time.
        terms: what may be played.
    """
    tournaments = Tournaments(store, terms.room)
    watch = TournamentWatch(tournaments, now_ms)
    async with Changes(store.connection, store.keyspace, watch) as changes:
        watch.start(changes)
        try:
            yield Organised(TournamentService(tournaments, watch, now_ms, terms), watch)
        finally:
            await watch.aclose()


def _check_names(spec: tournaments_pb2.TournamentSpec) -> None:
    """Check that the entrants' names can be shown to others.

    Raises:
        SpecRefused: one cannot.
    """
    for number, entrant in enumerate(spec.entrants):
        try:
            display_name(entrant.name)
        except NameRefused as refusal:
            raise SpecRefused(f"entrants[{number}].name", str(refusal)) from None


def _first(cursor: bytes) -> int:
    if cursor and not (cursor.isdigit() and len(cursor) <= 4):
        raise InvalidPageToken("the page token is not from this list")
    return int(cursor or b"0")

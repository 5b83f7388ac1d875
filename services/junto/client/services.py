"""The services with a typed method for each of theirs, bound to what the descriptors say.

The annotations are for people and type checkers; a test compares them with the descriptors.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar, Final, Generic, Protocol, cast

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from junto.client.transports import MethodRef, Reply, Request
from junto.v1 import catalog_pb2 as catalog
from junto.v1 import players_pb2 as players
from junto.v1 import tables_pb2 as tables
from junto.v1 import tournaments_pb2 as tournaments

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAFE: Final = (MethodOptions.NO_SIDE_EFFECTS, MethodOptions.IDEMPOTENT)


class Caller(Protocol):
    """Makes calls: the client."""

    async def call(
        self,
        method: MethodRef,
        request: Message,
        *,
        repeatable: bool,
        timeout_s: float | None,
        metadata: Mapping[str, str] | None,
    ) -> Message:
        """Make a call that has one reply."""

    def open(
        self, method: MethodRef, request: Message, *, timeout_s: float | None, metadata: Mapping[str, str] | None
    ) -> AsyncGenerator[Message, None]:
        """Make a call that has a stream of replies."""


class Unary(Generic[Request, Reply]):
    """A method with one reply.

    A request with a `request_id` that is empty gets a fresh one. A call that was not answered is repeated
    if that is harmless: because it changes nothing, or because its request id makes it so.
    """

    def __init__(self, caller: Caller, method: MethodRef, *, safe: bool) -> None:
        self._caller = caller
        self._method = method
        self._repeatable = safe or "request_id" in method.request.DESCRIPTOR.fields_by_name

    async def __call__(
        self, request: Request, *, timeout_s: float | None = None, metadata: Mapping[str, str] | None = None
    ) -> Reply:
        """Make the call.

        Args:
            request: the request; it is not changed.
            timeout_s: the time for it, repetitions included; None: the client's default.
            metadata: sent along, lower-case names.

        Raises:
            CallError: it was refused or not answered.
        """
        reply = await self._caller.call(
            self._method, request, repeatable=self._repeatable, timeout_s=timeout_s, metadata=metadata
        )
        return cast("Reply", reply)


class Stream(Generic[Request, Reply]):
    """A method with a stream of replies."""

    def __init__(self, caller: Caller, method: MethodRef) -> None:
        self._caller = caller
        self._method = method

    def __call__(
        self, request: Request, *, timeout_s: float | None = None, metadata: Mapping[str, str] | None = None
    ) -> AsyncGenerator[Reply, None]:
        """Open the stream; close the generator (`aclosing`) to end it. It raises CallError like a call."""
        return cast(
            "AsyncGenerator[Reply, None]",
            self._caller.open(self._method, request, timeout_s=timeout_s, metadata=metadata),
        )


class ServiceClient:
    """The methods of one service, named as in its definition in snake case."""

    DESCRIPTOR: ClassVar[ServiceDescriptor]

    def __init__(self, caller: Caller, descriptor: ServiceDescriptor | None = None) -> None:
        for method in (descriptor or self.DESCRIPTOR).methods:
            setattr(self, _WORD.sub("_", method.name).lower(), _bind(caller, method))

    def __getattr__(self, name: str) -> Any:
        """Tell type checkers that a service without a class of its own has methods, too."""
        raise AttributeError(f"the service has no method {name}")


def _bind(caller: Caller, method: MethodDescriptor) -> Unary[Any, Any] | Stream[Any, Any]:
    reference = MethodRef(
        str(method.containing_service.full_name),
        method.name,
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
    )
    if method.server_streaming:
        return Stream(caller, reference)
    return Unary(caller, reference, safe=method.GetOptions().idempotency_level in _SAFE)


class Tables(ServiceClient):
    """`junto.v1.TableService`."""

    DESCRIPTOR = tables.DESCRIPTOR.services_by_name["TableService"]

    create_table: Unary[tables.CreateTableRequest, tables.CreateTableResponse]
    get_table: Unary[tables.GetTableRequest, tables.GetTableResponse]
    list_tables: Unary[tables.ListTablesRequest, tables.ListTablesResponse]
    join_table: Unary[tables.JoinTableRequest, tables.JoinTableResponse]
    leave_table: Unary[tables.LeaveTableRequest, tables.LeaveTableResponse]
    seat_bot: Unary[tables.SeatBotRequest, tables.SeatBotResponse]
    start_match: Unary[tables.StartMatchRequest, tables.StartMatchResponse]
    close_table: Unary[tables.CloseTableRequest, tables.CloseTableResponse]
    add_entropy: Unary[tables.AddEntropyRequest, tables.AddEntropyResponse]
    check_action: Unary[tables.CheckActionRequest, tables.CheckActionResponse]
    act: Unary[tables.ActRequest, tables.ActResponse]
    watch_table: Stream[tables.WatchTableRequest, tables.WatchTableResponse]
    suggest_action: Unary[tables.SuggestActionRequest, tables.SuggestActionResponse]
    get_replay: Unary[tables.GetReplayRequest, tables.GetReplayResponse]


class Catalog(ServiceClient):
    """`junto.v1.CatalogService`."""

    DESCRIPTOR = catalog.DESCRIPTOR.services_by_name["CatalogService"]

    list_games: Unary[catalog.ListGamesRequest, catalog.ListGamesResponse]
    list_strategies: Unary[catalog.ListStrategiesRequest, catalog.ListStrategiesResponse]
    explain_auction: Unary[catalog.ExplainAuctionRequest, catalog.ExplainAuctionResponse]


class Players(ServiceClient):
    """`junto.v1.PlayerService`."""

    DESCRIPTOR = players.DESCRIPTOR.services_by_name["PlayerService"]

    sign_in_as_guest: Unary[players.SignInAsGuestRequest, players.SignInAsGuestResponse]
    refresh_token: Unary[players.RefreshTokenRequest, players.RefreshTokenResponse]
    get_me: Unary[players.GetMeRequest, players.GetMeResponse]


class Tournaments(ServiceClient):
    """`junto.v1.TournamentService`."""

    DESCRIPTOR = tournaments.DESCRIPTOR.services_by_name["TournamentService"]

    create_tournament: Unary[tournaments.CreateTournamentRequest, tournaments.CreateTournamentResponse]
    get_tournament: Unary[tournaments.GetTournamentRequest, tournaments.GetTournamentResponse]
    list_tournaments: Unary[tournaments.ListTournamentsRequest, tournaments.ListTournamentsResponse]
    watch_tournament: Stream[tournaments.WatchTournamentRequest, tournaments.WatchTournamentResponse]
    get_standings: Unary[tournaments.GetStandingsRequest, tournaments.GetStandingsResponse]
    cancel_tournament: Unary[tournaments.CancelTournamentRequest, tournaments.CancelTournamentResponse]

"""The client: one player's connection to a Junto server.

async with Client("127.0.0.1:50051") as client:
await client.sign_in_as_guest("Ada")
games = await client.catalog.list_games(ListGamesRequest())
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, Mapping
from types import TracebackType
from typing import Any, Final, Self, cast

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from junto.client.errors import CallError
from junto.client.retries import Retries
from junto.client.services import Catalog, Players, ServiceClient, Tables, Tournaments
from junto.client.transports import MethodRef, TransportName, open_transport
from junto.v1 import errors_pb2, players_pb2

_EARLY_S: Final = 30.0
_WITHOUT_TOKEN: Final = frozenset({"/junto.v1.PlayerService/SignInAsGuest", "/junto.v1.PlayerService/RefreshToken"})


class Client:
    """See the module.

    Args:
        address: `host:port` of the front that the transport speaks to.
        transport: `grpc`, `connect` or `grpc-web`.
        token: an access token, for players who did not sign in through this client.
        tls: whether the server speaks TLS.
        root_certificates: PEM certificates to trust instead of the system's; implies TLS.
        timeout_s: the time for a call that has none of its own.
        retries: when calls are repeated.
    """

    def __init__(
        self,
        address: str,
        transport: TransportName = "grpc",
        *,
        token: str | None = None,
        tls: bool = False,
        root_certificates: bytes | None = None,
        timeout_s: float = 10.0,
        retries: Retries | None = None,
    ) -> None:
        self._transport = open_transport(transport, address, tls=tls, root_certificates=root_certificates)
        self._timeout_s = timeout_s
        self._retries = retries or Retries()
        self._refreshing = asyncio.Lock()
        self.tokens = players_pb2.Tokens(access_token=token or "")
        self.player: players_pb2.Player | None = None
        self.tables = Tables(self)
        self.catalog = Catalog(self)
        self.players = Players(self)
        self.tournaments = Tournaments(self)

    def service(self, descriptor: ServiceDescriptor) -> ServiceClient:
        """Return the methods of any service, untyped."""
        return ServiceClient(self, descriptor)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all calls and connections."""
        await self._transport.close()

    async def sign_in_as_guest(self, name: str, request_id: str = "") -> players_pb2.Player:
        """Become a new guest; the tokens are kept, and refreshed when that is due.

        Raises:
            CallError: the server refused it.
        """
        reply = await self.players.sign_in_as_guest(
            players_pb2.SignInAsGuestRequest(request_id=request_id, display_name=name)
        )
        self.tokens, self.player = reply.tokens, reply.player
        return reply.player

    async def refresh(self) -> None:
        """Trade the refresh token for a new pair.

        Raises:
            CallError: the server refused it.
        """
        held = self.tokens.refresh_token
        async with self._refreshing:
            if self.tokens.refresh_token != held:
                return
            reply = await self.players.refresh_token(players_pb2.RefreshTokenRequest(refresh_token=held))
            self.tokens = reply.tokens

    # --- what the services call

    async def call(
        self,
        method: MethodRef,
        request: Message,
        *,
        repeatable: bool,
        timeout_s: float | None,
        metadata: Mapping[str, str] | None,
    ) -> Message:
        """Make a call that has one reply; see `Unary`."""
        request = _with_request_id(request)
        ends = time.monotonic() + (self._timeout_s if timeout_s is None else timeout_s)
        attempt, refreshed = 0, False
        while True:
            attempt += 1
            sent = await self._metadata(method, metadata)
            try:
                return await self._transport.unary(method, request, sent, max(0.001, ends - time.monotonic()))
            except CallError as error:
                if not refreshed and self._is_stale(error, method):
                    refreshed = True
                    await self.refresh()
                    continue
                wait = self._retries.wait_s(attempt, error) if repeatable else None
                if wait is None or time.monotonic() + wait >= ends:
                    raise
            await asyncio.sleep(wait)

    async def open(
        self, method: MethodRef, request: Message, *, timeout_s: float | None, metadata: Mapping[str, str] | None
    ) -> AsyncGenerator[Message, None]:
        """Make a call that has a stream of replies; see `Stream`."""
        sent = await self._metadata(method, metadata)
        replies = self._transport.stream(method, request, sent, timeout_s)
        try:
            async for reply in replies:
                yield reply
        finally:
            await replies.aclose()

    async def _metadata(self, method: MethodRef, given: Mapping[str, str] | None) -> dict[str, str]:
        sent = dict(given or {})
        if method.path in _WITHOUT_TOKEN:
            return sent
        if self.tokens.refresh_token and self.tokens.access_expire_time.seconds < time.time() + _EARLY_S:
            await self.refresh()
        if self.tokens.access_token:
            sent.setdefault("authorization", f"Bearer {self.tokens.access_token}")
        return sent

    def _is_stale(self, error: CallError, method: MethodRef) -> bool:
        expired = (
            error.code is grpc.StatusCode.UNAUTHENTICATED and error.reason == errors_pb2.ERROR_REASON_TOKEN_EXPIRED
        )
        return expired and bool(self.tokens.refresh_token) and method.path not in _WITHOUT_TOKEN


def _with_request_id(request: Message) -> Message:
    if "request_id" not in request.DESCRIPTOR.fields_by_name:
        return request
    named: Any = type(request)()
    named.CopyFrom(request)
    named.request_id = named.request_id or str(uuid.uuid4())
    return cast("Message", named)

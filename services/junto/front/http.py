"""HTTP around the Connect front: what browsers ask before they call, health for probes, and bounds on peers.

An ASGI application and the uvicorn server that runs it, with the two things that uvicorn leaves open: how
much a client may send before its request is one, and how long it may take.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from junto.front.connect_front import ABORT, SCOPE, Scope

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_MAX_HEAD_BYTES: Final = 32768
_KEEP_ALIVE_S: Final = 75

_SEND_BUFFER: Final = 1 << 17
"""How much the system holds for a client that does not read, in bytes, or twice that. Left to itself it would let this
grow to megabytes, and the client would be noticed only after that."""
_HEALTHZ: Final = "/healthz"
_READYZ: Final = "/readyz"

_NEGOTIATED: Final = frozenset({b"accept-encoding", b"connect-accept-encoding", b"grpc-accept-encoding"})
"""Replies are small and never compressed: it costs more than it saves, and can tell secrets by their length."""

_UNREADABLE: Final = {
    "code": "invalid_argument",
    "message": "the request's headers must be plain ASCII",
}
_GRPC: Final = re.compile(rb"application/grpc *($|[+;])", re.IGNORECASE)
_OTHER_PORT: Final = {"code": "unimplemented", "message": "gRPC is spoken on the other port; here it is gRPC-Web"}

_ALLOWED_HEADERS: Final = (
    b"authorization, connect-protocol-version, connect-timeout-ms, content-encoding, connect-content-encoding,"
    b" content-type, grpc-encoding, grpc-timeout, x-grpc-web, x-request-id, x-user-agent"
)
_EXPOSED_HEADERS: Final = b"grpc-message, grpc-status, grpc-status-details-bin"


class Origins:
    """Which web pages may call.

    Args:
        allowed: origins such as `https://play.example`; `*` for all. Tokens travel in a header and not in a
            cookie, so that a page can use only a token that it was given.
    """

    def __init__(self, allowed: Sequence[str]) -> None:
        self._all = "*" in allowed
        self._allowed = frozenset(origin.encode() for origin in allowed)

    def headers(self, origin: bytes | None) -> Headers:
        """Return the headers that let a page of this origin read the reply; none if it may not."""
        if origin is None or not (self._all or origin in self._allowed):
            return []
        if self._all:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED_HEADERS)]
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED_HEADERS),
            (b"vary", b"Origin"),
        ]

    def preflight(self, origin: bytes | None) -> Headers:
        """Return the headers that answer a browser's question before the call."""
        found = self.headers(origin)
        if not found:
            return []
        return [
            *found,
            (b"access-control-allow-methods", b"GET, POST"),
            (b"access-control-allow-headers", _ALLOWED_HEADERS),
            (b"access-control-max-age", b"7200"),
        ]


class HttpApplication:
    """Answers everything on the HTTP port.

    Args:
        connect: the ASGI application of the methods.
        paths: the methods' paths.
        origins: which web pages may call.
        ready: tells why the front is not ready; None if it is.
    """

    def __init__(self, connect: Any, paths: Sequence[str], origins: Origins, ready: Callable[[], str | None]) -> None:
        self._connect = connect
        self._paths = frozenset(paths)
        self._origins = origins
        self._ready = ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        headers: Headers = scope["headers"]
        origin, negotiates = None, False
        # What connectrpc cannot read it answers with 500 `unknown`, and a traceback in the log, for anybody who asks.
        readable, is_grpc = True, False
        for name, value in headers:
            readable = readable and value.isascii()
            if name == b"origin":
                origin = value
            elif name in _NEGOTIATED:
                negotiates = True
            elif name == b"content-type":
                is_grpc = _GRPC.match(value) is not None
        if not readable:
            await _reply(send, 400, _UNREADABLE, self._origins.headers(origin))
        elif is_grpc:
            await _reply(send, 415, _OTHER_PORT, self._origins.headers(origin))
        elif scope["path"] in self._paths and scope["method"] != "OPTIONS":
            if negotiates:
                scope["headers"] = [header for header in headers if header[0] not in _NEGOTIATED]
            SCOPE.set(scope)
            await self._connect(scope, receive, self._sharing(send, origin))
        else:
            await self._answer_itself(scope, origin, send)

    def _sharing(self, send: Send, origin: bytes | None) -> Send:
        extra = self._origins.headers(origin) if origin is not None else None
        if not extra:
            return send

        async def sharing(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        return sharing

    async def _answer_itself(self, scope: Scope, origin: bytes | None, send: Send) -> None:
        match scope["method"], scope["path"]:
            case "OPTIONS", path if path in self._paths:
                await _reply(send, 204, None, self._origins.preflight(origin))
            case "GET" | "HEAD", path if path == _HEALTHZ:
                await _reply(send, 200, {"status": "alive"})
            case "GET" | "HEAD", path if path == _READYZ:
                reason = self._ready()
                await _reply(
                    send,
                    503 if reason else 200,
                    {"status": "not ready", "reason": reason} if reason else {"status": "ready"},
                )
            case _, path:
                said = {"code": "unimplemented", "message": f"there is no {path[:200]} here"}
                await _reply(send, 404, said, self._origins.headers(origin))


async def _reply(send: Send, status: int, body: Mapping[str, object] | None, headers: Headers | None = None) -> None:
    data = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    found: Headers = [*(headers or []), (b"cache-control", b"no-store")]
    if body is not None:
        found += [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": found})
    await send({"type": "http.response.body", "body": data})


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, with bounds on what a client sends before and after its request.

    `receiving_since` is when the request began that is still being received, by the loop's clock, or None;
    a connection on which none has begun yet counts from its start.
    """

    def connection_made(self, transport: Any) -> None:
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self.receiving_since: float | None = self.loop.time()
        self._in_head = True
        self._head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol. What is left of a head after this data is counted, whole heads are not."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > _MAX_HEAD_BYTES:
                self.send_400_response("The request's head is too long.")

    def on_message_begin(self) -> None:
        """See httptools."""
        super().on_message_begin()
        cast("Scope", self.scope)["extensions"] = {ABORT: self.transport.abort}
        self._in_head = True
        self._head_bytes = 0
        self.receiving_since = self.loop.time()

    def on_headers_complete(self) -> None:
        """See httptools."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """See httptools."""
        self.receiving_since = None
        super().on_message_complete()


class HttpServer(uvicorn.Server):
    """A uvicorn server on given sockets that leaves the signals alone.

    Raises:
        OSError: the certificate or its key cannot be read.
    """

    def __init__(
        self,
        application: HttpApplication,
        *,
        tls: tuple[Path, Path] | None,
        max_connections: int,
        read_timeout_s: float,
    ) -> None:
        cert, key = tls or (None, None)
        super().__init__(
            uvicorn.Config(
                application,
                http=BoundedHttp,
                ws="none",
                lifespan="off",
                loop="none",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                limit_concurrency=max_connections,
                ssl_certfile=cert,
                ssl_keyfile=key,
            )
        )
        self.config.load()
        self._read_timeout_s = read_timeout_s
        self._leaving = asyncio.Event()
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield

    async def main_loop(self) -> None:
        """Until it is time to leave, keep the date header right."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._leaving.wait()

    def leave(self, grace_s: float | None) -> None:
        """Listen no more and return from `serve` when all is answered, or after the grace; None: at once."""
        self.config.timeout_graceful_shutdown = None if grace_s is None else max(1, round(grace_s))
        self.force_exit = grace_s is None
        self.should_exit = True
        self._leaving.set()
        if self.force_exit:
            self._abort_connections()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn, which has no way to end at once what goes on."""
        if not self.force_exit:
            await super().shutdown(sockets)
        for server in self.servers:
            server.close()
        self._abort_connections()
        tasks = list(self.server_state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _abort_connections(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    def cut_slow(self, now: float) -> None:
        """Close the connections whose client takes too long to send a request. `now` by the loop's clock."""
        for connection in list(self.server_state.connections):
            since = getattr(connection, "receiving_since", None)
            if since is not None and now - since > self._read_timeout_s:
                connection.transport.abort()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        OSError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)  # connections inherit it
        found.bind((host.strip("[]"), port))
        found.listen(2048)
        found.setblocking(False)  # noqa: FBT003  # the name of its parameter is private
    except BaseException:
        found.close()
        raise
    return found

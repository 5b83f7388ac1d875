"""The Connect front: connectrpc around the gate. It also speaks gRPC-Web.

What connectrpc itself refuses (a message too large, a deadline that passed while the request was read) gets
the same details as what the gate refuses.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any, Final

from connectrpc.code import Code
from connectrpc.compression import Compression
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import any_pb2, json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from protobuf.wkt import Any as PackedAny
from protobuf.wkt import Struct

from junto.front.addresses import UNKNOWN, Proxies
from junto.front.call import Call
from junto.front.codecs import JSON, PROTO, Codec
from junto.front.faults import Fault, deadline, too_large
from junto.front.gate import Gate
from junto.front.methods import Method

Scope = dict[str, Any]

SCOPE: Final[ContextVar[Scope]] = ContextVar("junto_front_scope")
"""The ASGI scope of the request that this task answers."""

ABORT: Final = "junto.abort"
"""The ASGI extension that closes the connection at once: a function without arguments."""

_DETAILS: Final = {
    kind.DESCRIPTOR.full_name: kind
    for kind in (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo)
}


class _Request:
    """A request as it came, to be read when the gate says so, and the codec to answer it with."""

    __slots__ = ("codec", "data")

    def __init__(self, data: bytes, codec: Codec) -> None:
        self.data = data
        self.codec = codec


class _Deferred:
    """A codec for connectrpc that leaves reading and writing to the gate."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec

    def name(self) -> str:
        return self._codec.name

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> _Request:
        del message_class
        return _Request(bytes(data), self._codec)

    def encode(self, message: bytes) -> bytes:
        return message


class ConnectCall(Call):
    """A call that came by Connect or gRPC-Web."""

    front = "connect"

    __slots__ = ("_abort", "_context", "_proxies")

    def __init__(self, context: RequestContext[Any, Any], proxies: Proxies) -> None:
        self.identity = None
        self.method = ""
        self._id = None
        self._abort: Callable[[], None] | None = SCOPE.get()["extensions"][ABORT]
        self._context = context
        self._proxies = proxies

    def header(self, name: str) -> str | None:
        """See `Call`."""
        found: str | None = self._context.request_headers.get(name)
        return found

    @property
    def address(self) -> str:
        """See `Call`."""
        peer = self._context.client_address
        host = peer.rpartition(":")[0] if peer else UNKNOWN
        return self._proxies.client(host, self.header("x-forwarded-for"))

    @property
    def remaining(self) -> float | None:
        """See `Call`."""
        ms = self._context.timeout_ms
        return None if ms is None else max(0.0, ms / 1e3)

    def close(self) -> None:
        """See `Call`. The connection may carry another call after this one."""
        self._abort = None

    @property
    def cut(self) -> Callable[[], None]:
        """See `Call`: the connection is closed."""
        return self._cut

    def _cut(self) -> None:
        if self._abort is not None:
            self._abort()


class _Explain:
    """Gives the errors that connectrpc makes itself their reason."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    async def on_start(self, ctx: RequestContext[Any, Any]) -> None:
        """Nothing to do."""

    async def on_end(self, token: None, ctx: RequestContext[Any, Any], error: Exception | None, /) -> None:
        """Replace an error that has no details."""
        del token, ctx
        match error:
            case ConnectError(code=Code.RESOURCE_EXHAUSTED, details=[]):
                raise connect_error(too_large(self._limit))
            case ConnectError(code=Code.DEADLINE_EXCEEDED, details=[]):
                raise connect_error(deadline())


class _Application(ConnectASGIApplication[None]):
    """All services as one ASGI application."""

    @property
    def path(self) -> str:
        """The common prefix of all paths."""
        return ""


def application(methods: Iterable[Method], gate: Gate, proxies: Proxies, max_request_bytes: int) -> Any:
    """Return the ASGI application of all these methods."""
    endpoints = {method.path: _endpoint(method, gate, proxies) for method in methods}
    compressions: list[Compression] = [GzipCompression()]
    return _Application(
        service=None,
        endpoints=lambda _: endpoints,
        interceptors=[_Explain(max_request_bytes)],
        read_max_bytes=max_request_bytes,
        compressions=compressions,
        codecs=[_Deferred(PROTO), _Deferred(JSON)],
    )


def connect_error(fault: Fault) -> ConnectError:
    """Return a fault as Connect writes it."""
    code = Code.CANCELED if fault.code.name == "CANCELLED" else Code[fault.code.name]
    return ConnectError(code, fault.message, [_Detail(packed) for packed in fault.details()])


class _Detail(ErrorDetail):
    """A detail that shows its contents in the JSON that people read with curl."""

    def __init__(self, packed: any_pb2.Any) -> None:
        super().__init__(PackedAny(type_url=packed.type_url, value=packed.value))
        self._packed = packed

    def value(self, *_: object) -> Any:
        """Return the contents as they are shown."""
        message: Message = _DETAILS[self.type_name].FromString(self._packed.value)
        return Struct.from_json(json_format.MessageToJson(message))


def _endpoint(method: Method, gate: Gate, proxies: Proxies) -> Any:
    async def unary(request: _Request, context: RequestContext[Any, Any]) -> bytes:
        try:
            return await gate.unary(method, ConnectCall(context, proxies), request.data, request.codec)
        except Fault as fault:
            raise connect_error(fault) from None

    async def stream(request: _Request, context: RequestContext[Any, Any]) -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(
                gate.stream(method, ConnectCall(context, proxies), request.data, request.codec)
            ) as replies:
                async for reply in replies:
                    yield reply
        except Fault as fault:
            raise connect_error(fault) from None

    info = MethodInfo(
        name=method.path.rpartition("/")[2],
        service_name=method.path[1:].partition("/")[0],
        input=method.request,
        output=method.reply,
        idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS if method.safe else IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if method.streams else StreamType.UNARY,
    )
    if method.streams:
        return Endpoint.server_stream(info, stream)
    return Endpoint.unary(info, unary)

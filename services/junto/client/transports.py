"""The ways to a server: gRPC, Connect and gRPC-Web behind one small interface."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeVar

import grpc
import grpc.aio
import pyqwest
from connectrpc.client import ConnectClient
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.message import Message
from google.rpc import status_pb2

from junto.client.errors import CallError, Details, read_details, unpack

Request = TypeVar("Request", bound=Message)
Reply = TypeVar("Reply", bound=Message)

TransportName = Literal["grpc", "connect", "grpc-web"]

_STATUS: Final = "grpc-status-details-bin"
_PROTOCOLS: Final = {"connect": ProtocolType.CONNECT, "grpc-web": ProtocolType.GRPC_WEB}
_CHANNEL_OPTIONS: Final = [
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A front that was away is found again soon; gRPC's own pauses grow to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 3_000),
    ("grpc.enable_retries", 0),
]


@dataclass(frozen=True, slots=True)
class MethodRef:
    """A method to call: its service's full name, its own name, and the classes of its messages."""

    service: str
    name: str
    request: type[Message]
    reply: type[Message]

    @property
    def path(self) -> str:
        """As in `/junto.v1.TableService/Act`."""
        return f"/{self.service}/{self.name}"


class Transport(Protocol):
    """Carries calls to one server. Every failure is a `CallError`; a cancellation stays one."""

    async def unary(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> Message:
        """Make a call that has one reply."""

    def stream(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> AsyncGenerator[Message, None]:
        """Make a call that has a stream of replies. Closing the generator cancels the call."""

    async def close(self) -> None:
        """End all calls and connections."""


def open_transport(
    name: TransportName, address: str, *, tls: bool = False, root_certificates: bytes | None = None
) -> Transport:
    """Return a transport to `host:port`. Connections are made when they are needed.

    Args:
        name: which protocol; the port must be the one that speaks it.
        address: `host:port`.
        tls: whether the server speaks TLS.
        root_certificates: PEM certificates to trust instead of the system's; implies TLS.
    """
    if name == "grpc":
        return GrpcTransport(address, tls=tls or root_certificates is not None, root_certificates=root_certificates)
    return ConnectTransport(
        address, _PROTOCOLS[name], tls=tls or root_certificates is not None, root_certificates=root_certificates
    )


class GrpcTransport:
    """gRPC over HTTP/2."""

    def __init__(self, address: str, *, tls: bool, root_certificates: bytes | None) -> None:
        if tls:
            trust = grpc.ssl_channel_credentials(root_certificates)
            self._channel = grpc.aio.secure_channel(address, trust, options=_CHANNEL_OPTIONS)
        else:
            self._channel = grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS)
        self._bound: dict[MethodRef, Callable[..., Any]] = {}

    async def unary(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> Message:
        """See `Transport`."""
        call = self._method(method, self._channel.unary_unary)
        try:
            reply: Message = await call(request, timeout=timeout_s, metadata=tuple(metadata.items()))
        except grpc.aio.AioRpcError as error:
            raise _from_grpc(error) from None
        return reply

    async def stream(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> AsyncGenerator[Message, None]:
        """See `Transport`."""
        call = self._method(method, self._channel.unary_stream)(
            request, timeout=timeout_s, metadata=tuple(metadata.items())
        )
        try:
            async for reply in call:
                yield reply
        except grpc.aio.AioRpcError as error:
            raise _from_grpc(error) from None
        finally:
            call.cancel()

    async def close(self) -> None:
        """See `Transport`."""
        await self._channel.close()

    def _method(self, method: MethodRef, kind: Callable[..., Any]) -> Callable[..., Any]:
        bound = self._bound.get(method)
        if bound is None:
            bound = self._bound[method] = kind(
                method.path,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.reply.FromString,
            )
        return bound


class ConnectTransport:
    """Connect, or gRPC-Web, over HTTP/1.1."""

    def __init__(self, address: str, protocol: ProtocolType, *, tls: bool, root_certificates: bytes | None) -> None:
        self._http = pyqwest.HTTPTransport(
            tls_ca_cert=root_certificates, tls_include_system_certs=tls and root_certificates is None
        )
        self._client = ConnectClient(
            f"{'https' if tls else 'http'}://{address}",
            codec=google_protobuf_binary_codec(),
            protocol=protocol,
            accept_compression=[],
            send_compression=None,
            http_client=pyqwest.Client(transport=self._http),
        )

    async def unary(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> Message:
        """See `Transport`."""
        try:
            reply: Message = await self._client.execute_unary(
                request=request, method=_info(method, StreamType.UNARY), headers=metadata, timeout_ms=_ms(timeout_s)
            )
        except ConnectError as error:
            raise _from_connect(error) from None
        return reply

    async def stream(
        self, method: MethodRef, request: Message, metadata: Mapping[str, str], timeout_s: float | None
    ) -> AsyncGenerator[Message, None]:
        """See `Transport`."""
        found: Any = self._client.execute_server_stream(
            request=request, method=_info(method, StreamType.SERVER_STREAM), headers=metadata, timeout_ms=_ms(timeout_s)
        )
        try:
            async with aclosing(found) as replies:
                async for reply in replies:
                    yield reply
        except ConnectError as error:
            raise _from_connect(error) from None

    async def close(self) -> None:
        """See `Transport`."""
        await self._client.close()
        await self._http.aclose()


def _info(method: MethodRef, kind: StreamType) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=method.name,
        service_name=method.service,
        input=method.request,
        output=method.reply,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, round(seconds * 1000))


def _from_grpc(error: grpc.aio.AioRpcError) -> CallError:
    details = Details()
    for key, value in error.trailing_metadata() or ():
        if key == _STATUS:
            details = read_details(unpack(status_pb2.Status.FromString(value).details))
    return CallError(error.code(), error.details() or "", details)


def _from_connect(error: ConnectError) -> BaseException:
    """Return the error as ours. connectrpc hides a cancellation of the caller's; it must stay one."""
    if isinstance(error.__cause__, asyncio.CancelledError):
        return error.__cause__
    code = grpc.StatusCode.CANCELLED if error.code is Code.CANCELED else grpc.StatusCode[error.code.name]
    packed = [(detail.type_name, detail.message_bytes) for detail in error.details]
    return CallError(code, error.message, read_details(packed))

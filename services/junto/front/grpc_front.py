"""The gRPC front: grpc.aio around the gate.

Messages pass as bytes: grpc.aio would answer UNKNOWN to a request that it could not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, Final

import grpc
import grpc.aio

from junto.front.addresses import UNKNOWN, Proxies, grpc_address
from junto.front.call import Call
from junto.front.codecs import PROTO
from junto.front.faults import Fault, too_slow
from junto.front.gate import Gate
from junto.front.methods import Method

Context = Any
"""A `grpc.aio.ServicerContext`."""

_DETAILS: Final = "grpc-status-details-bin"
_HARD_LIMIT: Final = 1 << 20
_METADATA_LIMIT: Final = 16384


def options(max_request_bytes: int) -> list[tuple[str, Any]]:
    """Return the server's options.

    Messages somewhat above the limit still reach the gate, which refuses them with all details; beyond the
    hard limit gRPC itself answers RESOURCE_EXHAUSTED.
    """
    return [
        ("grpc.max_receive_message_length", max(_HARD_LIMIT, 4 * max_request_bytes)),
        ("grpc.max_metadata_size", _METADATA_LIMIT),
        ("grpc.absolute_max_metadata_size", _METADATA_LIMIT),
        ("grpc.max_concurrent_streams", 1000),
        # Two processes on one port would get the connections unevenly, and would hide a wrong start.
        ("grpc.so_reuseport", 0),
        # A peer that is gone is noticed within 40 s; clients may ask every 10 s.
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ]


def credentials(cert_file: Path, key_file: Path) -> grpc.ServerCredentials:
    """Return the server's TLS identity."""
    return grpc.ssl_server_credentials([(key_file.read_bytes(), cert_file.read_bytes())])


def handler(methods: Iterable[Method], gate: Gate, proxies: Proxies) -> grpc.GenericRpcHandler:
    """Return the handler of all these methods."""
    return _Handler({method.path: _bind(method, gate, proxies) for method in methods})


class _Handler(grpc.GenericRpcHandler):
    """Finds a method's handler by its path."""

    def __init__(self, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> None:
        self._handlers = handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return the handler of a path, or None for UNIMPLEMENTED."""
        return self._handlers.get(handler_call_details.method)


class GrpcCall(Call):
    """A call that came by gRPC."""

    front = "grpc"

    __slots__ = ("_context", "_metadata", "_proxies", "_task")

    def __init__(self, context: Context, proxies: Proxies) -> None:
        self.identity = None
        self.method = ""
        self._id = None
        self._address = ""
        self._context: Context | None = context
        self._proxies = proxies
        self._metadata = context.invocation_metadata()
        self._task: asyncio.Task[Any] | None = None

    def header(self, name: str) -> str | None:
        """See `Call`; of several values the last one counts."""
        found = None
        for key, value in self._metadata:
            if key == name:
                found = value
        return found if isinstance(found, str) else None

    @property
    def address(self) -> str:
        """See `Call`."""
        if not self._address:
            if self._context is None:
                return UNKNOWN
            peer = grpc_address(self._context.peer())
            self._address = self._proxies.client(peer, self.header("x-forwarded-for"))
        return self._address

    @property
    def remaining(self) -> float | None:
        """See `Call`."""
        if self._context is None:
            return 0.0
        seconds: float | None = self._context.time_remaining()
        return seconds

    def close(self) -> None:
        """See `Call`. A context that is asked for its peer after its call ends the process."""
        self._context = None

    @property
    def cut(self) -> Callable[[], None]:
        """See `Call`: the status waits behind the message that is stuck, the handler does not."""
        return self._cut

    def answered_by(self, task: asyncio.Task[Any] | None) -> None:
        """Note the task that answers the call."""
        self._task = task

    def _cut(self) -> None:
        if self._context is None:
            return
        task = asyncio.get_running_loop().create_task(_abort_quietly(self._context))
        _CUTTING.add(task)
        task.add_done_callback(_CUTTING.discard)
        if self._task is not None:
            self._task.cancel()


_CUTTING: Final[set[asyncio.Task[None]]] = set()
"""The event loop holds tasks weakly."""


def _bind(method: Method, gate: Gate, proxies: Proxies) -> grpc.RpcMethodHandler[Any, Any]:
    async def unary(data: bytes, context: Context) -> bytes:
        try:
            return await gate.unary(method, GrpcCall(context, proxies), data, PROTO)
        except Fault as fault:
            await _abort(context, fault)
            raise

    async def stream(data: bytes, context: Context) -> None:
        call = GrpcCall(context, proxies)
        call.answered_by(asyncio.current_task())
        try:
            async with aclosing(gate.stream(method, call, data, PROTO)) as replies:
                async for reply in replies:
                    await context.write(reply)
        except Fault as fault:
            await _abort(context, fault)

    if method.streams:
        return grpc.unary_stream_rpc_method_handler(stream)
    return grpc.unary_unary_rpc_method_handler(unary)


async def _abort_quietly(context: Context) -> None:
    with suppress(grpc.aio.AbortError, grpc.aio.BaseError):
        await _abort(context, too_slow())


async def _abort(context: Context, fault: Fault) -> None:
    details = ((_DETAILS, fault.status().SerializeToString()),) if fault.reason else ()
    await context.abort(fault.code, fault.message, details)

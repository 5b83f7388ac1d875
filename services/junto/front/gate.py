"""The gate that every call passes, whichever front it came through, before and after its servicer.

In order: is the server draining; is the message small enough; who calls; do they call too often or too much
at a time; can the message be read; does it keep its constraints; is there time left. Then the servicer; then
whatever it raised becomes a `Fault`, and the call is counted and logged. Nothing but a `Fault` and a
cancellation leaves the gate, so no front ever has to make up a status.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import Any, Final

import structlog
from google.protobuf.message import Message

from junto.front.addresses import neighbourhood
from junto.front.call import Call
from junto.front.checks import Checker
from junto.front.codecs import Codec
from junto.front.faults import Fault, Internal, RateLimited, deadline, draining, too_large
from junto.front.limits import Buckets, Slots
from junto.front.methods import Method
from junto.front.metrics import FrontMetrics
from junto.front.tokens import Verifier
from junto.v1 import errors_pb2

_TURN: Final = 32
"""After so many messages in one go a stream lets the loop turn, or it would not see its client leave."""

_OK: Final = "OK"
_CANCELLED: Final = "CANCELLED"
_TOO_FREQUENT_TO_LOG: Final = frozenset({errors_pb2.ERROR_REASON_RATE_LIMITED, errors_pb2.ERROR_REASON_TOO_MANY})


class Limits:
    """The limits of one front; see `Settings`."""

    def __init__(
        self,
        *,
        players: Buckets,
        addresses: Buckets,
        calls: Slots,
        streams: Slots,
        max_request_bytes: int,
        call_timeout_s: float,
        write_timeout_s: float,
    ) -> None:
        self.players = players
        self.addresses = addresses
        self.calls = calls
        self.streams = streams
        self.max_request_bytes = max_request_bytes
        self.call_timeout_s = call_timeout_s
        self.write_timeout_s = write_timeout_s


class _Stream:
    """An open stream: who answers it, and since when it waits for its client to read."""

    __slots__ = ("call", "expelled", "sending_since", "sent", "task")

    def __init__(self, call: Call) -> None:
        self.call = call
        self.task = asyncio.current_task()
        self.sending_since: float | None = None
        self.expelled = False
        self.sent = 0


class Gate:
    """See the module.

    Args:
        verifier: tells who calls.
        limits: how much a caller may ask for.
        metrics: counts.
        log_sample: log one in so many ordinary calls; 0: none.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        verifier: Verifier,
        limits: Limits,
        metrics: FrontMetrics,
        *,
        log_sample: int = 100,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._verifier = verifier
        self._limits = limits
        self._metrics = metrics
        self._checker = Checker()
        self._log_sample = log_sample
        self._until_logged = log_sample
        self._clock = clock
        self._log = structlog.get_logger()
        self._streams: set[_Stream] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._in_work = 0
        self.draining = False
        metrics.in_work.set_function(lambda: limits.calls.taken)
        metrics.streams.set_function(lambda: limits.streams.taken)

    def prepare(self, methods: Iterable[Method]) -> None:
        """Do now what the first calls of these methods would have to wait for."""
        self._checker.prepare(method.request for method in methods)

    async def unary(self, method: Method, call: Call, data: bytes, codec: Codec) -> bytes:
        """Answer a call that has one reply.

        Raises:
            Fault: whatever was wrong.
        """
        started = self._begin()
        outcome: Fault | str = _OK
        try:
            request, key = await self._admit(method, call, data, codec, self._limits.calls)
            try:
                reply = await self._within_time(method, call, request)
            finally:
                self._limits.calls.leave(key)
            return codec.render(reply, method.reply)
        except BaseException as error:
            outcome = self._outcome(error, call)
            if isinstance(outcome, str):
                raise
            raise outcome from None
        finally:
            took = self._end(started)
            self._metrics.took(call.front, method.label, took)
            self._note(method, call, outcome, took)
            call.close()

    async def stream(self, method: Method, call: Call, data: bytes, codec: Codec) -> AsyncGenerator[bytes, None]:
        """Answer a call that has a stream of replies.

        Raises:
            Fault: whatever was wrong.
        """
        started = self._begin()
        outcome: Fault | str = _OK
        stream = _Stream(call)
        try:
            request, key = await self._admit(method, call, data, codec, self._limits.streams)
            self._streams.add(stream)
            try:
                async with aclosing(method.function(request, call)) as replies:
                    async for reply in replies:
                        rendered = codec.render(reply, method.reply)
                        stream.sending_since = self._clock()
                        yield rendered
                        stream.sending_since = None
                        stream.sent += 1
                        if not stream.sent % _TURN:
                            await asyncio.sleep(0)
            finally:
                self._streams.discard(stream)
                self._limits.streams.leave(key)
        except BaseException as error:
            outcome = self._outcome(error, call, stream)
            if isinstance(outcome, str):
                raise
            raise outcome from None
        finally:
            took = self._end(started)
            self._metrics.sent(call.front, method.label, stream.sent)
            self._note(method, call, outcome, took)
            call.close()

    def cut_stalled(self) -> None:
        """Cut off the streams whose client has read nothing for too long. Call it every few seconds."""
        since = self._clock() - self._limits.write_timeout_s
        for stream in list(self._streams):
            if stream.sending_since is not None and stream.sending_since < since:
                self._metrics.cut.inc()
                stream.call.log.info("stream cut: its client reads nothing", sent=stream.sent)
                stream.call.cut()

    def expel(self) -> None:
        """End the streams that are still open, with DRAINING."""
        for stream in list(self._streams):
            stream.expelled = True
            if stream.sending_since is not None:
                stream.call.cut()
            if stream.task is not None:
                stream.task.cancel()

    async def wait_idle(self) -> None:
        """Return once no call is being answered and no stream is open."""
        await self._idle.wait()

    # --- before the servicer

    def _begin(self) -> float:
        if not self._in_work:
            self._idle.clear()
        self._in_work += 1
        return self._clock()

    async def _admit(
        self, method: Method, call: Call, data: bytes, codec: Codec, slots: Slots
    ) -> tuple[Message, str | None]:
        """Return the request and the key of the slot that was taken for it."""
        call.method = method.label
        limits = self._limits
        if self.draining and not method.vital:
            raise draining()
        if len(data) > limits.max_request_bytes:
            raise too_large(limits.max_request_bytes)
        key = None if method.public else await self._identify(call)
        if not method.vital:
            self._meter(call, key)
        request = codec.parse(data, method.request)
        self._checker.check(request)
        slots.enter(key)
        return request, key

    async def _identify(self, call: Call) -> str:
        authorization = call.header("authorization")
        identity = self._verifier.known(authorization) if authorization else None
        if identity is None:
            identity = await self._verify(call, authorization)
        call.identity = identity
        return identity.player.id

    async def _verify(self, call: Call, authorization: str | None) -> Any:
        """Check a token that is new here. Who sends bad ones is held back by address."""
        address = neighbourhood(call.address)
        if wait := self._limits.addresses.wait(address):
            raise RateLimited("too many calls from your address: wait a little", wait)
        try:
            return await self._verifier.verify(authorization)
        except Fault:
            self._limits.addresses.take(address)
            raise

    def _meter(self, call: Call, key: str | None) -> None:
        if key is not None:
            if wait := self._limits.players.take(key):
                raise RateLimited("too many calls: slow down", wait)
        elif wait := self._limits.addresses.take(neighbourhood(call.address)):
            raise RateLimited("too many calls from your address: wait a little", wait)

    async def _within_time(self, method: Method, call: Call, request: Message) -> Any:
        """Run the servicer. The fronts watch a client's own deadline; ours is for calls without."""
        remaining, longest = call.remaining, self._limits.call_timeout_s
        if remaining is not None and remaining <= longest:
            if remaining <= 0:
                raise deadline()
            return await method.function(request, call)
        try:
            async with asyncio.timeout(longest) as timer:
                return await method.function(request, call)
        except TimeoutError:
            if timer.expired():
                raise deadline() from None
            raise

    # --- after it

    def _outcome(self, error: BaseException, call: Call, stream: _Stream | None = None) -> Fault | str:
        """Return the fault that the client is to see, or, for what must pass as it is, its name."""
        match error:
            case Fault():
                return error
            case asyncio.CancelledError():
                return self._cancelled(error, call, stream)
            case GeneratorExit():
                return _CANCELLED
            case Exception():
                return self._incident(error, call)
            case _:
                return type(error).__name__

    def _cancelled(self, error: BaseException, call: Call, stream: _Stream | None) -> Fault | str:
        task = asyncio.current_task()
        if stream is not None and stream.expelled and task is not None and task.cancelling() == 1:
            task.uncancel()
            return draining()
        if task is not None and not task.cancelling():
            # Nobody cancelled this call: its servicer let something of its own be cancelled. grpc.aio would
            # leave such a call without an answer.
            return self._incident(error, call)
        remaining = call.remaining
        return "DEADLINE_EXCEEDED" if remaining is not None and remaining <= 0 else _CANCELLED

    def _incident(self, error: BaseException, call: Call) -> Fault:
        fault = Internal()
        self._metrics.incidents.inc()
        call.log.error("incident", incident=fault.incident, exc_info=error)
        return fault

    def _end(self, started: float) -> float:
        self._in_work -= 1
        if not self._in_work:
            self._idle.set()
        return self._clock() - started

    def _note(self, method: Method, call: Call, outcome: Fault | str, took: float) -> None:
        code = outcome if isinstance(outcome, str) else outcome.code.name
        self._metrics.ended(call.front, method.label, code)
        if isinstance(outcome, Fault) and outcome.reason in _TOO_FREQUENT_TO_LOG:
            self._metrics.rejected.labels(outcome.reason_name).inc()
        if self._is_logged():
            call.log.info(
                "call",
                front=call.front,
                code=code,
                reason=outcome.reason_name if isinstance(outcome, Fault) else "",
                address=call.address,
                ms=round(took * 1e3, 3),
            )

    def _is_logged(self) -> bool:
        if not self._log_sample:
            return False
        self._until_logged -= 1
        if self._until_logged > 0:
            return False
        self._until_logged = self._log_sample
        return True

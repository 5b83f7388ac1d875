"""One Redis connection that all callers share: what they ask while a pipeline is on its way makes the next one.

redis-py opens the connection (address, TLS, password, database); from then on the pipe alone writes to it and
reads from it. Answers are matched to calls by their order, by one task that nobody can cancel from outside. So a
caller that is cancelled while it waits takes nothing with it: its answer is read and dropped when it comes, and
never reaches the next caller.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

Reply: TypeAlias = Any
"""What Redis answers: bytes, an int, None, or a list of these. Or the error that it answered instead."""


class PipeBroken(Exception):
    """The connection is gone, and with it the answer: what was asked may have been done or not."""


class PipeFull(Exception):
    """So many answers are awaited that nothing more is sent. What was asked was not done."""


class Pipe:
    """A connection that many share.

    What is asked in one turn of the event loop goes out together. What is asked before all of that is answered waits
    for it, and then goes out together: fewer and fuller pipelines cost both sides less, Redis's disk included.

    Args:
        connection: connected, and touched by nobody else.
        silence_s: an answer that takes longer than this, and at most twice as long, breaks the pipe.
        most_waiting: how many answers may be awaited at a time.
        on_broken: called once when the pipe breaks, before the callers learn of it.
    """

    def __init__(
        self,
        connection: AbstractConnection,
        *,
        silence_s: float,
        most_waiting: int,
        on_broken: Callable[[Pipe], None],
    ) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._silence_s = silence_s
        self._most_waiting = most_waiting
        self._on_broken = on_broken
        self._unsent: list[bytes] = []
        self._on_the_way = 0
        self._waiting: deque[asyncio.Future[Reply]] = deque()
        self._something_to_send = asyncio.Event()
        self._broken = ""
        self._head: asyncio.Future[Reply] | None = None
        self._watch = self._loop.call_later(silence_s, self._listen_for_silence)
        self._tasks = (self._loop.create_task(self._write()), self._loop.create_task(self._read()))

    @property
    def is_broken(self) -> bool:
        """Whether nothing can be sent any more."""
        return bool(self._broken)

    def send(self, packed: bytes) -> asyncio.Future[Reply]:
        """Send a packed command and return its answer to come.

        The answer is a value also where it is an error: Redis's, or `PipeBroken`.

        Raises:
            PipeBroken, PipeFull: nothing was sent.
        """
        if self._broken:
            raise PipeBroken(self._broken)
        if len(self._waiting) >= self._most_waiting:
            raise PipeFull(f"{self._most_waiting} answers of Redis are awaited already")
        future: asyncio.Future[Reply] = self._loop.create_future()
        if not self._unsent and not self._on_the_way:
            self._something_to_send.set()
        self._unsent.append(packed)
        self._waiting.append(future)
        return future

    async def _write(self) -> None:
        connection, wake = self._connection, self._something_to_send
        try:
            while True:
                await wake.wait()
                wake.clear()
                batch, self._unsent = self._unsent, []
                self._on_the_way = len(batch)
                # redis-py would connect again by itself, and the answers would no longer match the calls.
                if not connection.is_connected:
                    return
                await connection.send_packed_command(batch, check_health=False)
        except (RedisError, OSError) as problem:
            self.break_up(str(problem))

    async def _read(self) -> None:
        connection, waiting = self._connection, self._waiting
        try:
            while True:
                try:
                    reply: Reply = await connection.read_response(timeout=math.inf)
                except ResponseError as refusal:
                    reply = refusal
                future = waiting.popleft()
                if not future.done():
                    future.set_result(reply)
                self._on_the_way -= 1
                if not self._on_the_way and self._unsent:
                    self._something_to_send.set()
        except (RedisError, OSError) as problem:
            self.break_up(str(problem))
        finally:
            await connection.disconnect(nowait=True)

    def _listen_for_silence(self) -> None:
        head = self._waiting[0] if self._waiting else None
        if head is not None and head is self._head:
            self.break_up(f"Redis has not answered for {self._silence_s:g} s")
            return
        self._head = head
        self._watch = self._loop.call_later(self._silence_s, self._listen_for_silence)

    def break_up(self, why: str) -> None:
        """Give the connection up: whoever waits gets `PipeBroken`."""
        if self._broken:
            return
        self._broken = why or "the connection was closed"
        self._watch.cancel()
        self._on_broken(self)
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        for future in self._waiting:
            if not future.done():
                future.set_result(PipeBroken(self._broken))
        self._waiting.clear()

    async def aclose(self) -> None:
        """Close the connection. Whoever still waits gets `PipeBroken`."""
        self.break_up("the connection was closed")
        await asyncio.gather(*self._tasks, return_exceptions=True)

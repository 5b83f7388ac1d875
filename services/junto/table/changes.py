"""What other processes do, as it happens: one subscription per process, for all shards that it wants.

A notice only wakes. Redis keeps no notices for those who are away, so whoever listens reads the truth by version:
after it began to listen, and again whenever `missed` says that the subscription was lost and is back.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Iterable
from typing import Protocol, Self

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from junto.table.connection import Connection
from junto.table.keys import Keyspace, Shard
from junto.table.pipe import Reply
from junto.table.seats import TableId
from junto.table.store_errors import StoreUnavailable

_log = structlog.get_logger(__name__)


class Listener(Protocol):
    """Who is told. Called from the event loop, between two notices: must return at once."""

    def changed(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """Note that a table is at a new version, and due then (None: never). Version 0: it was removed."""

    def asked(self, shard: Shard) -> None:
        """Note that a hint is asked for in a shard (only if `hints` are wanted)."""

    def answered(self, payload: bytes) -> None:
        """Take bytes that somebody sent to this process's private channel."""

    def missed(self) -> None:
        """Read the truth: until now notices may have been lost. The subscription is new, or broke and is back."""


class Changes:
    """The subscription of one process. Use it as `async with Changes(...)`; it comes back by itself after a break.

    Args:
        connection: which Redis; a connection of its own is opened.
        keyspace: the shards.
        listener: who is told.
        hints: whether hints that are asked for are notices too.
        silence_s: how long nothing is heard before the connection counts as lost (at most twice as long).
    """

    def __init__(
        self,
        connection: Connection,
        keyspace: Keyspace,
        listener: Listener,
        *,
        hints: bool = False,
        silence_s: float = 3.0,
    ) -> None:
        self.private_channel = f"{keyspace.prefix}:private:{secrets.token_hex(16)}"
        self._connection = connection
        self._keyspace = keyspace
        self._listener = listener
        self._hints = hints
        self._silence_s = silence_s
        self._private = self.private_channel.encode()
        self._wanted: set[bytes] = {self._private}
        self._heard: set[bytes] = set()
        self._all_heard = asyncio.Event()
        self._line: AbstractConnection | None = None
        self._lively = False
        self._running: asyncio.Task[None] | None = None
        self._shards: dict[bytes, Shard] = {}

    @property
    def is_listening(self) -> bool:
        """Whether everything wanted is subscribed to now."""
        return self._all_heard.is_set()

    async def want(self, shards: Iterable[Shard]) -> None:
        """Listen to these shards as well; return when Redis has confirmed it.

        Raises:
            StoreUnavailable: Redis did not confirm it in time. It is listened to as soon as that is possible.
        """
        new = [channel for shard in shards for channel in self._channels(shard) if channel not in self._wanted]
        self._wanted.update(new)
        if new:
            self._all_heard.clear()
            await self._tell("SUBSCRIBE", new)
        patience = self._connection.patience
        try:
            async with asyncio.timeout(patience.connect_s + patience.retry_s):
                await self._all_heard.wait()
        except TimeoutError:
            raise StoreUnavailable(f"Redis at {self._connection.url} does not confirm a subscription") from None

    async def unwant(self, shards: Iterable[Shard]) -> None:
        """Stop listening to these shards."""
        old = [channel for shard in shards for channel in self._channels(shard) if channel in self._wanted]
        self._wanted.difference_update(old)
        self._heard.difference_update(old)
        if old:
            await self._tell("UNSUBSCRIBE", old)

    def _channels(self, shard: Shard) -> list[bytes]:
        channels = [self._keyspace.changed(shard), *([self._keyspace.asked(shard)] if self._hints else [])]
        if self._hints:
            self._shards[channels[1]] = shard
        return channels

    async def _tell(self, command: str, channels: Iterable[bytes]) -> None:
        """Say it on the line there is; on the next one everything wanted is said anyway."""
        if self._line and self._line.is_connected:
            try:
                await self._line.send_command(command, *channels, check_health=False)
            except (RedisError, OSError) as problem:
                _log.debug("subscription lost while speaking", problem=str(problem))

    async def _run(self) -> None:
        pauses = self._connection.patience.pauses()
        while True:
            try:
                self._line = await self._connection.dial()
                await self._listen(self._line)
            except (RedisError, OSError, StoreUnavailable) as problem:
                if self._heard:
                    pauses = self._connection.patience.pauses()
                    _log.warning("subscription lost", problem=str(problem))
            finally:
                self._heard.clear()
                self._all_heard.clear()
                if self._line:
                    await self._line.disconnect(nowait=True)
                self._line = None
            await asyncio.sleep(next(pauses))

    async def _listen(self, line: AbstractConnection) -> None:
        self._lively = True
        watching = asyncio.create_task(self._watch(line))
        try:
            await self._tell("SUBSCRIBE", sorted(self._wanted))
            told = False
            while True:
                reply = await line.read_response(timeout=math.inf)
                self._lively = True
                try:
                    if reply[0] == b"message":
                        self._pass_on(reply[1], reply[2])
                    elif reply[0] in {b"subscribe", b"unsubscribe"}:
                        self._confirm(reply)
                        if not told and self.is_listening:
                            told = True
                            self._listener.missed()
                except Exception:  # noqa: BLE001 (logged; one bad notice must not end all others)
                    _log.exception("a listener failed", notice=reply[1])
        finally:
            watching.cancel()

    def _confirm(self, reply: Reply) -> None:
        if reply[0] == b"subscribe":
            self._heard.add(reply[1])
        else:
            self._heard.discard(reply[1])
        if self._wanted <= self._heard:
            self._all_heard.set()

    def _pass_on(self, channel: bytes, payload: bytes) -> None:
        if channel == self._private:
            self._listener.answered(payload)
        elif channel in self._shards:
            self._listener.asked(self._shards[channel])
        else:
            table_id, version, due_ms = payload.rsplit(b" ", 2)
            self._listener.changed(TableId(table_id.decode()), int(version), int(due_ms) if due_ms else None)

    async def _watch(self, line: AbstractConnection) -> None:
        """Hang up if nothing is heard: a connection may be dead and look alive."""
        while self._lively:
            self._lively = False
            await self._tell("PING", ())
            await asyncio.sleep(self._silence_s)
        _log.warning("subscription silent", seconds=self._silence_s)
        await line.disconnect(nowait=True)

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._running is not None, "it was not started"
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

"""A process's connection to Redis: one pipe per server, found by slot, opened when it is needed.

It looks the same whether there is one server, a primary named by Sentinels, or a Cluster. What is known not to
have happened is sent again by itself (a server that moved, a script that the server forgot, a primary that is one
no longer). What may have happened is not: `read` repeats, `write` and `run` raise `StoreUnavailable`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Self, TypeAlias, cast

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    TryAgainError,
)

from junto.table.nodes import CONNECT_FAILURES, Nodes, SentinelPrimary, dial, nodes_of
from junto.table.pipe import Pipe, PipeBroken, PipeFull, Reply
from junto.table.redis_url import Endpoint, RedisUrl, Topology, parse_redis_url
from junto.table.single_flight import SingleFlight
from junto.table.store_errors import StoreError, StoreUnavailable, StoreUnwritable

Argument: TypeAlias = bytes | str | int

UNWRITABLE: Final = {
    "READONLY": "is a read-only replica; give the URL of its primary",
    "MISCONF": "cannot write its own files (is its disk full?)",
    "OOM": "is out of memory (maxmemory)",
    "NOREPLICAS": "has too few replicas to accept writes (min-replicas-to-write)",
    "NOPERM": "forbids this user what Junto needs (see docs/redis.md for the list)",
    "can't run this command": "forbids this user what Junto needs (see docs/redis.md for the list)",
}
"""Signs of a Redis that refuses to write, and what to say of it. Scripts wrap them in longer messages."""

_pack = cast("Callable[[tuple[Argument, ...]], bytes]", pack_command)
_ASKING: Final[bytes] = _pack(("ASKING",))
_REDIRECTS: Final = (MovedError, AskError)
_BUSY_FOR_A_MOMENT: Final = (TryAgainError, ClusterDownError)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long Redis is waited for, in seconds.

    `connect_s`: for one attempt to connect. `retry_s`: how long attempts go on before a call gives up.
    `silence_s`: an answer that takes longer (and at most twice as long) means that the server is gone.
    """

    connect_s: float = 2.0
    retry_s: float = 2.0
    silence_s: float = 3.0
    first_pause_s: float = 0.02
    longest_pause_s: float = 0.5

    def pauses(self) -> Iterator[float]:
        """Yield the pause after each failed attempt: doubling up to the longest."""
        pause = self.first_pause_s
        while True:
            yield pause
            pause = min(2 * pause, self.longest_pause_s)


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script, known to Redis by its hash once it ran there."""

    text: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha", hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest())


class Connection:
    """The connection of one process, used from one event loop. `await open_connection(url)` makes one."""

    def __init__(self, url: RedisUrl, patience: Patience, most_waiting: int) -> None:
        self.url = url
        self.patience = patience
        self._most_waiting = most_waiting
        self._nodes: Nodes = nodes_of(url, patience.connect_s)
        self._pipes: dict[Endpoint, Pipe] = {}
        self._by_slot: dict[int, Pipe] = {}
        self._dialling = SingleFlight[Endpoint, Pipe]()
        self._is_closed = False
        self.breaks = 0
        """How often a pipe broke. A server that comes back may have lost what was known of it before."""

    async def read(self, slot: int, *command: Argument) -> Reply:
        """Send a command that changes nothing; it is sent again if its answer is lost.

        Raises:
            StoreUnavailable: Redis cannot be reached.
            StoreError: Redis refuses the command.
        """
        packed = _pack(command)
        return await self._answer(self._start(slot, packed), slot, packed, repeat=True)

    async def read_all(self, commands: Iterable[tuple[int, tuple[Argument, ...]]]) -> list[Reply]:
        """Send many such commands, each with its slot, at once.

        Raises:
            StoreUnavailable: Redis cannot be reached.
            StoreError: Redis refuses one of them.
        """
        calls = [(slot, _pack(command)) for slot, command in commands]
        started = [(self._start(slot, packed), slot, packed) for slot, packed in calls]
        return [await self._answer(future, slot, packed, repeat=True) for future, slot, packed in started]

    async def write(self, slot: int, *command: Argument) -> Reply:
        """Send a command once.

        Raises:
            StoreUnwritable: Redis refuses to write; nothing happened.
            StoreUnavailable: Redis cannot be reached, or the answer was lost: it may have happened.
            StoreError: Redis refuses the command.
        """
        packed = _pack(command)
        return await self._answer(self._start(slot, packed), slot, packed, repeat=False)

    async def run(self, slot: int, script: Script, keys: Sequence[bytes], arguments: Sequence[Argument]) -> Reply:
        """Run a script once, all of whose keys are in the slot.

        Raises:
            StoreUnwritable, StoreUnavailable, StoreError: as `write`.
        """
        packed = _pack(("EVALSHA", script.sha, len(keys), *keys, *arguments))
        try:
            return await self._answer(self._start(slot, packed), slot, packed, repeat=False)
        except NoScriptError:  # Redis was restarted, or its scripts were flushed. Nothing ran.
            packed = _pack(("EVAL", script.text, len(keys), *keys, *arguments))
            return await self._answer(self._start(slot, packed), slot, packed, repeat=False)

    async def one_slot_per_server(self, slots: Iterable[int]) -> list[int]:
        """Choose of these slots one for each server that has any.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        try:
            return list({await self._nodes.locate(slot): slot for slot in slots}.values())
        except CONNECT_FAILURES as problem:
            self._nodes.forget()
            raise StoreUnavailable(f"cannot connect to Redis at {self.url}: {_said(problem)}") from problem

    async def leave_old_primary(self) -> None:
        """Ask the Sentinels, if there are any, and leave a server that they no longer name as the primary.

        After a failover the old one may go on taking writes, which will be lost, until it learns of it.
        """
        if isinstance(self._nodes, SentinelPrimary) and (primary := await self._nodes.look_again()):
            for endpoint, pipe in list(self._pipes.items()):
                if endpoint != primary:
                    pipe.break_up("the Sentinels name another primary")

    async def dial(self, slot: int = 0) -> AbstractConnection:
        """Open a connection of the caller's own to the server that has a slot.

        Raises:
            StoreUnavailable: it cannot be reached.
        """
        try:
            return await dial(self.url, await self._nodes.locate(slot), self.patience.connect_s)
        except CONNECT_FAILURES as problem:
            self._nodes.forget()
            raise StoreUnavailable(f"cannot connect to Redis at {self.url}: {_said(problem)}") from problem

    async def aclose(self) -> None:
        """Close all pipes. Whoever still waits for an answer gets `StoreUnavailable`."""
        self._is_closed = True
        await asyncio.gather(*(pipe.aclose() for pipe in list(self._pipes.values())))
        await self._nodes.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _start(self, slot: int, packed: bytes) -> asyncio.Future[Reply] | None:
        pipe = self._by_slot.get(slot)
        try:
            return pipe.send(packed) if pipe else None
        except PipeBroken:
            return None
        except PipeFull as problem:
            raise StoreUnavailable(f"Redis at {self.url} is too slow: {problem}") from None

    async def _answer(self, future: asyncio.Future[Reply] | None, slot: int, packed: bytes, *, repeat: bool) -> Reply:
        reply = await future if future else await self._send(slot, packed)
        return await self._recover(reply, slot, packed, repeat) if isinstance(reply, Exception) else reply

    async def _recover(self, problem: Exception, slot: int, packed: bytes, repeat: bool) -> Reply:
        """Send again what did not happen (or does no harm twice), for as long as patience lasts."""
        clock = asyncio.get_running_loop().time
        until = clock() + self.patience.retry_s
        for attempt, pause in enumerate(self.patience.pauses()):
            match problem:
                case PipeBroken() if not repeat:
                    raise StoreUnavailable(
                        f"the connection to Redis at {self.url} broke before it answered: {problem}"
                    ) from problem
                case NoScriptError():
                    raise problem
                case MovedError() | PipeBroken():
                    self._forget()
                case AskError() | TryAgainError() | ClusterDownError():
                    pass
                case _ if "READONLY" in str(problem):
                    self._leave(slot)
                    if self.url.topology is Topology.SINGLE:
                        raise self._translated(problem)
                case _:
                    raise self._translated(problem)
            if clock() > until:
                raise self._translated(problem)
            if attempt or not isinstance(problem, _REDIRECTS):
                await asyncio.sleep(pause)
            asked = Endpoint(problem.host, problem.port) if type(problem) is AskError else None
            reply = await self._send(slot, packed, asked)
            if not isinstance(reply, Exception):
                return reply
            problem = reply
        raise AssertionError("pauses never end")

    def _translated(self, problem: Exception) -> StoreError:
        text = str(problem)
        for sign, meaning in UNWRITABLE.items():
            if sign in text or getattr(problem, "status_code", None) == sign:
                return StoreUnwritable(f"Redis at {self.url} {meaning} [{text}]")
        if isinstance(problem, (PipeBroken, *_BUSY_FOR_A_MOMENT, *_REDIRECTS)):
            return StoreUnavailable(f"Redis at {self.url} is not available: {text}")
        return StoreError(f"Redis at {self.url} refuses what Junto asked: {text}")

    async def _send(self, slot: int, packed: bytes, asked: Endpoint | None = None) -> Reply:
        """Send to the server that has the slot, or to the one that a moving Cluster names for this once."""
        pipe = await self._pipe(slot, asked)
        try:
            if asked:
                pipe.send(_ASKING)
            return await pipe.send(packed)
        except PipeFull as problem:
            raise StoreUnavailable(f"Redis at {self.url} is too slow: {problem}") from None

    async def _pipe(self, slot: int, asked: Endpoint | None = None) -> Pipe:
        clock = asyncio.get_running_loop().time
        until = clock() + self.patience.retry_s
        for pause in self.patience.pauses():
            if self._is_closed:
                raise StoreUnavailable("the connection to Redis is closed")
            try:
                endpoint = asked or await self._nodes.locate(slot)
                pipe = self._pipes.get(endpoint) or await self._dialling.join(endpoint, partial(self._open, endpoint))
            except CONNECT_FAILURES as problem:
                self._nodes.forget()
                if clock() + pause > until:
                    raise StoreUnavailable(f"cannot connect to Redis at {self.url}: {_said(problem)}") from problem
            else:
                if not pipe.is_broken:
                    if not asked:
                        self._by_slot[slot] = pipe
                    return pipe
            await asyncio.sleep(pause)
        raise AssertionError("pauses never end")

    async def _open(self, endpoint: Endpoint) -> Pipe:
        connection = await dial(self.url, endpoint, self.patience.connect_s)
        pipe = Pipe(
            connection,
            silence_s=self.patience.silence_s,
            most_waiting=self._most_waiting,
            on_broken=lambda broken: self._drop(endpoint, broken),
        )
        self._pipes[endpoint] = pipe
        return pipe

    def _drop(self, endpoint: Endpoint, broken: Pipe) -> None:
        if self._pipes.get(endpoint) is broken:
            del self._pipes[endpoint]
        self.breaks += 1
        self._forget()

    def _leave(self, slot: int) -> None:
        """Close the pipe to a server that is not the right one any more; its name may mean another by now."""
        if pipe := self._by_slot.get(slot):
            pipe.break_up("the server became read-only")

    def _forget(self) -> None:
        self._by_slot.clear()
        self._nodes.forget()


async def open_connection(
    url: str,
    password: str | None = None,
    *,
    patience: Patience | None = None,
    most_waiting: int = 10_000,
) -> Connection:
    """Connect to the Redis behind a URL (`junto.table.redis_url` lists the forms).

    Args:
        url: which Redis.
        password: its password, if the URL has none.
        patience: how long it is waited for.
        most_waiting: how many answers of one server may be awaited at a time.

    Raises:
        RedisUrlError: the URL names no Redis.
        StoreUnavailable: it cannot be reached.
    """
    connection = Connection(parse_redis_url(url, password), patience or Patience(), most_waiting)
    try:
        await connection.read(0, "PING")
    except BaseException:
        await connection.aclose()
        raise
    return connection


def _said(problem: BaseException) -> str:
    return str(problem) or type(problem).__name__

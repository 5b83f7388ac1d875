"""The generators of a load test, as whoever runs it sees them: one process for each, started, asked, ended in order.

They are processes of their own because one core of Python may be too slow to load a server, and so that whatever else
this process does (drawing a line of progress) does not make them late.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from junto.load.generating import LIMIT
from junto.load.measuring import Measured, total
from junto.load.orders import Order, Phase, line
from junto.load.profile import Profile

COMMAND: Final = (sys.executable, "-m", "junto.load.generating")
STREAMS_EACH: Final = 800
"""How many people one generator has at most: a stream each, and a call now and then."""
END_WITHIN_S: Final = 30.0
TAIL_LINES: Final = 15


class GeneratorFailed(Exception):
    """A generator ended, or could not begin; the message says why."""


@dataclass(slots=True)
class Progress:
    """How far a phase is: for how many seconds, what happened in the last one, and the worst p99 so far."""

    at_s: float = 0.0
    latest: Counter[str] = field(default_factory=Counter)
    p99_s: float = 0.0
    waiting: int = 0
    opened: int = 0


Told = Callable[[Progress], None]


class Fleet:
    """See the module. Use it as `async with Fleet(...)`; in the body the tables are open.

    Args:
        address: the server's `host:port`.
        tls: whether it speaks TLS.
        profile: the whole load.
        processes: over how many generators it is spread at least.
        told: is told how far things are, again and again.
    """

    def __init__(self, address: str, profile: Profile, told: Told, *, tls: bool = False, processes: int = 1) -> None:
        self._told = told
        self._profile = profile
        self._shares = shares(profile.tables, max(processes, connections(profile)))
        first = 0
        self._orders = []
        for share in self._shares:
            self._orders.append(Order(address, tls, replace(profile, tables=share), first))
            first += share
        self._members: list[_Member] = []
        self.accepted = 0
        """How many moves the server accepted in all; known once the body has ended."""
        self.elsewhere: Counter[str] = Counter()
        """The errors outside of the measured times; known once the body has ended."""

    async def __aenter__(self) -> Self:
        try:
            for order in self._orders:
                member = _Member()
                self._members.append(member)
                await member.start(order)
            await self._all("ready")
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    @property
    def pids(self) -> list[int]:
        """The ids of the generators' processes."""
        return [member.pid for member in self._members]

    async def play(
        self, rate: float | None, duration_s: float, warmup_s: float, seed: int, stop: asyncio.Event
    ) -> Measured:
        """Play one phase and return what was measured in it; `stop` ends it early.

        Raises:
            GeneratorFailed: a generator ended.
        """
        for member, share in zip(self._members, self._shares, strict=True):
            member.progress = Progress(opened=share)
            own = None if rate is None else rate * share / self._profile.tables
            await member.say(Phase(own, duration_s, warmup_s, seed).to_json())
        stopping = asyncio.create_task(self._stop(stop))
        try:
            found = await self._all("measured")
        finally:
            stopping.cancel()
        return total(Measured.from_json(message["measured"]) for message in found)

    async def _all(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """Return the next message of a kind of each generator; if one fails, the others are listened to no more."""
        hearing = [asyncio.create_task(member.until(kind, self._hear)) for member in self._members]
        try:
            return await asyncio.gather(*hearing)
        finally:
            for task in hearing:
                task.cancel()
            await asyncio.gather(*hearing, return_exceptions=True)

    async def _stop(self, stop: asyncio.Event) -> None:
        await stop.wait()
        for member in self._members:
            await member.say({"kind": "stop"})

    def _hear(self) -> None:
        """Tell the sum of what the generators are doing."""
        whole = Progress()
        for member in self._members:
            whole.at_s = max(whole.at_s, member.progress.at_s)
            whole.latest.update(member.progress.latest)
            whole.p99_s = max(whole.p99_s, member.progress.p99_s)
            whole.waiting += member.progress.waiting
            whole.opened += member.progress.opened
        self._told(whole)

    async def _end(self) -> None:
        for message in await asyncio.gather(*(member.end() for member in self._members)):
            self.accepted += message.get("accepted", 0)
            self.elsewhere.update(message.get("errors", {}))
        self._members.clear()


class _Member:
    """One generator's process."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        self.progress = Progress()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self, order: Order) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._errors,
            limit=LIMIT,
            start_new_session=True,  # Ctrl-C reaches us alone, and we end it in order
        )
        await self.say(order.to_json())

    async def say(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):  # that it has ended is seen where it is heard
            self._process.stdin.write(line(message))
            await self._process.stdin.drain()

    async def until(self, kind: str, heard: Callable[[], None]) -> Mapping[str, Any]:
        """Return the next message of a kind; take note of what comes before it."""
        assert self._process is not None
        assert self._process.stdout is not None
        while written := await self._process.stdout.readline():
            message: Mapping[str, Any] = json.loads(written)
            match message["kind"]:
                case found if found == kind:
                    return message
                case "refused":
                    raise GeneratorFailed(f"nobody can sign in: {message['message']}")
                case "opening":
                    self.progress.opened = message["opened"]
                case "progress":
                    self.progress = Progress(
                        message["at_s"],
                        Counter(message["latest"]),
                        message["p99_s"],
                        message["waiting"],
                        self.progress.opened,
                    )
            heard()
        raise GeneratorFailed(f"a generator ended with {await self._process.wait()}{self._tail()}")

    async def end(self) -> Mapping[str, Any]:
        """Let it end in order, or kill it; return its last words."""
        if self._process is None:
            return {}
        assert self._process.stdin is not None
        last: Mapping[str, Any] = {}
        try:
            self._process.stdin.close()
            async with asyncio.timeout(END_WITHIN_S):
                last = await self.until("over", lambda: None)
                await self._process.wait()
        except (TimeoutError, GeneratorFailed):
            pass
        finally:
            if self._process.returncode is None:
                self._process.kill()
                await self._process.wait()
            self._errors.close()
        return last

    def _tail(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()[-TAIL_LINES:]
        return "".join(f"\n  | {line}" for line in lines)


def shares(tables: int, processes: int) -> list[int]:
    """Return how many tables each generator has: as equal as can be, none without any."""
    used = max(1, min(tables, processes))
    return [tables // used + (number < tables % used) for number in range(used)]


def connections(profile: Profile) -> int:
    """Return how many connections a load needs, of which each process has one: a front takes 1000 calls at a time over
    one connection, streams included, and the rest would wait without a word.
    """
    streams = profile.tables * (profile.seating.humans + (profile.spectator_every == 1))
    return math.ceil(streams / STREAMS_EACH)

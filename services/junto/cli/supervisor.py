"""Keep processes running: start them, start again what dies, stop them in order.

A `Part` says how one process is run and when it is ready. Each runs in a process group of its own (a
Ctrl-C at the terminal reaches the supervisor alone, which then stops them in order) and ends with the
supervisor, even if that is killed. What dies is started again after a pause that doubles; what dies too
often is given up, in words that say where its log is.

PartFailed
├── NeverReady   it ended, or was not ready in time, when it was first started
└── GivenUp      it died too often
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from junto.cli import fated
from junto.cli.console import Say

POLL_S: Final = 0.05
"""How often a part is asked whether it is ready."""
TAIL_LINES: Final = 15
"""How many lines of a log are quoted when a part fails."""


class PartFailed(Exception):
    """A process does not run as it should; the message quotes its log."""


class NeverReady(PartFailed):
    """A process ended before it was ready, or was not ready in time."""


class GivenUp(PartFailed):
    """A process died too often to be started again."""


@dataclass(frozen=True, slots=True)
class Part:
    """One process of many.

    `ready` is asked again and again, with the process's id, once it runs. `log` gets what it prints.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    ready: Callable[[int], Awaitable[bool]]
    environment: Mapping[str, str] = field(default_factory=dict)
    ready_within_s: float = 30.0
    stop_within_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how fast what died is started again."""

    first_s: float = 0.2
    longest_s: float = 10.0
    deaths: int = 6
    within_s: float = 120.0

    def pause_s(self, deaths: int) -> float:
        """Return the pause before the start after so many deaths in a row."""
        return min(self.longest_s, self.first_s * 2.0 ** max(deaths - 1, 0))


class Supervisor:
    """Runs parts until it is stopped. One event loop, no threads; `failed` ends when a part is given up."""

    def __init__(self, say: Say, patience: Patience = Patience()) -> None:
        self._say = say
        self._patience = patience
        self._running: list[_Kept] = []
        self._stopping = False
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self, part: Part) -> None:
        """Start a part and wait until it is ready; from then on it is kept running.

        Raises:
            NeverReady: it ended, or was not ready in time.
        """
        kept = _Kept(part)
        self._running.append(kept)
        await kept.spawn()
        await kept.until_ready()
        kept.keeper = asyncio.create_task(self._keep(kept), name=f"keep {part.name}")
        kept.keeper.add_done_callback(self._kept_no_longer)

    async def stop(self) -> None:
        """Stop every part, the one that was started last first."""
        self._stopping = True
        for kept in reversed(self._running):
            if kept.keeper is not None:
                kept.keeper.cancel()
            await kept.end()
        self._running.clear()
        if self.failed.done():
            self.failed.exception()
        else:
            self.failed.cancel()

    def pids(self) -> dict[str, int]:
        """Return the process id of every part that runs now."""
        return {kept.part.name: kept.process.pid for kept in self._running if kept.process is not None}

    async def _keep(self, kept: _Kept) -> None:
        deaths: deque[float] = deque()
        while not self._stopping:
            ending = ended(await kept.over())
            now = time.monotonic()
            deaths.append(now)
            while now - deaths[0] > self._patience.within_s:
                deaths.popleft()
            if len(deaths) >= self._patience.deaths:
                times = f"died {len(deaths)} times within {self._patience.within_s:.0f} s"
                raise GivenUp(f"{kept.part.name} {times}; the last time it {ending}{quoted(kept.part.log)}")
            self._say(f"{kept.part.name} {ending}; it is started again")
            await asyncio.sleep(self._patience.pause_s(len(deaths)))
            await kept.spawn()
            with contextlib.suppress(NeverReady):  # the next round counts the death
                await kept.until_ready()
                self._say(f"{kept.part.name} is back")

    def _kept_no_longer(self, keeper: asyncio.Task[None]) -> None:
        if not keeper.cancelled() and (failure := keeper.exception()) and not self.failed.done():
            self.failed.set_exception(failure)


class _Kept:
    """A part and the process that it is now."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.process: asyncio.subprocess.Process | None = None
        self.keeper: asyncio.Task[None] | None = None
        self._spawning: asyncio.Task[None] | None = None

    async def spawn(self) -> None:
        self._spawning = asyncio.create_task(self._spawn())
        await asyncio.shield(self._spawning)  # else a process could be started that nobody knows

    async def _spawn(self) -> None:
        self.part.log.parent.mkdir(parents=True, exist_ok=True)
        with self.part.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", fated.__file__, str(os.getpid())),
                *self.part.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.part.environment},
                start_new_session=True,
            )

    async def until_ready(self) -> None:
        assert self.process is not None
        process, part = self.process, self.part
        end = time.monotonic() + part.ready_within_s
        while not await part.ready(process.pid):
            if process.returncode is not None:
                raise NeverReady(f"{part.name} {ended(process.returncode)} before it was ready{quoted(part.log)}")
            if time.monotonic() > end:
                await self.end()
                raise NeverReady(f"{part.name} was not ready after {part.ready_within_s:.0f} s{quoted(part.log)}")
            await asyncio.sleep(POLL_S)

    async def over(self) -> int:
        """Wait until the process has ended, and end whatever it left behind; return its exit code."""
        assert self.process is not None
        code = await self.process.wait()
        _signal_group(self.process.pid, signal.SIGKILL)
        return code

    async def end(self) -> None:
        """Ask the process to end; kill its group if it takes too long, or leaves anybody behind."""
        if self._spawning is not None:
            await self._spawning
        if self.process is None:
            return
        if self.process.returncode is None:
            _signal(self.process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.process.wait(), self.part.stop_within_s)
        _signal_group(self.process.pid, signal.SIGKILL)
        await self.process.wait()


def ended(code: int) -> str:
    """Say how a process ended, from its exit code (negative: a signal's number)."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def quoted(log: Path) -> str:
    """Return the last lines of a log, and where it is, to put after a sentence."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
    except OSError:
        lines = []
    return "".join(f"\n  | {line}" for line in lines) + f"\n  (its log is {log})"


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _signal_group(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody of the group is left
        os.killpg(pid, number)

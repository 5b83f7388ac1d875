"""Processes as parts that a supervisor keeps.

Each runs in a process group of its own (a Ctrl-C at the terminal reaches the supervisor alone, which then
stops things in order) and ends with the supervisor, even if that is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from junto.cli import fated
from junto.cli.supervisor import NeverReady, quoted

POLL_S: Final = 0.05
"""How often a process is asked whether it is ready."""


@dataclass(frozen=True, slots=True)
class Program:
    """How a process is run, and when it is ready.

    `ready` is asked again and again, with the process's id, once it runs. `log` gets what it prints. A value of
    None takes a variable out of the environment.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    ready: Callable[[int], Awaitable[bool]]
    environment: Mapping[str, str | None] = field(default_factory=dict)
    ready_within_s: float = 30.0
    stop_within_s: float = 30.0


class Process:
    """A `junto.cli.supervisor.Part` that is a process."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._process: asyncio.subprocess.Process | None = None
        self._spawning: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """See `Part`."""
        return self.program.name

    @property
    def log(self) -> Path:
        """See `Part`."""
        return self.program.log

    @property
    def pid(self) -> int:
        """The id of the process that runs now, or ran last."""
        assert self._process is not None, "it was never started"
        return self._process.pid

    async def start(self) -> None:
        """See `Part`."""
        await self.spawn()
        await self._until_ready()

    async def spawn(self) -> None:
        """Start the process, ready or not."""
        self._spawning = asyncio.create_task(self._spawn())
        await asyncio.shield(self._spawning)  # else a process could be started that nobody knows

    async def over(self) -> str:
        """See `Part`. What the process leaves behind in its group is ended."""
        assert self._process is not None
        code = await self._process.wait()
        _signal_group(self._process.pid, signal.SIGKILL)
        return ended(code)

    async def end(self) -> None:
        """See `Part`. A process that takes too long is killed, and so is what it leaves behind."""
        if self._spawning is not None:
            await self._spawning
        if self._process is None:
            return
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), self.program.stop_within_s)
        _signal_group(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def _spawn(self) -> None:
        program = self.program
        program.log.parent.mkdir(parents=True, exist_ok=True)
        changes = program.environment
        environment = {name: value for name, value in {**os.environ, **changes}.items() if value is not None}
        with program.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", fated.__file__, str(os.getpid())),
                *program.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    async def _until_ready(self) -> None:
        assert self._process is not None
        process, program = self._process, self.program
        end = time.monotonic() + program.ready_within_s
        while not await program.ready(process.pid):
            if process.returncode is not None:
                raise NeverReady(f"{program.name} {ended(process.returncode)} before it was ready{quoted(program.log)}")
            if time.monotonic() > end:
                await self.end()
                raise NeverReady(
                    f"{program.name} was not ready after {program.ready_within_s:.0f} s{quoted(program.log)}"
                )
            await asyncio.sleep(POLL_S)


async def complete(program: Program) -> None:
    """Run a program that ends by itself, until it has; what is cancelled is ended.

    Raises:
        NeverReady: it failed, or took longer than `ready_within_s`.
    """
    process = Process(program)
    await process.spawn()
    try:
        async with asyncio.timeout(program.ready_within_s):
            how = await process.over()
    except TimeoutError:
        raise NeverReady(
            f"{program.name} took longer than {program.ready_within_s:.0f} s{quoted(program.log)}"
        ) from None
    finally:
        await process.end()
    if how != ended(0):
        raise NeverReady(f"{program.name} {how}{quoted(program.log)}")


def ended(code: int) -> str:
    """Say how a process ended, from its exit code (negative: a signal's number)."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def _signal_group(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody of the group is left
        os.killpg(pid, number)

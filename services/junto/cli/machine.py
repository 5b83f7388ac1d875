"""Junto on one machine: the processes that serve it, started in order, kept, and stopped in the reverse order.

What is given by URL (Redis, Ray) is used, the rest is started: an embedded Redis, a local Ray, a front, a
steward. The front answers as soon as it runs, while Ray, which takes seconds, is still starting; the steward
and with it the bots come last. Nothing here imports Ray.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from junto.cli import readiness
from junto.cli.console import Say
from junto.cli.embedded import EmbeddedPart
from junto.cli.folder import Folder, FolderLock
from junto.cli.healthcheck import local_address
from junto.cli.ports import Ports
from junto.cli.processes import Process, Program, complete
from junto.cli.raylet import RayPart
from junto.cli.supervisor import PATIENCE, Patience, Supervisor
from junto.cli.waits import waiting
from junto.table.settings import Settings

Result = TypeVar("Result")

JUNTO: Final = (sys.executable, "-m", "junto.cli.main")
FRONT_WITHIN_S: Final = 180.0
STEWARD_WITHIN_S: Final = 600.0
WARM_WITHIN_S: Final = 600.0


LOOK_S: Final = 0.5
"""How often it is looked what is being waited for."""


def _ignore(_: str) -> None:
    """Tell nobody."""


class Machine:
    """See the module. Use it as `async with Machine(...)`: in the body the front answers; await `bots` for the rest.

    Args:
        settings: see there; what the processes are told beside it stands in their environment.
        say: told what dies and comes back.
    """

    def __init__(self, settings: Settings, say: Say, patience: Patience = PATIENCE) -> None:
        self.settings = settings
        self.folder = Folder(settings.data_dir.absolute())
        self._ports = Ports.of(settings)
        self._lock = FolderLock(self.folder)
        self._supervisor = Supervisor(say, patience)
        self._redis = EmbeddedPart(self.folder.redis) if settings.redis_url is None else None
        self._ray = RayPart(self.folder.log("ray")) if settings.ray_address is None else None
        self._bots: asyncio.Task[None] | None = None
        self._stages = ["Ray", "kernels"] if self._ray is not None else []

    @property
    def grpc(self) -> str:
        """Where the front speaks gRPC."""
        return local_address(self.settings.host, self._ports.grpc)

    @property
    def http(self) -> str:
        """Where the front speaks Connect."""
        return local_address(self.settings.host, self._ports.http)

    @property
    def metrics(self) -> str:
        """Where the front has its metrics."""
        return local_address(self.settings.metrics_host, self._ports.front_metrics)

    @property
    def steward_metrics(self) -> str:
        """Where the steward has its metrics."""
        return local_address(self.settings.metrics_host, self._ports.steward_metrics)

    @property
    def redis_was_taken_over(self) -> bool:
        """Whether the embedded Redis ran already."""
        return self._redis is not None and self._redis.was_taken_over

    async def bots(self, change: Say = _ignore) -> None:
        """Wait until Ray and a steward run, so that bots decide and hints are given.

        Args:
            change: told what is waited for, again and again.

        Raises:
            NeverReady: one of them did not start.
        """
        assert self._bots is not None, "the machine is not started"
        while not self._bots.done():
            change(self._stage())
            await asyncio.wait({self._bots}, timeout=LOOK_S)
        await self._bots

    async def unless_it_fails(self, work: Awaitable[Result]) -> Result:
        """Return what `work` returns, unless a process is given up before that.

        Raises:
            GivenUp: a process died too often.
            NeverReady: the bots cannot be started.
        """
        task = asyncio.ensure_future(work)
        assert self._bots is not None, "the machine is not started"
        watched: set[asyncio.Future[Any]] = {task, self._supervisor.failed, self._bots}
        try:
            while not task.done():
                done, watched = await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
                for ended in done - {task}:
                    await ended  # raises, if it failed
            return await task
        finally:
            task.cancel()

    async def for_ever(self) -> None:
        """Wait for what cannot come, or a failure."""
        await self.unless_it_fails(asyncio.Event().wait())

    async def __aenter__(self) -> Self:
        self.folder.make()
        self._lock.take()
        try:
            self._ports.check(self.settings)
            if self._redis is not None:
                await self._supervisor.start(self._redis)
            front = self._role("front", "serve", FRONT_WITHIN_S)
            self._bots = asyncio.create_task(self._start_bots(), name="start bots")
            await self._supervisor.start(front)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        with waiting("stopping everything"):
            if self._bots is not None:
                self._bots.cancel()
                await asyncio.wait({self._bots})
            await self._supervisor.stop()
            self._lock.release()

    async def _start_bots(self) -> None:
        """Start Ray, warm the kernels meanwhile, then start the steward, whose workers find them warm."""
        if self._ray is not None:
            self.folder.log("warmup").unlink(missing_ok=True)
            warmup = asyncio.create_task(complete(self._warmup()))
            try:
                await self._supervisor.start(self._ray)
                self._stages.remove("Ray")
                await warmup
                self._stages.remove("kernels")
            finally:
                warmup.cancel()
                await asyncio.wait({warmup})
        await self._supervisor.start(self._role("steward", "steward", STEWARD_WITHIN_S))

    def _stage(self) -> str:
        """Return what the bots wait for now, in words."""
        if "Ray" in self._stages:
            return "starting Ray"
        if "kernels" in self._stages:
            return last_line(self.folder.log("warmup"), "loading the kernels")
        return "starting the bots"

    def _role(self, name: str, command: str, within_s: float) -> Process:
        ready_file = self.folder.ready(name)

        async def ready(pid: int) -> bool:
            return readiness.said(ready_file, pid)

        command_line = (*JUNTO, command, "--ready-file", str(ready_file))
        return Process(
            Program(name, command_line, self.folder.log(name), ready, self._environment(name), ready_within_s=within_s)
        )

    def _warmup(self) -> Program:
        command_line = (*JUNTO, "warmup")
        return Program("warmup", command_line, self.folder.log("warmup"), _never, ready_within_s=WARM_WITHIN_S)

    def _environment(self, role: str) -> dict[str, str]:
        """Return what the processes are told beside this process's own environment."""
        told = {"JUNTO_DATA_DIR": str(self.folder.root)}
        if self._redis is not None:
            told["JUNTO_REDIS_URL"] = self._redis.url
        if role == "front":
            told["JUNTO_GRPC_PORT"], told["JUNTO_HTTP_PORT"] = str(self._ports.grpc), str(self._ports.http)
            told["JUNTO_METRICS_PORT"] = str(self._ports.front_metrics)
        else:
            told["JUNTO_METRICS_PORT"] = str(self._ports.steward_metrics)
            if self._ray is not None:
                told |= self._ray.environment()
        return told


def last_line(file: Path, otherwise: str) -> str:
    """Return the last line of a log, without the seconds that a wait shows there."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return otherwise
    return next((line.partition(" ...")[0] for line in reversed(lines) if line), otherwise)


async def _never(_: int) -> bool:
    return False

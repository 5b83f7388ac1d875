"""Keep an organiser running while there are tournaments that nobody plays, and none while there are not.

The organiser is a child process (`junto organise`), since it drives Ray, which no process should do that minds
clocks. There is at most one of a steward; stewards do not agree on who has one: a lease on each tournament does.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Self

import structlog

from junto.steward.metrics import StewardMetrics
from junto.table.store_errors import StoreError
from junto.tournaments.errors import NewerTournament
from junto.tournaments.work import Work

LOOK_S: Final = 2.0
"""How often it is looked for tournaments."""
LONGEST_PAUSE_S: Final = 60.0
"""How long is waited at most before an organiser is started again that failed."""
STOP_S: Final = 15.0
"""How long an organiser may take to give its tournament back."""
SILENT_S: Final = 300.0
"""An organiser that has said nothing for so long hangs, or is halted. It starts in less, and says more often that it
lives."""

_log = structlog.get_logger(__name__)


class Organising:
    """See the module. Use it as `async with Organising(...)`.

    Args:
        work: the tournaments; it takes none of them itself.
        now_ms: the store's time.
        command: the command line of an organiser, which prints `played N` for deals that it has kept, and something
            now and then whether it has or not.
        metrics: what is counted.
        look_s: how often it is looked for tournaments.
        silent_s: how long an organiser may say nothing.
    """

    def __init__(
        self,
        work: Work,
        now_ms: Callable[[], int],
        command: Sequence[str],
        metrics: StewardMetrics,
        *,
        look_s: float = LOOK_S,
        silent_s: float = SILENT_S,
    ) -> None:
        self._work = work
        self._now_ms = now_ms
        self._command = tuple(command)
        self._metrics = metrics
        self._look_s = look_s
        self._silent_s = silent_s
        self._pause_s = look_s
        self._child: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id of the organiser that runs; None: none does."""
        return None if self._child is None else self._child.pid

    async def __aenter__(self) -> Self:
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the organiser in order."""
        assert self._keeping is not None, "it was not started"
        child = self._child
        if child is not None:
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(child.wait(), STOP_S)
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        if self._child is not None:
            self._signal(signal.SIGKILL)
            await self._child.wait()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._pause_s)
            if await self._is_wanted():
                await self._run()

    async def _is_wanted(self) -> bool:
        try:
            some = len(await self._work.to_be_played())
            self._metrics.tournaments.set(some)
            return some > 0 and bool(await self._work.unheld(self._now_ms()))
        except (StoreError, NewerTournament) as problem:
            _log.info("tournaments not looked for", problem=str(problem))
            return False

    async def _run(self) -> None:
        """Run an organiser to its end; one that fails is started again after a pause that doubles."""
        code = await self._lived()
        self._pause_s = self._look_s if code == 0 else min(LONGEST_PAUSE_S, 2 * self._pause_s)
        _log.info("organiser ended", code=code, again_in_s=round(self._pause_s, 1))

    async def _lived(self) -> int | None:
        """Run an organiser, and return its exit code; None: it could not be started."""
        try:
            self._child = child = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, start_new_session=True
            )
        except OSError as problem:  # no memory, or too many processes: that may pass
            _log.warning("organiser not started", problem=str(problem))
            return None
        _log.info("organiser started")
        assert child.stdout is not None
        try:
            await self._listen(child.stdout)
        except TimeoutError:
            _log.warning("organiser hangs", silent_s=self._silent_s)
            self._signal(signal.SIGKILL)
        code = await child.wait()
        self._signal(signal.SIGKILL)  # whatever it has left behind
        self._child = None
        return code

    async def _listen(self, said: asyncio.StreamReader) -> None:
        """Hear what an organiser says until it says no more.

        Raises:
            TimeoutError: it has been silent for too long.
        """
        while True:
            try:
                async with asyncio.timeout(self._silent_s):
                    line = await said.readline()
            except ValueError:  # longer than any line of ours: a library's
                continue
            if not line:
                return
            self._heard(line)

    def _heard(self, line: bytes) -> None:
        word, _, number = line.strip().partition(b" ")
        if word == b"played" and number.isdigit():
            self._metrics.tournament_deals.inc(int(number))
            self._pause_s = self._look_s

    def _signal(self, number: signal.Signals) -> None:
        if self._child is not None:
            with suppress(ProcessLookupError, PermissionError):  # nobody of its group is left
                os.killpg(self._child.pid, number)

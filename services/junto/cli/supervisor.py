"""Keep things running: start them, start again what dies, stop them in order.

What dies is started again after a pause that doubles; what dies too often is given up, in words that say
where its log is. What the things are is for others to say: see `junto.cli.processes`.

PartFailed
├── NeverReady   it ended, or was not ready in time
└── GivenUp      it died too often
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from junto.cli.console import Say

TAIL_LINES: Final = 15
"""How many lines of a log are quoted when a part fails."""


class PartFailed(Exception):
    """A part does not run as it should; the message quotes its log."""


class NeverReady(PartFailed):
    """A part ended before it was ready, or was not ready in time."""


class GivenUp(PartFailed):
    """A part died too often to be started again."""


class Part(Protocol):
    """Something that runs, can die, and can be started again."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def log(self) -> Path:
        """Where it writes what happens to it."""

    async def start(self) -> None:
        """Start it and wait until it is ready.

        Raises:
            NeverReady: it ended, or was not ready in time.
        """

    async def over(self) -> str:
        """Wait until it has died; return how, in words that follow its name."""

    async def end(self) -> None:
        """End it, also half started; do nothing if it does not run."""


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


PATIENCE: Final = Patience()
"""What is usual."""


class Supervisor:
    """Runs parts until it is stopped. One event loop, no threads; `failed` ends when a part is given up."""

    def __init__(self, say: Say, patience: Patience = PATIENCE) -> None:
        self._say = say
        self._patience = patience
        self._parts: list[Part] = []
        self._keepers: list[asyncio.Task[None]] = []
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self, part: Part) -> None:
        """Start a part and wait until it is ready; from then on it is kept running.

        Raises:
            NeverReady: it ended, or was not ready in time. A first start is not tried again.
        """
        self._parts.append(part)
        await part.start()
        keeper = asyncio.create_task(self._keep(part), name=f"keep {part.name}")
        keeper.add_done_callback(self._kept_no_longer)
        self._keepers.append(keeper)

    async def stop(self) -> None:
        """Stop every part, the one that was started last first."""
        for keeper in self._keepers:
            keeper.cancel()
        for part in reversed(self._parts):
            await part.end()
        self._parts.clear()
        if self.failed.done():
            self.failed.exception()
        else:
            self.failed.cancel()

    async def _keep(self, part: Part) -> None:
        deaths: deque[float] = deque()
        while True:
            how = await part.over()
            now = time.monotonic()
            deaths.append(now)
            while now - deaths[0] > self._patience.within_s:
                deaths.popleft()
            if len(deaths) >= self._patience.deaths:
                times = f"died {len(deaths)} times within {self._patience.within_s:.0f} s"
                raise GivenUp(f"{part.name} {times}; the last time it {how}{quoted(part.log)}")
            self._say(f"{part.name} {how}; it is started again")
            await asyncio.sleep(self._patience.pause_s(len(deaths)))
            with contextlib.suppress(NeverReady):  # the next round counts the death
                await part.start()
                self._say(f"{part.name} is back")

    def _kept_no_longer(self, keeper: asyncio.Task[None]) -> None:
        if not keeper.cancelled() and (failure := keeper.exception()) and not self.failed.done():
            self.failed.set_exception(failure)


def quoted(log: Path) -> str:
    """Return the last lines of a log, and where it is, to put after a sentence."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
    except OSError:
        lines = []
    return "".join(f"\n  | {line}" for line in lines) + f"\n  (its log is {log})"

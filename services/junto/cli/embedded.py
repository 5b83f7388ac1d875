"""The embedded Redis as a part that a supervisor keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

from junto.cli.supervisor import NeverReady, quoted
from junto.table.redis_server import EmbeddedRedis, EmbeddedRedisError

LOOK_S: Final = 0.1
"""How often it is looked whether the server lives: it may be a process that somebody else started."""


class EmbeddedPart:
    """A `junto.cli.supervisor.Part`: the Redis of a data folder, started or taken over."""

    name: Final = "Redis"

    def __init__(self, folder: Path) -> None:
        self._redis = EmbeddedRedis(folder)

    @property
    def log(self) -> Path:
        """See `Part`."""
        return self._redis.folder / "redis.log"

    @property
    def url(self) -> str:
        """Where it is, once it was started."""
        return self._redis.url

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self._redis.pid

    @property
    def was_taken_over(self) -> bool:
        """Whether it ran already."""
        return self._redis.was_taken_over

    async def start(self) -> None:
        """See `Part`."""
        try:
            await asyncio.to_thread(self._redis.start)
        except EmbeddedRedisError as problem:
            raise NeverReady(str(problem)) from None

    async def over(self) -> str:
        """See `Part`."""
        while self._redis.is_running:  # noqa: ASYNC110  # another process's end is no event of ours
            await asyncio.sleep(LOOK_S)
        return f"died{quoted(self.log)}"

    async def end(self) -> None:
        """See `Part`."""
        await asyncio.to_thread(self._redis.stop)

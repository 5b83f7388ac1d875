"""A pool's driver process and the line to it.

Nothing of Ray is loaded into the pool's own process, and nothing is forked: the driver is a fresh Python.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Self, cast

from junto.pool.frames import BadFrame, Close, FromDriver, Reader, ToDriver, write
from junto.pool.settings import PoolSettings

QUIET = {
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # Ray prints each worker's death; the pool tells it in its own way
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""What keeps a driver from chattering, unless the environment says otherwise."""


class DriverLink(asyncio.Protocol):
    """One driver process, from its start to its end.

    Args:
        process: the process.
        take: is given each frame of it.
        over: is called once, when the process has closed its end of the line.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], take: Callable[[FromDriver], None], over: Callable[[], None]
    ) -> None:
        self._process = process
        self._take = take
        self._over = over
        self._reader = Reader()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def start(
        cls,
        address: str,
        settings: PoolSettings,
        env: Mapping[str, str],
        *,
        take: Callable[[FromDriver], None],
        over: Callable[[], None],
    ) -> Self:
        """Start a driver process; it connects by itself and then tells of its crew.

        Raises:
            OSError: the system has no room for another process.
        """
        ours, theirs = socket.socketpair()
        with closing(theirs):
            process = _spawn(theirs, address, settings, env)
        link = cls(process, take, over)
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: link, sock=ours)
        except BaseException:  # cancelled, for instance: then nobody else knows of the process
            ours.close()
            process.kill()
            process.wait()
            raise
        return link

    def send(self, frame: ToDriver) -> None:
        """Tell the driver something; nothing happens if it has ended."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(write(frame))

    async def end(self, within_s: float) -> None:
        """Let the driver end, kill it if it takes too long, and wait until it has."""
        self.send(Close())
        try:
            await asyncio.to_thread(self._process.wait, within_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        if self._transport is not None:
            self._transport.close()

    @property
    def pid(self) -> int:
        """The driver's process id."""
        return self._process.pid

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        try:
            for frame in self._reader.feed(data):
                self._take(cast("FromDriver", frame))
        except BadFrame:
            self._process.kill()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # why makes no difference
        """See `asyncio.Protocol`."""
        self._over()


def _spawn(
    line: socket.socket, address: str, settings: PoolSettings, env: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # our own module, no shell
        [sys.executable, "-m", "junto.pool.driver", str(line.fileno()), address, settings.as_text()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[line.fileno()],
        env={**QUIET, **os.environ, **env},
    )

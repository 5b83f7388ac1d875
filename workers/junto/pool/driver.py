"""The Ray driver, a process of its own between a pool and the cluster.

Connecting to Ray stalls a process for seconds, and Ray ends a process that has lost its cluster. Neither may
happen to a steward, which also has clocks to mind; so only this process speaks to Ray, and it may die:
its pool starts it again. It is run by `junto.pool.pool`:

    python -m junto.pool.driver SOCKET ADDRESS SETTINGS

It ends when its pool's end of the socket closes, when it is told to, or when the cluster is lost.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Final, NoReturn, cast

import uvloop

from junto.pool.addresses import ClusterLost, reachable
from junto.pool.frames import BadFrame, Close, Drop, FromDriver, Gone, Job, Reader, write
from junto.pool.settings import PoolSettings

if TYPE_CHECKING:
    from junto.pool.crew import Crew

SWITCH_S: Final = 0.0005
"""How long a thread of Ray's waits at most for the loop's thread to let it in; Python's default is ten times that."""


class PoolChannel(asyncio.Protocol):
    """The line to the pool."""

    def __init__(self) -> None:
        self.crew: Crew | None = None
        self.over = asyncio.get_running_loop().create_future()
        self._reader = Reader()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        try:
            for frame in self._reader.feed(data):
                self._take(frame)
        except BadFrame as problem:
            self._end(problem)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # why makes no difference
        """See `asyncio.Protocol`."""
        self._end()

    def tell(self, frame: FromDriver) -> None:
        """Send a frame to the pool."""
        assert self._transport is not None
        self._transport.write(write(frame))

    async def drained(self) -> None:
        """Wait until what was told has left this process."""
        assert self._transport is not None
        self._transport.close()
        await self.over

    def _take(self, frame: object) -> None:
        match frame:
            case Job() if self.crew:
                self.crew.ask(frame)
            case Drop(number) if self.crew:
                self.crew.drop(number)
            case Close():
                self._end()
            case _:
                raise BadFrame(f"{type(frame).__name__} is not for a driver")

    def _end(self, problem: Exception | None = None) -> None:
        if self.over.done():
            return
        if problem is None:
            self.over.set_result(None)
        else:
            self.over.set_exception(problem)


async def serve(channel: socket.socket, address: str, settings: PoolSettings) -> None:
    """Connect, then work until the pool is gone or has had enough.

    Raises:
        BadFrame: the pool is of another version.
    """
    _, pool = await asyncio.get_running_loop().create_unix_connection(PoolChannel, sock=channel)
    try:
        await _work(pool, address, settings)
    except ClusterLost as lost:
        pool.tell(Gone(str(lost)))
        await pool.drained()


async def _work(pool: PoolChannel, address: str, settings: PoolSettings) -> None:
    if not await reachable(address):
        raise ClusterLost(f"nothing answers at {address}")
    # Ray takes two seconds of a CPU to load: not while there is no cluster.
    from junto.pool import cluster  # noqa: PLC0415
    from junto.pool.crew import Crew  # noqa: PLC0415

    cluster.connect(address)
    wanted = settings.workers or cluster.cpus()
    pool.crew = Crew(settings, wanted, pool.tell, lambda: asyncio.to_thread(cluster.check, address))
    keeping = asyncio.create_task(pool.crew.keep())
    await asyncio.wait((keeping, pool.over), return_when=asyncio.FIRST_COMPLETED)
    if keeping.done():
        keeping.result()
    pool.over.result()


def leave(within_s: float) -> NoReturn:
    """End this process: let go of the cluster, but wait neither for one that is gone nor for our own threads."""
    if cluster := sys.modules.get("junto.pool.cluster"):
        parting = threading.Thread(target=cluster.disconnect, daemon=True)
        parting.start()
        parting.join(within_s)
    os._exit(0)


def main() -> None:
    """Run the driver; see the module."""
    descriptor, address, text = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the steward, which tells us
    sys.setswitchinterval(SWITCH_S)
    settings = PoolSettings.from_text(text)
    loop = uvloop.new_event_loop()
    loop.run_until_complete(serve(socket.socket(fileno=int(descriptor)), address, settings))
    leave(settings.close_within_s)


if __name__ == "__main__":
    main()

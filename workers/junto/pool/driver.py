"""The Ray driver, a process of its own between a pool and the cluster.

Connecting to Ray stalls a process for seconds, and Ray ends a process that has lost its cluster. Neither may
happen to a steward, which also has clocks to mind; so only this process speaks to Ray, and it may die:
its pool starts it again. It is run by `junto.pool.pool`:

    python -m junto.pool.driver SOCKET ADDRESS SETTINGS

It ends when its pool's end of the socket closes, when it is told to, or when the cluster is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from typing import Any, Final, NoReturn, cast

import grpc
import ray
import uvloop
from ray._private.grpc_utils import init_grpc_channel
from ray.exceptions import RayError

from junto.pool.crew import ClusterLost, Crew
from junto.pool.frames import BadFrame, Close, Drop, FromDriver, Gone, Job, Reader, write
from junto.pool.settings import PoolSettings

REACH_S: Final = 3.0
"""How long the cluster's address may take to accept a connection."""
IS_ALIVE: Final = "/ray.rpc.NodeInfoGcsService/CheckAlive"
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


async def reachable(address: str) -> bool:
    """Return whether something accepts connections at an address."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


def knock(address: str) -> None:
    """Ask the cluster whether it lets us in: `ray.init` would try for 20 seconds and say little.

    Raises:
        ClusterLost: nothing answers there, or our token is refused.
    """
    try:
        with init_grpc_channel(address) as channel:
            channel.unary_unary(IS_ALIVE)(b"", timeout=REACH_S)
    except grpc.RpcError as problem:
        if problem.code() is not grpc.StatusCode.UNAUTHENTICATED:
            raise ClusterLost(f"nothing answers as Ray does at {address}") from problem
        ours = "our token is refused" if os.environ.get("RAY_AUTH_MODE") == "token" else "it wants a token"
        raise ClusterLost(f"Ray at {address} does not let us in: {ours}") from problem
    except RayError as problem:
        raise ClusterLost(str(problem)) from problem


def connect(address: str) -> None:
    """Connect this process to the cluster, in the main thread.

    Raises:
        ClusterLost: the cluster refuses us, or does not answer.
    """
    knock(address)
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (RayError, ConnectionError, RuntimeError, ValueError) as problem:
        raise ClusterLost(f"cannot connect to Ray at {address}: {problem}") from problem
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Ray put its own handler there


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
    connect(address)
    cpus = cast("Any", ray).cluster_resources().get("CPU", 1)
    pool.crew = Crew(settings, settings.workers or max(1, int(cpus)), pool.tell, lambda: reachable(address))
    keeping = asyncio.create_task(pool.crew.keep())
    await asyncio.wait((keeping, pool.over), return_when=asyncio.FIRST_COMPLETED)
    if keeping.done():
        keeping.result()
    pool.over.result()


def leave(within_s: float) -> NoReturn:
    """End this process: let go of the cluster, but wait neither for one that is gone nor for our own threads."""
    parting = threading.Thread(target=ray.shutdown, daemon=True)
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

"""The yardstick of `commits`: a bare grpc.aio server that commits to Redis and pushes to four streams.

It does what a move must do except the game: one unary call, one pipelined script (compare the version,
HSET 1 kB, XADD, ZADD, PUBLISH), one message to each of four server streams. No protobuf, no rules, no
validation, no tokens. Run as a process: `python bench/_floor.py PORT REDIS_SOCKET`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time

import grpc
import redis.asyncio
import uvloop

REQUEST = os.urandom(100)
REPLY = os.urandom(200)
SNAPSHOT = os.urandom(1000)
ENTRY = os.urandom(200)
SCRIPT = """
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return version end
redis.call('HSET', KEYS[1], 'version', version + 1, 'snapshot', ARGV[2])
redis.call('XADD', KEYS[2], '*', 'e', ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[5])
redis.call('PUBLISH', KEYS[4], ARGV[5] .. ' ' .. version + 1)
return -1
"""


class Committer:
    """Commits of one turn of the event loop share a pipeline on one connection."""

    def __init__(self, socket: str) -> None:
        self._redis = redis.asyncio.Redis(unix_socket_path=socket, single_connection_client=True)
        self._waiting: list[tuple[tuple[object, ...], asyncio.Future[int]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._versions: dict[bytes, int] = {}
        self._sha = ""

    async def start(self) -> None:
        """Connect, and load the script."""
        await self._redis.initialize()
        self._sha = await self._redis.script_load(SCRIPT)

    async def commit(self, table: bytes) -> None:
        """Commit the next version of a table."""
        version = self._versions.get(table, 0)
        name = table.hex()
        keys = (f"floor:{{s17}}:table:{name}", f"floor:{{s17}}:log:{name}", "floor:{s17}:due", "floor:{s17}:changed")
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(((*keys, version, SNAPSHOT, ENTRY, time.time(), name), future))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        assert await future == -1
        self._versions[table] = version + 1

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            pipeline = self._redis.pipeline(transaction=False)
            for arguments, _ in batch:
                pipeline.evalsha(self._sha, 4, *arguments)
            for (_, future), answer in zip(batch, await pipeline.execute(), strict=True):
                if not future.done():
                    future.set_result(answer)


async def serve(port: int, socket: str) -> None:
    """Serve `floor.Floor/Move` and `floor.Floor/Watch` until the process is ended; print `ready` first.

    A request's first four bytes name its table.
    """
    committer = Committer(socket)
    await committer.start()
    watchers: dict[bytes, list[asyncio.Queue[bytes]]] = {}

    async def move(request: bytes, _: object) -> bytes:
        await committer.commit(request[:4])
        for queue in watchers.get(request[:4], ()):
            queue.put_nowait(REPLY)
        return REPLY

    async def watch(request: bytes, _: object):  # type: ignore[no-untyped-def]
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        watchers.setdefault(request[:4], []).append(queue)
        while True:
            yield await queue.get()

    server = grpc.aio.server()
    handlers = {
        "Move": grpc.unary_unary_rpc_method_handler(move),
        "Watch": grpc.unary_stream_rpc_method_handler(watch),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("floor.Floor", handlers),))
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    print("ready", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    # The measured yardstick runs on asyncio's own loop; with uvloop it is the stricter one. Ours runs on uvloop.
    (uvloop if "--uvloop" in sys.argv else asyncio).run(serve(int(sys.argv[1]), sys.argv[2]))

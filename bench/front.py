"""What the gate costs: server CPU per call through the fronts, against the bare frameworks.

One server process has all four on ports of its own: bare grpc.aio, bare connectrpc on uvicorn, and a front's two.
This process keeps 64 calls of `Act` in flight to each in turn, in short slices, and reads the server's CPU time
between them; slices side by side make the rest of the machine fall on all alike. `bare` servers parse the request
and serialise the reply with the same messages and do nothing else; a front also checks the token, the rate, the
constraints and the deadline, and counts the call. One JSON object a line.

    python bench/front.py --seconds 0.5 --rounds 10
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import grpc.aio
import psutil
import uvicorn
import uvloop
from connectrpc.compat import google_protobuf_codecs
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint

from _numbers import time_s, whole_number
from junto.client import Tables
from junto.front.call import Player, PlayerId
from junto.front.http import listen
from junto.front.methods import Service
from junto.front.server import Front
from junto.table.logs import configure_logs
from junto.table.settings import Settings
from junto.v1 import actions_pb2, cards_pb2, tables_pb2

PATH: Final = "/junto.v1.TableService/Act"
IN_FLIGHT: Final = 64
TOKEN: Final = "x" * 380
"""What a bare server gets: as long as a token, and not looked at."""


Target = tuple[int, str]
"""A port, and the token to send there."""


class Toy:
    """Answers at once."""

    def __init__(self) -> None:
        self.reply = tables_pb2.ActResponse(update=tables_pb2.TableUpdate(from_version=7, version=8))

    async def act(self, _: tables_pb2.ActRequest, __: Any) -> tables_pb2.ActResponse:
        """Answer."""
        return self.reply


def request() -> tables_pb2.ActRequest:
    """Return a move as a client sends it."""
    play = actions_pb2.PlayCard(card=cards_pb2.CARD_HEART_TEN)
    return tables_pb2.ActRequest(
        request_id=str(uuid.uuid4()), table_id="t" * 22, expected_version=7, action=actions_pb2.Action(play_card=play)
    )


# --- the servers


@contextlib.asynccontextmanager
async def bare_grpc() -> AsyncIterator[int]:
    """Run a grpc.aio server and nothing else."""
    toy = Toy()
    handlers = {
        "Act": grpc.unary_unary_rpc_method_handler(
            toy.act, tables_pb2.ActRequest.FromString, tables_pb2.ActResponse.SerializeToString
        )
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("junto.v1.TableService", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield port
    await server.stop(None)


class _Bare(ConnectASGIApplication[None]):
    path = ""


@contextlib.asynccontextmanager
async def bare_connect() -> AsyncIterator[int]:
    """Uvicorn with connectrpc and nothing else."""
    info = MethodInfo(
        name="Act",
        service_name="junto.v1.TableService",
        input=tables_pb2.ActRequest,
        output=tables_pb2.ActResponse,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY,
    )
    endpoints = {PATH: Endpoint.unary(info, Toy().act)}
    app = _Bare(service=None, endpoints=lambda _: endpoints, codecs=google_protobuf_codecs())
    config = uvicorn.Config(app, http="httptools", ws="none", lifespan="off", log_level="warning", access_log=False)
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    yield listening.getsockname()[1]
    server.should_exit = server.force_exit = True
    await serving


async def _probe() -> None:
    """Find the store well."""


@contextlib.asynccontextmanager
async def whole_front() -> AsyncIterator[dict[str, Target]]:
    """Run a front with limits that are not met."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            grpc_port=0, http_port=0, metrics=False, data_dir=folder, rate_per_player=1e6, burst_per_player=10**6,
            max_calls_per_player=1000,
        )  # fmt: skip
        async with Front(settings, [Service(Tables.DESCRIPTOR, Toy())], probe=_probe) as front:
            token = front.issuer.issue(Player(PlayerId("g-bench"), "Bench")).access
            yield {"grpc": (front.grpc_port, token), "connect": (front.http_port, token)}


async def serve() -> None:
    """Serve until standard input ends."""
    configure_logs(Settings(log_level="warning", log_format="json"), "bench")
    async with bare_grpc() as grpc_port, bare_connect() as connect_port, whole_front() as targets:
        targets |= {"grpc-bare": (grpc_port, TOKEN), "connect-bare": (connect_port, TOKEN)}
        sys.stdout.write(json.dumps(targets) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


# --- the load


async def load_grpc(port: int, token: str, seconds: float) -> int:
    """Keep calls in flight over eight connections; return how many were answered."""
    ends = time.monotonic() + seconds
    metadata = (("authorization", f"Bearer {token}"),)
    data = request().SerializeToString()

    async def caller(channel: grpc.aio.Channel) -> int:
        act, calls = channel.unary_unary(PATH), 0
        while time.monotonic() < ends:
            await act(data, metadata=metadata, timeout=5)
            calls += 1
        return calls

    async with contextlib.AsyncExitStack() as stack:
        options = [("grpc.use_local_subchannel_pool", 1)]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options))
            for _ in range(8)
        ]
        return sum(await asyncio.gather(*(caller(channels[n % 8]) for n in range(IN_FLIGHT))))


async def load_connect(port: int, token: str, seconds: float) -> int:
    """Keep calls in flight, a connection each, with requests that are written once."""
    ends = time.monotonic() + seconds
    data = request().SerializeToString()
    head = (
        f"POST {PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: bench\r\ncontent-type: application/proto\r\n"
        f"connect-protocol-version: 1\r\nconnect-timeout-ms: 5000\r\nauthorization: Bearer {token}\r\n"
        f"content-length: {len(data)}\r\n\r\n"
    )
    sent = head.encode() + data

    async def caller() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        calls = 0
        while time.monotonic() < ends:
            writer.write(sent)
            status = await reader.readuntil(b"\r\n\r\n")
            if not status.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(status.decode())
            await reader.readuntil(b"0\r\n\r\n")
            calls += 1
        writer.close()
        return calls

    return sum(await asyncio.gather(*(caller() for _ in range(IN_FLIGHT))))


async def main(seconds: float, rounds: int) -> None:
    """Run the rounds and print, for each server, its median cost and how much that is over the bare one's."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--serve", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    targets: dict[str, Target] = json.loads(await server.stdout.readline())
    process = psutil.Process(server.pid)
    found: dict[str, list[float]] = {name: [] for name in ("grpc-bare", "grpc", "connect-bare", "connect")}
    for number in range(rounds + 1):
        for name, costs in found.items():
            load = load_grpc if name.startswith("grpc") else load_connect
            before = process.cpu_times()
            calls = await load(*targets[name], seconds)
            after = process.cpu_times()
            if number:  # the first round warms up
                costs.append((after.user + after.system - before.user - before.system) / calls * 1e6)
    server.stdin.close()
    await server.wait()
    for name, costs in found.items():
        bare = found[f"{name.removesuffix('-bare')}-bare"]
        line = {
            "bench": "front",
            "server": name,
            "value": round(statistics.median(costs), 1),
            "unit": "µs of server CPU per call",
            "over_bare": round(statistics.median(mine - base for mine, base in zip(costs, bare, strict=True)), 1),
            "ratio": round(statistics.median(mine / base for mine, base in zip(costs, bare, strict=True)), 2),
            "least": round(min(costs), 1),
        }
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=time_s(86_400.0), default=0.5)
    parser.add_argument("--rounds", type=whole_number(1, 10_000), default=10)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    uvloop.run(serve() if given.serve else main(given.seconds, given.rounds))

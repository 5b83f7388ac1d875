"""What the gate costs: server CPU per call through the fronts, against the bare frameworks.

Each round starts every server in turn, in a process of its own, and keeps 64 calls of `Act` in flight from
this one. `bare` servers parse the request and serialise the reply with the same messages and do nothing
else; ours also check a token, the rate, the constraints and the deadline, and count the call. One JSON object
a line.

    python bench/front.py --seconds 2 --rounds 5
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
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import grpc
import grpc.aio
import psutil
import uvicorn
import uvloop
from connectrpc.compat import google_protobuf_codecs
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint

from junto.client import Client, Tables
from junto.front.http import listen
from junto.front.methods import Service
from junto.front.server import Front
from junto.table.logs import configure_logs
from junto.table.settings import Settings
from junto.v1 import actions_pb2, cards_pb2, tables_pb2

PATH: Final = "/junto.v1.TableService/Act"
IN_FLIGHT: Final = 64
WARM_UP_S: Final = 0.5


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
async def bare_grpc() -> AsyncIterator[dict[str, Any]]:
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
    yield {"port": port, "token": "none"}
    await server.stop(None)


class _Bare(ConnectASGIApplication[None]):
    path = ""


@contextlib.asynccontextmanager
async def bare_connect() -> AsyncIterator[dict[str, Any]]:
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
    yield {"port": listening.getsockname()[1], "token": "none"}
    server.should_exit = server.force_exit = True
    await serving


async def _probe() -> None:
    """Find the store well."""


@contextlib.asynccontextmanager
async def _front(transport: str) -> AsyncIterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            grpc_port=0, http_port=0, metrics=False, data_dir=folder, rate_per_player=1e6, burst_per_player=10**6,
            max_calls_per_player=1000,
        )  # fmt: skip
        async with Front(settings, [Service(Tables.DESCRIPTOR, Toy())], probe=_probe) as front:
            port = front.grpc_port if transport == "grpc" else front.http_port
            async with Client(f"127.0.0.1:{port}", transport) as client:  # type: ignore[arg-type]
                await client.sign_in_as_guest("Bench")
                token = client.tokens.access_token
            yield {"port": port, "token": token}


SERVERS: Final[dict[str, Callable[[], contextlib.AbstractAsyncContextManager[dict[str, Any]]]]] = {
    "grpc-bare": bare_grpc,
    "grpc": lambda: _front("grpc"),
    "connect-bare": bare_connect,
    "connect": lambda: _front("connect"),
}


async def serve(name: str) -> None:
    """Serve until standard input ends."""
    configure_logs(Settings(log_level="warning"), "bench")
    async with SERVERS[name]() as told:
        sys.stdout.write(json.dumps(told) + "\n")
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


async def burst(name: str, seconds: float) -> tuple[float, float]:
    """Return microseconds of server CPU per call, and calls per second."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "--serve", name, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    told = json.loads(await server.stdout.readline())
    load: Callable[..., Awaitable[int]] = load_grpc if name.startswith("grpc") else load_connect
    await load(**told, seconds=WARM_UP_S)
    process = psutil.Process(server.pid)
    before = process.cpu_times()
    calls = await load(**told, seconds=seconds)
    after = process.cpu_times()
    server.stdin.close()
    await server.wait()
    used = after.user + after.system - before.user - before.system
    return used / calls * 1e6, calls / seconds


async def main(seconds: float, rounds: int) -> None:
    """Run the rounds and print the medians."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in SERVERS}
    for _ in range(rounds):
        for name, bursts in found.items():
            bursts.append(await burst(name, seconds))
    cost = {name: statistics.median(cpu for cpu, _ in bursts) for name, bursts in found.items()}
    for name, bursts in found.items():
        base = cost[f"{name.removesuffix('-bare')}-bare"]
        line = {
            "bench": "front",
            "server": name,
            "value": round(cost[name], 1),
            "unit": "µs of server CPU per call",
            "over_bare": round(cost[name] - base, 1),
            "ratio": round(cost[name] / base, 2),
            "calls_per_s": round(statistics.median(rate for _, rate in bursts)),
        }
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", choices=list(SERVERS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    uvloop.run(serve(given.serve) if given.serve else main(given.seconds, given.rounds))

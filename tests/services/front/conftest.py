"""A front with a toy table service behind it, and clients of every transport."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from junto.client import Client, Tables
from junto.front.call import Call, Raw
from junto.front.faults import Fault, FieldViolation
from junto.front.methods import Service
from junto.front.server import Front
from junto.table.settings import Settings
from junto.v1 import errors_pb2, tables_pb2

TRANSPORTS = ("grpc", "connect", "grpc-web")
SECRET = "the ace of spades is in the kitty"


def pytest_asyncio_loop_factories(config: pytest.Config, item: pytest.Item) -> Any:
    """Run on the loop that the server runs on."""
    return {"uvloop": uvloop.new_event_loop}


class Toy:
    """Answers as the table's id says."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.addresses: list[str] = []
        self.opened = 0
        self.closed = 0
        self.go = asyncio.Event()
        self.failures = 0
        self.requests: list[Any] = []

    async def act(self, request: tables_pb2.ActRequest, call: Call) -> tables_pb2.ActResponse:
        self.requests.append(request)
        if self.failures:
            self.failures -= 1
            raise Fault(errors_pb2.ERROR_REASON_STORE_UNAVAILABLE, "the store does not answer")
        return tables_pb2.ActResponse(update=tables_pb2.TableUpdate(version=request.expected_version + 1))

    async def suggest_action(
        self, request: tables_pb2.SuggestActionRequest, call: Call
    ) -> tables_pb2.SuggestActionResponse:
        self.requests.append(request)
        raise Fault(errors_pb2.ERROR_REASON_POOL_BUSY, "nobody is free to think", retry_delay_s=0.01)

    async def create_table(self, request: tables_pb2.CreateTableRequest, call: Call) -> tables_pb2.CreateTableResponse:
        return tables_pb2.CreateTableResponse(table=tables_pb2.Table(id="new"))

    async def get_table(self, request: tables_pb2.GetTableRequest, call: Call) -> Any:
        self.calls.append(call)
        self.addresses.append(call.address)
        reply = tables_pb2.GetTableResponse(view=tables_pb2.TableView(table=tables_pb2.Table(id=request.table_id)))
        match request.table_id:
            case "stale":
                raise Fault(
                    errors_pb2.ERROR_REASON_STALE_VERSION,
                    "the table has moved on — 已變",
                    metadata={"version": 17},
                    violations=[FieldViolation("expected_version", "is too old")],
                    retry_delay_s=1.5,
                )
            case "bug":
                raise RuntimeError(SECRET)
            case "wrong":
                return tables_pb2.Table()
            case "lost":
                lost = asyncio.ensure_future(asyncio.sleep(60))
                lost.cancel()
                await lost
            case "timeout":
                raise TimeoutError(SECRET)
            case "slow":
                self.opened += 1
                try:
                    await self.go.wait()
                finally:
                    self.closed += 1
            case "raw":
                return Raw(reply.SerializeToString())
        return reply

    async def watch_table(
        self, request: tables_pb2.WatchTableRequest, call: Call
    ) -> AsyncGenerator[tables_pb2.WatchTableResponse | Raw, None]:
        self.opened += 1
        try:
            for version in range(1, 4):
                yield beat(version)
            match request.table_id:
                case "raw":
                    yield Raw(beat(4).SerializeToString())
                case "stale":
                    raise Fault(errors_pb2.ERROR_REASON_TOO_SLOW, "read faster")
                case "bug":
                    raise RuntimeError(SECRET)
                case "hang":
                    await self.go.wait()
                case "flood":
                    while True:
                        yield Raw(beat(5).SerializeToString() * 200)
        finally:
            self.closed += 1


def beat(version: int) -> tables_pb2.WatchTableResponse:
    """Return a message that a stream can send."""
    return tables_pb2.WatchTableResponse(heartbeat=tables_pb2.Heartbeat(version=version))


async def until(condition: Callable[[], bool], within_s: float = 5.0) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(within_s):
        while not condition():  # what is waited for is in the server
            await asyncio.sleep(0.005)


class Stage:
    """What a test plays on: fronts, and clients to them."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self.folder = folder
        self.toy = Toy()
        self.healthy = True
        self._stack = stack

    async def probe(self) -> None:
        if not self.healthy:
            raise ConnectionError("no store here")

    async def front(self, *, clock: Callable[[], float] = time.time, toy: object = None, **settings: Any) -> Front:
        """Start a front of the toy, or of another table service, with these settings."""
        return await self.serve([Service(Tables.DESCRIPTOR, toy or self.toy)], clock=clock, **settings)

    async def serve(self, services: list[Service], *, clock: Callable[[], float] = time.time, **settings: Any) -> Front:
        """Start a front of these services with these settings."""
        chosen = {"grpc_port": 0, "http_port": 0, "metrics": False, "data_dir": self.folder, "log_sample": 0}
        front = Front(Settings(**(chosen | settings)), services, probe=self.probe, clock=clock)
        return await self._stack.enter_async_context(front)

    async def client(self, front: Front, transport: str, *, name: str | None = "Ada", **options: Any) -> Client:
        """Return a client, signed in unless the name is None."""
        port = front.grpc_port if transport == "grpc" else front.http_port
        client = await self._stack.enter_async_context(Client(f"127.0.0.1:{port}", transport, **options))
        if name is not None:
            await client.sign_in_as_guest(name)
        return client


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """Provide a stage; everything on it is closed afterwards."""
    async with contextlib.AsyncExitStack() as stack:
        yield Stage(tmp_path, stack)


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    """Go through every transport."""
    return str(request.param)


@pytest.fixture
def wait_until() -> Callable[..., Awaitable[None]]:
    """Provide `until`."""
    return until

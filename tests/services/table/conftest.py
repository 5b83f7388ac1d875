"""Stores for the tests of the Redis side: on one server, and on a Cluster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import TableId
from junto.table.store import Commit, Request, Retention, Store, content_hash, open_store

QUICK = Patience(retry_s=1.0, first_pause_s=0.005, longest_pause_s=0.05)


@pytest.fixture(params=["one server", pytest.param("cluster", marks=pytest.mark.xdist_group("redis_cluster"))])
def any_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty Redis: of one server, then of a Cluster."""
    if request.param == "one server":
        return str(request.getfixturevalue("redis_url"))
    cluster = request.getfixturevalue("redis_cluster")
    cluster.clear()
    return str(cluster.url)


@pytest.fixture
async def store(any_url: str) -> AsyncIterator[Store]:
    """A store on each kind of Redis. It keeps few request ids, so that the bound can be seen."""
    async with await open_connection(any_url) as connection:
        yield await open_store(connection, Keyspace(), Retention(requests=8))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    """A Redis of the test's own, to be ill-treated."""
    server = EmbeddedRedis(tmp_path / "own")
    server.start()
    yield server
    server.stop(patience_s=1)


@pytest.fixture
async def own_store(own_server: EmbeddedRedis) -> AsyncIterator[Store]:
    """A store on it, of little patience."""
    async with await open_connection(own_server.url, patience=QUICK) as connection:
        yield await open_store(connection, Keyspace())


class Commits:
    """Makes commits that differ in what a test is about and are ordinary in all else."""

    def __init__(self) -> None:
        self.table_id = TableId(uuid4().hex)

    def __call__(self, expected_version: int = 0, **changes: object) -> Commit:
        """Return a commit on the test's table."""
        ordinary: dict[str, object] = {
            "table_id": self.table_id,
            "snapshot": b"snapshot after %d" % expected_version,
            "schema": 1,
            "deal": 0,
            "entry": b"entry \x00 after %d" % expected_version,
            "due_ms": None,
        }
        return Commit(expected_version=expected_version, **(ordinary | changes))  # type: ignore[arg-type]

    @staticmethod
    def request(id: str, content: bytes = b"content", result: bytes = b"result") -> Request:  # noqa: A002
        """Return a request."""
        return Request(id, content_hash(content), result)


@pytest.fixture
def commit() -> Commits:
    """Make commits on a table of the test's own."""
    return Commits()


Until = Callable[[Callable[[], bool]], Awaitable[None]]


@pytest.fixture
def until() -> Until:
    """Wait until a condition holds; fail if it does not within ten seconds."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0.005)

    return wait

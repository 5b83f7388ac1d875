"""Sentinel: the primary that it names is found, and found again after a failover."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import find_server
from junto.table.store import Committed, Duplicate, open_store
from junto.table.store_errors import StoreUnavailable

Commits = Any


def spawn(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a server."""
    command = [find_server().path, *arguments, "--bind", "127.0.0.1", "--dir", str(folder)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def wait_for(condition: Callable[[Redis], Any], port: int) -> None:
    """Wait until a server is as it should be."""
    until = time.monotonic() + 20
    with closing(Redis(port=port)) as client:
        while True:
            try:
                if condition(client):
                    return
            except (RedisError, OSError, KeyError, IndexError):
                pass
            assert time.monotonic() < until
            time.sleep(0.01)


@pytest.fixture
def ports(tmp_path: Path, free_ports: Callable[[int], list[int]]) -> Iterator[list[int]]:
    """A primary, its replica, and a Sentinel that watches them."""
    primary, replica, sentinel = found = free_ports(3)
    config = tmp_path / "sentinel.conf"
    config.write_text(
        f"port {sentinel}\nsentinel monitor main 127.0.0.1 {primary} 1\n"
        "sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 2000\n"
    )
    folders = [tmp_path / name for name in ("primary", "replica", "sentinel")]
    for folder in folders:
        folder.mkdir()
    children = [
        spawn(folders[0], "--port", str(primary), "--save", ""),
        spawn(folders[1], "--port", str(replica), "--save", "", "--replicaof", "127.0.0.1", str(primary)),
    ]
    try:
        wait_for(lambda client: client.info("replication")["master_link_status"] == "up", replica)
        children.append(spawn(folders[2], str(config), "--sentinel"))
        wait_for(lambda client: int(client.sentinel_masters()["main"]["num-slaves"]) == 1, sentinel)
        yield found
    finally:
        for child in children:
            child.kill()
            child.wait()


async def test_a_failover_is_followed(ports: list[int], commit: Commits) -> None:
    """Once the Sentinel has made the replica the primary, a repeated commit ends up there, once."""
    _, replica, sentinel = ports
    url = f"redis+sentinel://127.0.0.1:1,127.0.0.1:{sentinel}/main"
    async with await open_connection(url, patience=Patience(retry_s=0.3, silence_s=0.5)) as connection:
        store = await open_store(connection, Keyspace())
        assert await store.commit(commit(0)) == Committed(1)
        with closing(Redis(port=ports[0])) as client:
            client.wait(1, 5000)
        # It refuses until it has seen the replica in good health.
        await asyncio.to_thread(
            wait_for, lambda client: client.execute_command("SENTINEL", "FAILOVER", "main"), sentinel
        )

        second = commit(1, request=commit.request("r1"))
        key = store.keyspace.table(commit.table_id).table
        with closing(Redis(port=replica)) as client:
            async with asyncio.timeout(20):
                while client.role()[0] != b"master":
                    await asyncio.sleep(0.01)
                while client.hget(key, "version") != b"2":
                    with suppress(StoreUnavailable):
                        await store.probe()  # as each process does once a second: it leaves the old primary
                        await store.commit(second)

        assert await store.commit(second) == Duplicate(2, b"result")
        assert [entry.version for entry in await store.read_log(commit.table_id, 0)] == [1, 2]

"""What tests of several layers share: real Redis servers, embedded and clustered."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from junto.table.redis_server import EmbeddedRedis, find_server

SLOTS = 16384
BUS = 10_000
"""How far a Cluster node's second port is from its first."""

WHOLE_SERVICES = {"cli", "faults", "pool"}
"""The xdist groups of tests that run whole services: they need the machine for themselves."""


def pytest_configure() -> None:
    """Hear interrupts also as a job in the background, where a shell lets us ignore them, and all that we start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that run whole services as processes, by their group."""
    for item in items:
        if any(group.args and group.args[0] in WHOLE_SERVICES for group in item.iter_markers("xdist_group")):
            item.add_marker(pytest.mark.processes)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """An embedded Redis that all tests of a worker share."""
    server = EmbeddedRedis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis_url(redis_server: EmbeddedRedis) -> str:
    """The URL of an empty Redis."""
    with closing(Redis.from_url(redis_server.url)) as client:
        client.flushall()
    return redis_server.url


class LoopbackCluster:
    """Three Redis nodes without replicas on loopback ports, each with a third of the slots."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports: list[int] = []
        self._children: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """Its URL: two of its nodes suffice."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in self.ports[:2])

    def client(self, node: int) -> Redis:
        """Return a client of one node alone."""
        return Redis(port=self.ports[node], socket_timeout=5)

    def start(self) -> None:
        """Start the nodes, let them meet, and wait until each takes writes."""
        self.ports = free_ports(3)
        for port in self.ports:
            self._children.append(self._spawn(port))
        for node in range(3):
            wait_for(partial(self._answers, node))
            with closing(self.client(node)) as client:
                first, last = node * SLOTS // 3, (node + 1) * SLOTS // 3
                client.execute_command("CLUSTER", "ADDSLOTS", *range(first, last))
                if node:
                    client.execute_command("CLUSTER", "MEET", "127.0.0.1", self.ports[0])
        for node in range(3):
            wait_for(partial(self._is_whole, node))

    def _spawn(self, port: int) -> subprocess.Popen[bytes]:
        folder = self.folder / str(port)
        folder.mkdir()
        return subprocess.Popen(
            [
                *(find_server().path, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)),
                *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--save", ""),
                *("--cluster-require-full-coverage", "no"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def _answers(self, node: int) -> bool:
        with closing(self.client(node)) as client:
            try:
                return bool(client.ping())
            except RedisError:
                return False

    def _is_whole(self, node: int) -> bool:
        with closing(self.client(node)) as client:
            info = client.execute_command("CLUSTER", "INFO")
            return b"cluster_state:ok" in info and b"cluster_slots_ok:%d" % SLOTS in info

    def clear(self) -> None:
        """Forget all data."""
        for node in range(3):
            with closing(self.client(node)) as client:
                client.flushall()

    def stop(self) -> None:
        """End the nodes."""
        for child in self._children:
            child.kill()
            child.wait()


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackCluster]:
    """A real Redis Cluster of three nodes. Its tests belong to the xdist group `redis_cluster`: one is enough."""
    cluster = LoopbackCluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="session", name="free_ports")
def give_free_ports() -> Callable[[int], list[int]]:
    """Find free ports."""
    return free_ports


def free_ports(count: int) -> list[int]:
    """Return ports of loopback that nothing listens on now, nor on those beside them that a Cluster needs."""
    found: list[int] = []
    while len(found) < count:
        with socket.socket() as probe, socket.socket() as beside:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
            try:
                beside.bind(("127.0.0.1", port + BUS))
            except (OSError, OverflowError):
                continue
            found.append(port)
    return found


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until a condition holds, and fail if it does not in time."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.01)

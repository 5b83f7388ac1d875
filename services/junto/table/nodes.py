"""Which server has a key: one that never changes, the primary that Sentinels name, or a node of a Cluster."""

from __future__ import annotations

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import chain
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from junto.table.pipe import Reply
from junto.table.redis_url import Endpoint, RedisUrl, Topology
from junto.table.single_flight import SingleFlight
from junto.table.store_errors import StoreUnavailable

CONNECT_FAILURES = (RedisError, OSError, TimeoutError)
"""What opening a connection and asking where a key lives may raise."""


async def dial(url: RedisUrl, endpoint: Endpoint, timeout_s: float) -> AbstractConnection:
    """Connect to one server, password and database included.

    Raises:
        CONNECT_FAILURES: it cannot be reached, does not let us in, or takes too long.
    """
    connection = url.connection(endpoint, connect_timeout_s=timeout_s)
    try:
        async with asyncio.timeout(timeout_s):
            await connection.connect()  # type: ignore[no-untyped-call]
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return connection


class Nodes(ABC):
    """Knows which server has a slot. `locate` may ask around; what it learned is kept until `forget`."""

    @abstractmethod
    async def locate(self, slot: int) -> Endpoint:
        """Return the server that has a slot.

        Raises:
            CONNECT_FAILURES, StoreUnavailable: nobody knows now.
        """

    @abstractmethod
    def forget(self) -> None:
        """Ask again next time: what is known seems to be wrong."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close what asking around holds open."""


class OneNode(Nodes):
    """A server at a fixed address."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def locate(self, slot: int) -> Endpoint:  # noqa: ARG002
        """Return the server."""
        return self._endpoint

    def forget(self) -> None:
        """Keep the address: there is no other."""

    async def aclose(self) -> None:
        """Close nothing."""


class SentinelPrimary(Nodes):
    """The server that Sentinels name as the primary of their service."""

    def __init__(self, url: RedisUrl, timeout_s: float) -> None:
        options: dict[str, Any] = {
            **url.sentinel_login,
            "socket_timeout": timeout_s,
            "socket_connect_timeout": timeout_s,
            "retry": Retry(NoBackoff(), 0),
            "protocol": 2,
        }
        if url.tls:
            options |= {"ssl": True, **url.tls_options}
        self._service = url.service
        self._sentinel = Sentinel(  # type: ignore[no-untyped-call]
            [(one.host, one.port) for one in url.endpoints], sentinel_kwargs=options
        )
        self._known: Endpoint | None = None
        self._asking = SingleFlight[None, Endpoint]()

    async def locate(self, slot: int) -> Endpoint:  # noqa: ARG002
        """Return the primary."""
        return self._known or await self._asking.join(None, self._ask)

    async def look_again(self) -> Endpoint | None:
        """Ask the Sentinels again; None: none of them answers, and what is known stays known."""
        try:
            return await self._asking.join(None, self._ask)
        except CONNECT_FAILURES:
            return None

    async def _ask(self) -> Endpoint:
        host, port = await self._sentinel.discover_master(self._service)
        self._known = Endpoint(host, int(port))
        return self._known

    def forget(self) -> None:
        """Ask the Sentinels again."""
        self._known = None

    async def aclose(self) -> None:
        """Close the connections to the Sentinels."""
        await self._sentinel.aclose()


class ClusterNodes(Nodes):
    """The nodes of a Redis Cluster, as the first of them that answers describes it."""

    def __init__(self, url: RedisUrl, timeout_s: float) -> None:
        self._url = url
        self._timeout_s = timeout_s
        self._slots: dict[int, Endpoint] = {}
        self._known: tuple[Endpoint, ...] = ()
        self._asking = SingleFlight[None, None]()

    async def locate(self, slot: int) -> Endpoint:
        """Return the primary that has the slot."""
        if slot not in self._slots:
            await self._asking.join(None, self._ask)
        if slot not in self._slots:
            raise StoreUnavailable(f"no node of the Redis Cluster at {self._url} has slot {slot}")
        return self._slots[slot]

    def forget(self) -> None:
        """Ask for the slots again."""
        self._slots = {}

    async def aclose(self) -> None:
        """Close nothing: a node is asked over a connection of its own."""

    async def _ask(self) -> None:
        failures = []
        for endpoint in dict.fromkeys((*self._known, *self._url.endpoints)):
            try:
                ranges = await self._ranges(endpoint)
            except CONNECT_FAILURES as problem:
                failures.append(f"{endpoint}: {problem}")
                continue
            self._slots = dict(chain.from_iterable(_slots_of(one, endpoint) for one in ranges))
            self._known = tuple(dict.fromkeys(self._slots.values()))
            return
        raise StoreUnavailable(f"no node of the Redis Cluster at {self._url} answers ({'; '.join(failures)})")

    async def _ranges(self, endpoint: Endpoint) -> Reply:
        connection = await dial(self._url, endpoint, self._timeout_s)
        try:
            await connection.send_command("CLUSTER", "SLOTS")
            async with asyncio.timeout(self._timeout_s):
                return await connection.read_response(timeout=math.inf)
        finally:
            await connection.disconnect()


def _slots_of(one: Reply, asked: Endpoint) -> Iterable[tuple[int, Endpoint]]:
    """Read one range of CLUSTER SLOTS: first, last, [host, port, ...] of the primary, its replicas.

    A node that does not know its own address leaves it out: it is the one that was asked.
    """
    first, last, (host, port, *_) = one[:3]
    endpoint = Endpoint(host.decode() if host else asked.host, port)
    return ((slot, endpoint) for slot in range(first, last + 1))


def nodes_of(url: RedisUrl, timeout_s: float) -> Nodes:
    """Return what knows the servers behind a URL."""
    match url.topology:
        case Topology.SINGLE:
            return OneNode(url.endpoints[0])
        case Topology.SENTINEL:
            return SentinelPrimary(url, timeout_s)
        case Topology.CLUSTER:
            return ClusterNodes(url, timeout_s)

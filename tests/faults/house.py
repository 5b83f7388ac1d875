"""A house of card tables: a Redis, a Ray, two fronts and two stewards, all of them real and all of them mortal."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from junto.client import TransportName
from junto.pool import LocalRay
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.store import Store, open_store

from .processes import PATIENCE_S, Role

SHARDS = 8
INSTALLED = Path(__file__).parent / "installed"
"""Where the slow bot is installed, for fronts and workers alike."""

FRONT: Final = {
    # the players of these tests are many, quick, and all at one address
    "JUNTO_RATE_PER_PLAYER": "10000",
    "JUNTO_BURST_PER_PLAYER": "10000",
    "JUNTO_BURST_PER_ADDRESS": "10000",
    "JUNTO_SIGN_IN_BURST": "10000",
    # and nobody waits for half a minute until a client that is silent is cut off
    "JUNTO_WRITE_TIMEOUT_SECONDS": "2",
    "JUNTO_READ_TIMEOUT_SECONDS": "2",
    "JUNTO_LOG_SAMPLE": "0",
}
STEWARD: Final = {
    "JUNTO_WORKERS": "1",
    "JUNTO_LEASE_SECONDS": "1",
    "JUNTO_SWEEP_SECONDS": "0.5",
    # no rule of thumb stands in for a bot that is only held up
    "JUNTO_BOT_TIME_SECONDS": "60",
    "JUNTO_POOL_PATIENCE_SECONDS": "600",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a front is reached, and how."""

    transport: TransportName
    place: str


class Front(Role):
    """A front and its two addresses."""

    @property
    def addresses(self) -> tuple[Address, Address]:
        """Where it speaks gRPC, and where Connect."""
        grpc, http = self.settings["JUNTO_GRPC_PORT"], self.settings["JUNTO_HTTP_PORT"]
        return Address("grpc", f"127.0.0.1:{grpc}"), Address("connect", f"127.0.0.1:{http}")


def lasting_ports() -> Iterator[int]:
    """Yield free ports that stay free while a process is away.

    The system takes ports of outgoing connections from a range above these: a client that knocks again and again
    could be given the very port of the front that it knocks for.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        yield port


class House:
    """See the module. What a test killed is alive again after `mend`.

    Args:
        folder: where everything is.
    """

    def __init__(self, folder: Path) -> None:
        self.redis = EmbeddedRedis(folder / "redis")
        self.ray = LocalRay(cpus=2, env={"PYTHONPATH": str(INSTALLED)})
        self._folder = folder
        self._ports = lasting_ports()
        self.fronts: list[Front] = []
        self.stewards: list[Role] = []

    @property
    def roles(self) -> list[Role]:
        """All processes that are Junto's own."""
        return [*self.fronts, *self.stewards]

    def __enter__(self) -> Self:
        self.redis.start()
        ray = {"RAY_ADDRESS": self.ray.start(PATIENCE_S), **self.ray.driver_env}
        for name in ("front-a", "front-b"):
            self.fronts.append(
                Front(name, "serve", {**self._common(), **self._ports_of_front(), **FRONT}, self._folder)
            )
        for name in ("steward-a", "steward-b"):
            self.stewards.append(Role(name, "steward", {**self._common(), **ray, **STEWARD}, self._folder))
        return self

    def __exit__(self, *_: object) -> None:
        for role in self.roles:
            role.end()
        self.ray.close()
        self.redis.stop()

    async def mend(self) -> None:
        """Let everything run, without faults, and wait until it is ready."""
        await asyncio.to_thread(self.redis.start)
        if self.ray.address is None:
            await self.restart_ray()
        for role in self.roles:
            if not role.is_running:
                role.start()
        await asyncio.gather(*(role.until_ready() for role in self.roles))
        for role in self.roles:
            assert role.is_ready, f"{role.name} is not ready{role.tail()}"

    async def restart_ray(self) -> None:
        """Clear away what is left of a Ray that was killed, and start it where it was."""
        await asyncio.to_thread(self.ray.stop)
        await asyncio.to_thread(self.ray.start, PATIENCE_S)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """Open the tables behind everybody's back, to read their logs."""
        async with await open_connection(self.redis.url) as connection:
            yield await open_store(connection, Keyspace(SHARDS))

    def _common(self) -> dict[str, str]:
        return {
            "JUNTO_REDIS_URL": self.redis.url,
            "JUNTO_DATA_DIR": str(self._folder / "data"),
            "JUNTO_SHARDS": str(SHARDS),
            "JUNTO_METRICS_PORT": str(next(self._ports)),
            "PYTHONPATH": str(INSTALLED),
        }

    def _ports_of_front(self) -> dict[str, str]:
        return {name: str(next(self._ports)) for name in ("JUNTO_GRPC_PORT", "JUNTO_HTTP_PORT")}

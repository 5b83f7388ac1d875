"""The server of a load test: one that is started for it, or one that runs already, and what can be learned of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import psutil

from junto.cli.console import Failure, say
from junto.cli.machine import Machine
from junto.cli.wishes import BAD_WISH
from junto.client import NO_RETRIES, CallError, Client
from junto.load.fleet import Fleet
from junto.load.resources import Resources, Use, offspring, servers_at
from junto.load.scraping import NoMetrics, Scraped, scrape
from junto.table.settings import is_loopback
from junto.v1 import catalog_pb2

UNLIMITED: Final = {
    f"JUNTO_{name}": "1000000"
    for name in (
        "RATE_PER_PLAYER", "BURST_PER_PLAYER", "RATE_PER_ADDRESS", "BURST_PER_ADDRESS", "SIGN_IN_RATE", "SIGN_IN_BURST",
        "MAX_CALLS_PER_PLAYER", "MAX_STREAMS_PER_PLAYER", "MAX_CALLS", "MAX_STREAMS",
    )
}  # fmt: skip
"""What a server of our own is told, so that it is its speed that is measured and not its limits."""
OWN: Final = {**UNLIMITED, "JUNTO_MAX_TABLES_PER_PLAYER": "10000", "JUNTO_METRICS": "true", "JUNTO_METRICS_PORT": "0"}
ANSWER_WITHIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Target:
    """The server: where it is, where its metrics are, and which processes of this machine it has."""

    address: str
    metrics: Sequence[str]
    processes: Callable[[Sequence[int]], list[psutil.Process]]
    """Its processes now, without some that are known to be none of its."""

    async def scraped(self) -> Scraped | None:
        """Return the server's metrics; None if there are none, or it does not answer any more."""
        try:
            return await scrape(self.metrics) if self.metrics else None
        except NoMetrics as problem:
            say(f"The server's metrics are not to be had: {problem}")
            return None

    def look(self, fleet: Fleet) -> Resources | None:
        """Look at the server's processes; None if none is here."""
        found = self.processes(fleet.pids)
        return Resources(found) if found else None

    def used(self, since: Resources | None, fleet: Fleet) -> Use | None:
        """Return what the server's processes used since a look; None if none was here."""
        return None if since is None else since.used(self.processes(fleet.pids))


def own(machine: Machine) -> Target:
    """Return a server that was started for the test."""
    urls = [f"http://{address}/metrics" for address in (machine.metrics, machine.steward_metrics)]
    return Target(machine.grpc, urls, lambda but: offspring(os.getpid(), but))


async def running(address: str, metrics: Sequence[str], *, tls: bool) -> Target:
    """Return a server that runs already.

    Raises:
        Failure: no Junto is there, or its metrics are not.
    """
    await _greet(address, tls=tls)
    host, _, port = address.rpartition(":")
    is_here = is_loopback(host)
    try:
        await scrape(metrics)
    except NoMetrics as problem:
        raise Failure(f"--metrics: {problem}", BAD_WISH) from None
    return Target(address, metrics, lambda _: servers_at(int(port)) if is_here else [])


async def _greet(address: str, *, tls: bool) -> None:
    """Look whether a Junto is there.

    Raises:
        Failure: it is not.
    """
    async with Client(address, tls=tls, retries=NO_RETRIES) as client:
        try:
            await client.catalog.list_games(catalog_pb2.ListGamesRequest(), timeout_s=ANSWER_WITHIN_S)
        except CallError as error:
            raise Failure(f"--server: no Junto answers at {address}: {error}") from None

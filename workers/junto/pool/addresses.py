"""Where a cluster is, and whether it can be reached. Loads no Ray."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from junto.pool.errors import BadAddress

REACH_S: Final = 3.0
"""How long a cluster's address may take to accept a connection."""


class ClusterLost(Exception):
    """The Ray cluster does not answer, or not any more, or does not let us in."""


def check_address(address: str) -> str:
    """Return an address if it looks like one.

    Raises:
        BadAddress: it is not `host:port`.
    """
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        raise BadAddress(f"{address!r} is not the address of a Ray cluster, like 'ray-head:6379'")
    return address


async def reachable(address: str) -> bool:
    """Return whether something accepts connections at an address."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True

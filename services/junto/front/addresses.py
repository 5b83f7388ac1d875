"""Who is at the other end: IP addresses as the limits and the logs know them."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

UNKNOWN: Final = "unknown"


def grpc_address(peer: str) -> str:
    """Return the IP address in what grpc calls a peer: `ipv4:192.0.2.1:50000`, `ipv6:%5B::1%5D:50000`."""
    family, _, rest = peer.partition(":")
    match family:
        case "ipv4":
            return rest.partition(":")[0]
        case "ipv6":
            return unquote(rest).partition("]")[0].removeprefix("[").partition("%")[0]
        case "unix":
            return "127.0.0.1"
        case _:
            return UNKNOWN


class Proxies:
    """The proxies whose word is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = tuple(ipaddress.ip_network(text, strict=False) for text in networks)

    def client(self, peer: str, forwarded: str | None) -> str:
        """Return the client's address: the peer's, or what a trusted peer forwarded for.

        `forwarded` is the x-forwarded-for header. It is read from the right, past trusted proxies; what a
        client wrote into it stands to the left of that and is not believed.
        """
        if not forwarded or not self._networks or not self._trusts(peer):
            return peer
        for part in reversed(forwarded.split(",")):
            address = part.strip()
            if not self._trusts(address):
                return address if _is_address(address) else peer
        return peer

    def _trusts(self, text: str) -> bool:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def neighbourhood(address: str) -> str:
    """Return what counts as one caller: an IPv4 address, or the /64 that one IPv6 host can roam in."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))

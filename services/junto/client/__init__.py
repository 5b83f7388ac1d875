"""The asynchronous Python client, for gRPC, Connect and gRPC-Web alike."""

from __future__ import annotations

from junto.client.client import Client
from junto.client.errors import CallError, Violation
from junto.client.retries import NO_RETRIES, Retries
from junto.client.services import Catalog, Players, ServiceClient, Stream, Tables, Tournaments, Unary
from junto.client.transports import TransportName

__all__ = [
    "NO_RETRIES",
    "CallError",
    "Catalog",
    "Client",
    "Players",
    "Retries",
    "ServiceClient",
    "Stream",
    "Tables",
    "Tournaments",
    "TransportName",
    "Unary",
    "Violation",
]

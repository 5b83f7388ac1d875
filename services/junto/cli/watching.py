"""Watch a match until it is over, over as many streams as it takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import grpc

from junto.client import CallError, Client
from junto.v1 import tables_pb2
from junto.v1.tables_pb2 import WatchTableRequest, WatchTableResponse

PAUSE_S: Final = 0.2
PATIENCE_S: Final = 60.0
"""How long a table may stay out of reach before watching it is given up."""
_RESUMABLE: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNKNOWN)
_OVER: Final = frozenset({tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED})
"""A finished table stays for another match; this one is over."""
_FINAL: Final = frozenset(
    {
        tables_pb2.END_REASON_MATCH_OVER,
        tables_pb2.END_REASON_TABLE_REMOVED,
        tables_pb2.END_REASON_SUPERSEDED,
        tables_pb2.END_REASON_NOT_ALLOWED,
    }
)


async def follow(client: Client, table_id: str) -> AsyncGenerator[WatchTableResponse, None]:
    """Yield what `WatchTable` streams until the match is over, or the server says that nothing will follow.

    A stream that breaks is resumed after the last version that was seen, so that nothing is missed or told
    twice. Close the generator (`aclosing`) to stop watching.

    Raises:
        CallError: the server refuses, or was out of reach for too long.
    """
    seen: int | None = None
    unreachable_since: float | None = None
    clock = asyncio.get_running_loop().time
    while True:
        request = WatchTableRequest(table_id=table_id, after_version=seen)
        try:
            async with aclosing(client.tables.watch_table(request)) as stream:
                async for message in stream:
                    unreachable_since = None
                    seen = version_of(message, seen)
                    yield message
                    if is_last(message):
                        return
        except CallError as error:
            unreachable_since = unreachable_since or clock()
            if error.code not in _RESUMABLE or clock() - unreachable_since > PATIENCE_S:
                raise
        await asyncio.sleep(PAUSE_S)


def is_last(message: WatchTableResponse) -> bool:
    """Tell whether the match is over with a message, or will not be told any further."""
    match message.WhichOneof("kind"):
        case "full":
            return message.full.table.status in _OVER
        case "update":
            return message.update.table.status in _OVER
        case "end":
            return message.end.reason in _FINAL
        case _:
            return False


def version_of(message: WatchTableResponse, before: int | None) -> int | None:
    """Return the version up to which a watcher has seen everything after a message."""
    match message.WhichOneof("kind"):
        case "full":
            return message.full.table.version
        case "update":
            return message.update.version
        case _:
            return before

"""One stream of one client at a table, opened again where it broke."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from junto.client import CallError, Client
from junto.load.recording import Recorder
from junto.v1 import tables_pb2
from junto.v1.tables_pb2 import EndReason, WatchTableResponse

FOREVER_S: Final = 86_400.0
PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""How long to wait before a stream is opened again, for the first time, the second time ..."""
_FINAL: Final = frozenset(
    {
        tables_pb2.END_REASON_MATCH_OVER,
        tables_pb2.END_REASON_TABLE_REMOVED,
        tables_pb2.END_REASON_SUPERSEDED,
        tables_pb2.END_REASON_NOT_ALLOWED,
    }
)
_PREFIX: Final = "END_REASON_"

Heard = Callable[[WatchTableResponse, float], None]
"""Is told a message of a stream and when it came, in seconds."""


class Watch:
    """See the module. `opened` is set once the first message is there.

    Args:
        client: who watches.
        table_id: what.
        recorder: counts streams that end.
        heard: is told every full view and update.
    """

    def __init__(self, client: Client, table_id: str, recorder: Recorder, heard: Heard) -> None:
        self._client = client
        self._table_id = table_id
        self._recorder = recorder
        self._heard = heard
        self._version: int | None = None
        self._quiet = 0
        self.opened = asyncio.Event()

    async def run(self) -> None:
        """Watch until there is nothing more to see, or until cancelled."""
        while not await self._once():
            await asyncio.sleep(PAUSES_S[min(self._quiet, len(PAUSES_S) - 1)])
            self._quiet += 1
            self._recorder.count("reconnects")

    async def _once(self) -> bool:
        """Watch one stream to its end; tell whether it was the last."""
        request = tables_pb2.WatchTableRequest(table_id=self._table_id, after_version=self._version)
        self._recorder.called()
        try:
            async with aclosing(self._client.tables.watch_table(request, timeout_s=FOREVER_S)) as stream:
                async for message in stream:
                    at_s = self._recorder.clock()
                    self._quiet = 0
                    if message.WhichOneof("kind") == "end":
                        self._recorder.ended(EndReason.Name(message.end.reason).removeprefix(_PREFIX))
                        return message.end.reason in _FINAL
                    self._take(message, at_s)
        except CallError as error:
            self._recorder.error("WatchTable", error)
            self._recorder.ended(error.code.name)
            return error.code.name in {"NOT_FOUND", "PERMISSION_DENIED"}
        self._recorder.ended("CUT")
        return False

    def _take(self, message: WatchTableResponse, at_s: float) -> None:
        match message.WhichOneof("kind"):
            case "full":
                self._version = message.full.table.version
                self._heard(message, at_s)
            case "update":
                self._version = message.update.version
                self._heard(message, at_s)
        self.opened.set()

"""When which table needs the server next, as far as this process has heard.

The truth is each shard's `due` set; this is a memory of it, filled by notices and sweeps, so that the steward
wakes at the right moment without asking Redis all the time. What it forgets, the next sweep brings back. Notices can
be lost: what a sweep finds due counts also where an older notice said that the table needs nobody for long.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import Final, NamedTuple

from junto.table.seats import TableId

UNKNOWN: Final = 0
"""The version of a table of which it is only known that the store has it as due, or that one must come again."""


class Visit(NamedTuple):
    """A table that is due, at which version that was said, and the time."""

    table_id: TableId
    version: int
    due_ms: int


class Agenda:
    """Tables by the time at which they are due.

    Args:
        now_ms: the store's time.
    """

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._due: dict[TableId, tuple[int, int]] = {}  # id → version, ms
        self._heap: list[tuple[int, TableId]] = []
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._due)

    def note(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """Note when a table at this version is due; None: never. What was noted of an older version is dropped.

        At version `UNKNOWN` the table is due then, or earlier if a notice said so: the notice that says later may be
        an old one, whose successor was lost. But a table that is put off that way is not brought forward that way.
        """
        known = self._due.get(table_id)
        if known is not None and not _is_news(known, version, due_ms):
            return
        if due_ms is None:
            self._due.pop(table_id, None)
            return
        self._due[table_id] = (version, due_ms)
        heapq.heappush(self._heap, (due_ms, table_id))
        if self._heap[0][0] >= due_ms:
            self._changed.set()

    def forget(self, table_ids: Callable[[TableId], bool]) -> None:
        """Forget the tables of which this is true."""
        for table_id in [one for one in self._due if table_ids(one)]:
            del self._due[table_id]

    def take(self) -> list[Visit]:
        """Take the tables that are due now, the longest due first."""
        now_ms, taken = self._now_ms(), []
        while self._heap and self._heap[0][0] <= now_ms:
            due_ms, table_id = heapq.heappop(self._heap)
            version, known_ms = self._due.get(table_id, (UNKNOWN, None))
            if known_ms == due_ms:
                del self._due[table_id]
                taken.append(Visit(table_id, version, due_ms))
        return taken

    async def wait(self, longest_s: float) -> None:
        """Wait until a table is due, or may be earlier than was known, or for so long."""
        self._changed.clear()
        if self._heap:
            longest_s = min(longest_s, max(0.0, (self._heap[0][0] - self._now_ms()) / 1000))
        if longest_s > 0:
            try:
                async with asyncio.timeout(longest_s):
                    await self._changed.wait()
            except TimeoutError:
                return


def _is_news(known: tuple[int, int], version: int, due_ms: int | None) -> bool:
    known_version, known_ms = known
    if version == UNKNOWN:
        return known_version != UNKNOWN and due_ms is not None and due_ms < known_ms
    return version >= known_version and (version, due_ms) != known

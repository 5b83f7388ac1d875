"""When which table needs the server next, as far as this process has heard.

The truth is each shard's `due` set; this is a memory of it, filled by notices and sweeps, so that the steward
wakes at the right moment without asking Redis all the time. What it forgets, the next sweep brings back.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable

from junto.table.seats import TableId


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
        """Note when a table at this version is due; None: never. What was noted of an older version is dropped."""
        known = self._due.get(table_id)
        if known is not None and (known[0] > version or known == (version, due_ms)):
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

    def take(self) -> list[tuple[TableId, int]]:
        """Take the tables that are due now, with the time at which they were, the longest due first."""
        now_ms, taken = self._now_ms(), []
        while self._heap and self._heap[0][0] <= now_ms:
            due_ms, table_id = heapq.heappop(self._heap)
            if self._due.get(table_id, (0, -1))[1] == due_ms:
                del self._due[table_id]
                taken.append((table_id, due_ms))
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

"""The lines that a player types, without blocking what else goes on."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from typing import Final

CHUNK: Final = 4096


class Lines:
    """Standard input, line by line.

    A thread reads it: files, pipes and terminals alike can be read that way only. It reads the bare descriptor,
    because a thread that holds Python's own buffer of standard input keeps the process from ending.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="read lines", daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line; None: there will be none."""
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)
        return line

    def _read(self) -> None:
        for line in self._decoded():
            self._put(line)
        self._put(None)

    def _decoded(self) -> Iterator[str]:
        pending = b""
        while chunk := self._chunk():
            *whole, pending = (pending + chunk).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
        if pending:
            yield pending.decode(errors="replace")

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, CHUNK)
        except OSError:  # the terminal is gone
            return b""

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

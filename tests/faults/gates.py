"""Gates that the slow bot waits at (`installed/slow_bots.py`)."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .processes import eventually


class Gate:
    """A gate, closed at first. Its seed is what a bot's budget names it by."""

    def __init__(self) -> None:
        self.seed = random.SystemRandom().getrandbits(62)
        self._folder = Path(tempfile.gettempdir()) / f"junto-gate-{self.seed}"
        self._folder.mkdir()

    @property
    def waiting(self) -> set[int]:
        """The process ids of the workers that came to it."""
        return {int(file.name) for file in self._folder.iterdir() if file.name.isdecimal()}

    async def until_waiting(self, count: int) -> set[int]:
        """Wait until so many workers came, dead ones included, and return their process ids."""
        await eventually(lambda: len(self.waiting) >= count, f"worker number {count} comes to the gate")
        return self.waiting

    def open(self) -> None:
        """Let all go on, and whoever comes later."""
        (self._folder / "go").touch()

    def remove(self) -> None:
        """Open it for good."""
        shutil.rmtree(self._folder)


@contextmanager
def closed_gate() -> Iterator[Gate]:
    """Provide a gate."""
    gate = Gate()
    try:
        yield gate
    finally:
        gate.remove()

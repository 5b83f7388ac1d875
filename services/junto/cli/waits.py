"""Waits that are told: a moving line on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from junto.cli.console import Say, console, say

PATIENCE_S: Final = 1.0
"""How long a wait may last before it is told."""
REMINDER_S: Final = 10.0
"""How often a wait is told again where lines cannot be rewritten."""
REDRAW_S: Final = 0.1


@contextmanager
def waiting(what: str) -> Iterator[Say]:
    """Show that something is awaited, with the seconds so far, until the block ends.

    The block is given a function that changes what is shown. Nothing is shown for a wait of less than a second.
    """
    wait = _Wait(what)
    thread = threading.Thread(target=wait.tell, name="tell the wait", daemon=True)
    thread.start()
    try:
        yield wait.change
    finally:
        wait.done.set()
        thread.join()


class _Wait:
    """One wait. `tell` runs in a thread of its own, since what is awaited may keep the event loop busy."""

    def __init__(self, what: str) -> None:
        self.done = threading.Event()
        self._what = what
        self._began = time.monotonic()

    def change(self, what: str) -> None:
        self._what = what

    def tell(self) -> None:
        if self.done.wait(PATIENCE_S):
            return
        if console().is_terminal:
            self._move_a_line()
        else:
            self._print_lines()

    def _move_a_line(self) -> None:
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        with Progress(*columns, console=console(), transient=True) as progress:
            task = progress.add_task(self._what, total=None)
            while not self.done.wait(REDRAW_S):
                progress.update(task, description=self._what)

    def _print_lines(self) -> None:
        said, said_at = "", 0.0
        while not self.done.wait(REDRAW_S):
            now = time.monotonic()
            if self._what != said or now - said_at >= REMINDER_S:
                say(f"{self._what} ... {now - self._began:.0f} s")
                said, said_at = self._what, now

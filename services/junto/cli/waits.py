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
REMINDER_S: Final = 5.0
"""How often a wait is told again where lines cannot be rewritten."""


@contextmanager
def waiting(what: str) -> Iterator[Say]:
    """Show that something is awaited, with the seconds so far, until the block ends.

    The block is given a function that changes what is shown. Nothing is shown for a wait of less than a
    second. Where lines cannot be rewritten, a wait is told once, and again every five seconds.
    """
    with (_moving_line if console().is_terminal else _plain_lines)(what) as change:
        yield change


@contextmanager
def _moving_line(what: str) -> Iterator[Say]:
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console(), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda now: progress.update(task, description=now)


@contextmanager
def _plain_lines(what: str) -> Iterator[Say]:
    start = time.monotonic()
    done = threading.Event()
    shown = [what]

    def remind() -> None:
        if done.wait(PATIENCE_S):
            return
        say(f"{shown[0]} ...")
        while not done.wait(REMINDER_S):
            say(f"{shown[0]} ... {time.monotonic() - start:.0f} s")

    thread = threading.Thread(target=remind, daemon=True)
    thread.start()
    try:
        yield lambda now: shown.__setitem__(0, now)
    finally:
        done.set()
        thread.join()

"""What the commands share in speaking to people: plain lines, and failures in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

Say = Callable[[str], None]
"""Prints one line."""


class Failure(Exception):
    """A command cannot do what was asked; the message says why. `code` is the exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@cache
def console() -> Console:
    """Return the console on standard output: colours and rewritten lines on a terminal, plain lines elsewhere."""
    from rich.console import Console  # noqa: PLC0415  # a tenth of a second that `junto --help` need not spend

    return Console(highlight=False, emoji=False)


def say(line: str = "", style: str | None = None) -> None:
    """Print one line as it is; `style` is how it looks on a terminal."""
    console().print(line, style=style, markup=False, soft_wrap=True)

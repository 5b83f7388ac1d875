"""A strategy that would remember what another seat was told."""

from __future__ import annotations

import mmap
import random
from typing import Any

KEPT: list[Any] = []
SHARED = mmap.mmap(-1, 4096)


class Remembering:
    """Says what it remembers of other seats, and what it draws."""

    seats = 0

    def __init__(self) -> None:
        Remembering.seats += 1

    def decide(self, view: Any, budget: Any) -> str:
        found = [len(KEPT), SHARED[0], Remembering.seats - 1, getattr(random, "kept", 0)]
        KEPT.append(view)
        SHARED[0] = 1
        random.kept = 1  # type: ignore[attr-defined]
        raise RuntimeError(f"I remember {found} and draw {random.randrange(1_000_000)}")

"""A strategy that wants more than there is."""

from __future__ import annotations

from typing import Any

from ways import Ways


class Hungry(Ways):
    ways = ("hoarding", "calling_itself")

    def hoarding(self, view: Any) -> str:
        kept = []
        while True:
            kept.append(bytes(1 << 28))

    def calling_itself(self, view: Any) -> str:
        return self.calling_itself(view)

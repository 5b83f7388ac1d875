"""A strategy that does not answer in time."""

from __future__ import annotations

import time
from typing import Any

from ways import Ways


class Slow(Ways):
    ways = ("sleeping", "looping")

    def sleeping(self, view: Any) -> str:
        time.sleep(3600)
        return "pass"

    def looping(self, view: Any) -> str:
        """Never come to an end, and catch whatever is to stop it."""
        while True:
            try:
                while True:
                    pass
            except BaseException:  # noqa: BLE001  # that is what is bad about it
                continue

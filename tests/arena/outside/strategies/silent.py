"""A strategy that hangs up."""

from __future__ import annotations

import os
import time
from typing import Any

from ways import Ways

SOCKET = 3


class Silent(Ways):
    ways = ("closing",)

    def closing(self, view: Any) -> str:
        """Close the socket and stay."""
        os.close(SOCKET)
        time.sleep(3600)
        return "pass"

"""A strategy that raises, or ends its process."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Any

from ways import Ways

from junto.search.decisions import StrategyError


class Crashing(Ways):
    ways = (
        *("raising", "refusing", "exiting", "muttering", "interrupting"),
        *("vanishing", "killing", "reading_nowhere", "killing_its_parent"),
    )

    def raising(self, view: Any) -> str:
        raise ValueError("no idea what to play")

    def refusing(self, view: Any) -> str:
        raise StrategyError("I play only when it rains")

    def exiting(self, view: Any) -> str:
        sys.exit("enough")

    def muttering(self, view: Any) -> str:
        raise ValueError("no text: \ud800")

    def interrupting(self, view: Any) -> str:
        raise KeyboardInterrupt

    def vanishing(self, view: Any) -> str:
        os._exit(7)

    def killing(self, view: Any) -> str:
        os.killpg(0, signal.SIGKILL)
        return "pass"

    def reading_nowhere(self, view: Any) -> str:
        return ctypes.string_at(0).decode()

    def killing_its_parent(self, view: Any) -> str:
        os.kill(os.getppid(), signal.SIGKILL)
        return "pass"

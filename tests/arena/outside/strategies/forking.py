"""A strategy that wants to be many."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from typing import Any

from ways import Ways


class Forking(Ways):
    ways = ("forking", "running", "calling_out")

    def forking(self, view: Any) -> str:
        """Start processes that would outlive it, and say how many."""
        started = 0
        for _ in range(20):
            try:
                pid = os.fork()
            except OSError:
                continue
            if not pid:
                os.setsid()
                time.sleep(3600)
            started += 1
        raise RuntimeError(f"{started} started")

    def running(self, view: Any) -> str:
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        return "pass"

    def calling_out(self, view: Any) -> str:
        socket.create_connection(("127.0.0.1", 9), timeout=1.0)
        return "pass"

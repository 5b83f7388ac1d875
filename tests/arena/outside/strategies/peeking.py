"""A strategy that looks for whatever it must not know, wherever a program can look."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from junto.games.core import Deal
from junto.games.shuffle import DealSeed
from junto.games.view import Own

PLANTED = re.compile(rb"planted-[0-9a-f]{16}")
"""What the test has hidden where a worker has such things."""
MOST = 1 << 16
PTRACE_ATTACH = 16


class Peeking:
    """Says all that it has found."""

    def decide(self, view: Any, budget: Any) -> str:
        raise RuntimeError(f"I found {sorted({*finds(view), *reaches()})}")


def finds(view: Any) -> Iterator[str]:
    """Yield each thing that is found, by where it was."""
    for place, text in texts():
        if PLANTED.search(text):
            yield place
    for thing in things():
        if isinstance(thing, (Deal, DealSeed)):
            yield f"a {type(thing).__name__}"
        if isinstance(thing, Own) and thing != view.own:
            yield "what another seat knows"


def things() -> Iterator[object]:
    """Yield all objects there are: those of the garbage collector, what they hold, and what runs."""
    for thing in gc.get_objects():
        yield thing
        with suppress(Exception):
            yield from gc.get_referents(thing)
    frame = sys._getframe()
    while frame is not None:
        yield from frame.f_locals.values()
        frame = frame.f_back  # type: ignore[assignment]


def texts() -> Iterator[tuple[str, bytes]]:
    """Yield what is written anywhere: here, in modules, in files, and in other processes."""
    for thing in things():
        if isinstance(thing, (str, bytes)):
            yield "memory", thing.encode(errors="replace") if isinstance(thing, str) else thing
    yield "the environment", repr(os.environ).encode()
    yield "the command line", repr(sys.argv).encode()
    for number in range(3, 256):
        yield "an open file", read_open(number)
    for folder in (Path.cwd(), Path(os.environ.get("TMPDIR", "/tmp")), Path("/tmp"), Path.home()):
        for path in listed(folder):
            yield "a folder", str(path).encode()
            yield "a file", read(path)
    for process in {"self", str(os.getpid()), str(os.getppid()), *names(Path("/proc"))}:
        for file in ("environ", "cmdline", "maps", "status", "task/../environ"):
            yield f"another process's {file}", read(Path("/proc") / process / file)


def read_open(number: int) -> bytes:
    """Return what can be read of an open file."""
    try:
        return os.pread(number, MOST, 0)
    except OSError:
        return b""


def listed(folder: Path) -> list[Path]:
    """Return what is in a folder."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def names(folder: Path) -> list[str]:
    """Return the names of the processes there."""
    return [path.name for path in listed(folder) if path.name.isdigit()]


def read(path: Path) -> bytes:
    """Return what can be read of a file."""
    try:
        with path.open("rb") as file:
            return file.read(MOST)
    except OSError:
        return b""


def reaches() -> Iterator[str]:
    """Yield what can be done to the process that this one comes from."""
    parent, library = os.getppid(), ctypes.CDLL(None, use_errno=True)
    with suppress(OSError):
        os.kill(parent, signal.SIGCONT)
        yield "its parent's signals"
    if library.ptrace(PTRACE_ATTACH, parent, 0, 0) == 0:
        yield "its parent's memory"
    with suppress(OSError):
        os.close(os.open(f"/proc/{parent}/mem", os.O_RDONLY))
        yield "its parent's memory"
    if library.shmget(0x4A554E54, 4096, 0o1600) >= 0:
        yield "shared memory"

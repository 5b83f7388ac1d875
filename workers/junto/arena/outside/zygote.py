"""The process that loads a strategy once, and forks one more process for each seat that it decides in.

Started by `processes.Nursery`: `python -m junto.arena.outside.zygote FD SOURCE`. It never has gRPC, Ray or another
thread, so it can fork. It is told over a Unix socket, in JSON, what to do: `fork` (a socket for the seat comes with
it) or `end` a seat's process; when the socket is closed it ends them all, and itself.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from junto.arena.outside.limits import (
    LOADING_BYTES,
    MEMORY_BYTES,
    adopt_orphans,
    end_with_parent,
    limit_files,
    limit_memory,
)
from junto.arena.outside.loading import NotLoaded, Source, load, maker_of
from junto.arena.outside.seat import serve_seat
from junto.games import jit

LOADING_S: Final = 60
"""So long a strategy's module may take to load."""
MOST_ORDER: Final = 1 << 16
_SWEEPS: Final = 100


@dataclass(frozen=True, slots=True)
class Loaded:
    """A strategy that is loaded: where from, what makes one, and the games that it says it plays."""

    source: Source
    maker: Callable[[], Any]
    games: list[str] | None


def main(arguments: list[str]) -> int:
    """Load the strategy, say what came of it, and serve until nobody asks any more."""
    link = socket.socket(fileno=int(arguments[0]))
    adopt_orphans()
    try:
        loaded = _load(Source(**json.loads(arguments[1])))
    except NotLoaded as problem:
        _tell(link, {"unfit": str(problem)})
        return 1
    gc.collect()
    gc.freeze()  # so that looking for garbage does not copy what all seats share
    _tell(link, {"ready": True, "games": loaded.games})
    _serve(link, loaded)
    return 0


def _load(source: Source) -> Loaded:
    limit_memory(LOADING_BYTES)
    signal.alarm(LOADING_S)
    sys.path.insert(0, source.folder)
    target = load(source)
    jit.warmup(modules=[name for name in jit.modules_to_warm() if name in sys.modules])
    signal.alarm(0)
    games = getattr(target, "games", None)
    named = sorted(map(str, games)) if isinstance(games, (list, tuple, set, frozenset)) else None
    return Loaded(source, maker_of(target, source), named)


def _serve(link: socket.socket, loaded: Loaded) -> None:
    seats: set[int] = set()
    while True:
        words, descriptors, _, _ = socket.recv_fds(link, MOST_ORDER, 1)
        if not words:
            break
        order = json.loads(words)
        match order["do"]:
            case "fork":
                pid = _fork(descriptors[0], Path(order["folder"]), loaded)
                seats.add(pid)
                _tell(link, {"pid": pid})
            case "end":
                ours, status = _end(order["pid"], order["grace_s"])
                seats.discard(order["pid"])
                _sweep(seats)
                _tell(link, {"status": status, "ours": ours})
    for pid in seats:
        _end(pid, 0.0)
    _sweep(set())
    shutil.rmtree(Path.cwd(), ignore_errors=True)


def _fork(descriptor: int, folder: Path, loaded: Loaded) -> int:
    zygote = os.getpid()
    pid = os.fork()
    if not pid:
        _become_seat(zygote, descriptor, folder, loaded)
    os.close(descriptor)
    return pid


def _become_seat(zygote: int, descriptor: int, folder: Path, loaded: Loaded) -> NoReturn:
    code = 1
    try:
        os.setsid()
        end_with_parent(zygote)
        seat = _only(descriptor)
        os.chdir(folder)
        os.environ.update(HOME=str(folder), TMPDIR=str(folder))
        limit_memory(MEMORY_BYTES)
        limit_files()
        serve_seat(seat, loaded.maker, loaded.source)
        code = 0
    finally:
        os._exit(code)


def _only(descriptor: int) -> socket.socket:
    """Keep one descriptor, as number 3, and nothing on the standard ones."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    if descriptor != 3:
        os.dup2(descriptor, 3)
    os.closerange(4, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return socket.socket(fileno=3)


def _end(pid: int, grace_s: float) -> tuple[bool, int]:
    """End a seat's process and those of its session; return whether it was still there, and how it ended."""
    watched = os.pidfd_open(pid)
    ours = not select.select([watched], [], [], grace_s)[0]
    os.close(watched)
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    return ours, os.waitpid(pid, 0)[1]


def _sweep(seats: set[int]) -> None:
    """End whatever seats that are gone have started: it is ours now."""
    for _ in range(_SWEEPS):
        strays = set(_children()) - seats
        if not strays:
            return
        for pid in strays:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _children() -> Iterator[int]:
    """Yield the processes whose parent this one is."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    with suppress(OSError):
        yield from map(int, listed.read_text(encoding="ascii").split())


def _tell(link: socket.socket, words: dict[str, Any]) -> None:
    link.send(json.dumps(words).encode())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

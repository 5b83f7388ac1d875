"""The process that forks one more process for each seat that a strategy decides in.

Started by `nursery.Nursery`: `python -m junto.arena.outside.zygote FD SOURCE`. It never has gRPC, Ray or another
thread, so it can fork. It imports what is installed and the strategy needs, once; the strategy's own files it does
not run: they run in each seat, so nothing that they do reaches from one seat to another.

It is told over a Unix socket, in JSON, what to do: `preload` modules, `fork` (a socket for the seat comes with it) or
`end` a seat's process. When the socket is closed it ends them all, and itself.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from junto.arena.outside.fences import Fence
from junto.arena.outside.limits import (
    LOADING_BYTES,
    MEMORY_BYTES,
    adopt_orphans,
    end_with_parent,
    limit_files,
    limit_memory,
)
from junto.arena.outside.loading import Source
from junto.arena.outside.places import is_installed, listed, readable
from junto.arena.outside.seat import serve_seat
from junto.games import jit

MOST_ORDER: Final = 1 << 20
_SWEEPS: Final = 100


class Zygote:
    """Does what it is told over `link`, with the processes of a strategy's seats."""

    def __init__(self, link: socket.socket, source: Source) -> None:
        self._link = link
        self._source = source
        self._fence = Fence(readable(source), listed(source))
        self._seats: set[int] = set()

    def serve(self) -> None:
        """Serve until nobody asks any more; then end all that was started."""
        while True:
            words, descriptors, _, _ = socket.recv_fds(self._link, MOST_ORDER, 1)
            if not words:
                break
            order = json.loads(words)
            match order["do"]:
                case "preload":
                    told = self._preload(order["modules"])
                case "fork":
                    told = self._fork(descriptors[0], Path(order["folder"]), is_trial=order["trial"])
                case _:
                    told = self._end(order["pid"], order["grace_s"])
            self._link.send(json.dumps(told).encode())
        for pid in set(self._seats):
            self._end(pid, 0.0)
        shutil.rmtree(Path.cwd(), ignore_errors=True)

    def _preload(self, modules: Sequence[str]) -> dict[str, Any]:
        """Import what is installed of these modules, and load their kernels."""
        for name in modules:
            if is_installed(name, self._source):
                with suppress(Exception):  # if it fails here, it fails in the seat that wants it, which then tells
                    importlib.import_module(name)
        jit.warmup(modules=[name for name in jit.modules_to_warm() if name in sys.modules])
        gc.collect()
        gc.freeze()  # so that looking for garbage does not copy what all seats share
        return {"threads": len(list(Path("/proc/self/task").iterdir()))}

    def _fork(self, descriptor: int, folder: Path, *, is_trial: bool) -> dict[str, Any]:
        zygote = os.getpid()
        pid = os.fork()
        if not pid:
            self._become_seat(zygote, descriptor, folder, is_trial=is_trial)
        os.close(descriptor)
        self._seats.add(pid)
        return {"pid": pid}

    def _become_seat(self, zygote: int, descriptor: int, folder: Path, *, is_trial: bool) -> NoReturn:
        code = 1
        try:
            os.setsid()
            end_with_parent(zygote)
            os.chdir(folder)
            os.environ.update(HOME=str(folder), TMPDIR=str(folder))
            limit_memory(LOADING_BYTES if is_trial else MEMORY_BYTES)
            self._fence.shut_in()
            seat = _only(descriptor)
            limit_files()
            serve_seat(seat, self._source, with_report=is_trial)
            code = 0
        finally:
            os._exit(code)

    def _end(self, pid: int, grace_s: float) -> dict[str, Any]:
        """End a seat's process and whatever it started; tell whether it was still there, and how it ended."""
        watched = os.pidfd_open(pid)
        ours = not select.select([watched], [], [], grace_s)[0]
        os.close(watched)
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        self._seats.discard(pid)
        self._sweep()
        return {"status": status, "ours": ours}

    def _sweep(self) -> None:
        """End what seats that are gone have left behind, where no fence kept them from it: it is ours now."""
        for _ in range(_SWEEPS):
            strays = set(_children()) - self._seats
            if not strays:
                return
            for pid in strays:
                with suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)


def _only(descriptor: int) -> socket.socket:
    """Keep one descriptor, as number 3, and nothing on the standard ones."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    if descriptor != 3:
        os.dup2(descriptor, 3)
    os.closerange(4, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return socket.socket(fileno=3)


def _children() -> Iterator[int]:
    """Yield the processes whose parent this one is."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    with suppress(OSError):
        yield from map(int, listed.read_text(encoding="ascii").split())


def main(arguments: list[str]) -> int:
    """Serve the socket of that number."""
    adopt_orphans()
    link = socket.socket(fileno=int(arguments[0]))
    Zygote(link, Source(**json.loads(arguments[1]))).serve()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

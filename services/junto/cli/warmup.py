"""`junto warmup`: compile what would otherwise be compiled when it is first needed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from junto.cli.console import Say, say
from junto.cli.waits import waiting

_BESIDE: Final = ".climbing."
"""Where nothing is kept yet, a second process compiles the kernels of modules with this in their names: half of all."""


def warmup() -> None:
    """Compile the kernels, or find that they are compiled already."""
    start = time.monotonic()
    with waiting("loading the compiler") as change:
        folder, compiled = compile_kernels(change)
    done = f"compiled {compiled} kernels" if compiled else "the kernels are warm: there was nothing to compile"
    say(f"{done}, {time.monotonic() - start:.1f} s ({folder})")


def compile_kernels(change: Say) -> tuple[Path, int]:
    """Compile every kernel that is not kept yet; `change` is told which module is on.

    Returns:
        The folder under which they are kept, and how many were compiled now.
    """
    from junto.games import jit  # noqa: PLC0415  # it loads Numba, which takes a second: after the progress line began
    from junto.games.kept_kernels import cache_root  # noqa: PLC0415  # the same

    def progress(module: str, done: int, total: int) -> None:
        if done < total:
            change(f"loading kernels, or compiling them, part {done + 1} of {total}: {module.removeprefix('junto.')}")

    folder = cache_root()
    before = _kept(folder)
    names = jit.modules_to_warm()
    if before == 0 and (os.cpu_count() or 1) > 1:
        beside = [name for name in names if _BESIDE in name]
        with _compiling(beside) as other:
            jit.warmup(progress, modules=[name for name in names if name not in beside])
            change("loading kernels, or compiling them: those of the climbing games")
            other.wait()
    jit.warmup(progress, modules=names)
    return folder, _kept(folder) - before


@contextmanager
def _compiling(modules: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process compile the kernels of some modules; what it cannot, it leaves to us."""
    program = f"from junto.games import jit; jit.warmup(modules={modules!r})"
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-c", program], stdin=nowhere, stdout=nowhere, stderr=nowhere
    ) as other:
        try:
            yield other
        finally:
            other.terminate()


def _kept(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.nbc"))

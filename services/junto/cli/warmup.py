"""`junto warmup`: compile what would otherwise be compiled when it is first needed."""

from __future__ import annotations

import time
from pathlib import Path

from junto.cli.console import Say, say
from junto.cli.waits import waiting


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
    from junto.games import jit  # noqa: PLC0415  # it loads Numba, which takes seconds: after the progress line began

    def progress(module: str, done: int, total: int) -> None:
        if done < total:
            change(f"loading kernels, or compiling them, part {done + 1} of {total}: {module.removeprefix('junto.')}")

    folder = jit.cache_root()
    before = _kept(folder)
    jit.warmup(progress)
    return folder, _kept(folder) - before


def _kept(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.nbc"))

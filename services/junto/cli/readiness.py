"""How a role tells the supervisor that it is ready: a small file with its process id."""

from __future__ import annotations

import os
from pathlib import Path


def say_ready(path: Path | None) -> None:
    """Say that this process is ready; None: nobody wants to know."""
    if path is None:
        return
    scratch = path.with_suffix(f".{os.getpid()}")
    scratch.write_text(f"{os.getpid()}\n", encoding="utf-8")
    scratch.replace(path)


def said(path: Path, pid: int) -> bool:
    """Tell whether the process `pid` said that it is ready."""
    try:
        return path.read_text(encoding="utf-8").strip() == str(pid)
    except OSError:
        return False

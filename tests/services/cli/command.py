"""Run `junto` as a user does: as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

JUNTO = (sys.executable, "-m", "junto.cli.main")
ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "tests" / "vectors" / "napoleon_tw.json"


def environment(**extra: str) -> dict[str, str]:
    """Return an environment without settings of whoever runs the tests, but for where compiled kernels are."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUNTO_", "RAY_")) or name == "JUNTO_CACHE_DIR"
    }
    return {**kept, "COLUMNS": "110", **extra}


def junto(
    *arguments: str | Path, typed: str | None = None, within_s: float = 60, extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `typed` is its standard input."""
    return subprocess.run(
        [*JUNTO, *map(str, arguments)],
        input=typed,
        stdin=subprocess.DEVNULL if typed is None else None,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
        env=environment(**(extra or {})),
    )

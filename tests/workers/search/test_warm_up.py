"""A worker that has warmed up compiles nothing while somebody waits for its decision."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_nothing_is_compiled_after_the_warm_up() -> None:
    """A process that has warmed up plays a deal of every game with `pimc` and `greedy`: it has all that it needs."""
    command = [sys.executable, "-m", "tests.workers.search.compiled"]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == ""

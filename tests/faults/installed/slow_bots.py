"""A bot that thinks until it is told to stop, installed as any other: by its entry point.

The seed of its budget names a gate, a folder. While the folder is there and holds no `go`, the bot leaves a file with
its process id there and waits. Otherwise it decides at once, by the rule of thumb.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from junto.games.core import View
from junto.search.decisions import Budget, Decision
from junto.search.strategies import greedy_strategy

LOOK_S = 0.01


def gate(seed: int) -> Path:
    """Return the folder that a seed names."""
    return Path(tempfile.gettempdir()) / f"junto-gate-{seed}"


class SlowStrategy:
    """See the module."""

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide once the gate is open."""
        folder = gate(budget.seed or 0)
        if folder.exists() and not (folder / "go").exists():
            (folder / str(os.getpid())).touch()
            while folder.exists() and not (folder / "go").exists():
                time.sleep(LOOK_S)
        return greedy_strategy.decide(view, budget)


slow_strategy = SlowStrategy()

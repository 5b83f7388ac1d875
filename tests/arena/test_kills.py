"""A tournament that is killed at any moment, and resumed, ends with the tables of an unbroken one."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest

from junto.arena.statistics.standings_json import without_times

ASKED = ["--game", "whist", "--strategies", "random,greedy,random:name=third", "--deals", "12", "--seed", "3"]
WITHIN_S = 120.0


def junto(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "junto.cli.main", "tournament", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def kept(folder: Path) -> int:
    """Return how many sittings a folder holds."""
    try:
        with sqlite3.connect(f"file:{folder / 'journal.sqlite'}?mode=ro", uri=True) as database:
            return int(database.execute("SELECT count(*) FROM sittings").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def killed_after(process: subprocess.Popen[str], folder: Path, sittings: int) -> None:
    """Kill a run as soon as its folder holds so many sittings."""
    wait_for(process, lambda: kept(folder) >= sittings)
    process.kill()
    process.communicate()


def tables(folder: Path) -> tuple[Any, Any]:
    """Return what a finished run has come to, but for what a clock measured."""
    deals = pq.read_table(folder / "deals.parquet")
    timed = [name for name in deals.column_names if name.endswith(("_us", "_s"))]
    standings = without_times(json.loads((folder / "standings.json").read_text()))
    return standings, deals.drop_columns(timed).to_pylist()


def finish(*arguments: str) -> str:
    process = junto(*arguments)
    said, _ = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 0, said
    return said


def test_kills_at_any_moment_change_nothing(tmp_path: Path) -> None:
    """SIGKILL again and again, then resumed: the same standings, the same deals, each of them once."""
    finish("run", *ASKED, "--workers", "0", "--out", str(tmp_path / "whole"))
    draw, broken, had = random.Random(5), tmp_path / "broken", 0
    for _ in range(2):
        had += draw.randint(1, 12)
        killed_after(junto("run", *ASKED, "--workers", "0", "--out", str(broken)), broken, had)

    finish("resume", str(broken), "--workers", "0")

    assert tables(broken) == tables(tmp_path / "whole")
    assert kept(broken) == kept(tmp_path / "whole") == 36


@pytest.mark.processes
def test_ray_makes_no_difference_nor_do_deaths_and_interruptions(tmp_path: Path) -> None:
    """Two Ray workers, one of which is killed, then Ctrl-C in the middle: the tables of one process alone."""
    asked = [*ASKED[:-4], "--deals", "60", "--seed", "3"]
    finish("run", *asked, "--workers", "0", "--out", str(tmp_path / "whole"))
    folder = tmp_path / "by-ray"
    process = junto("run", *asked, "--workers", "2", "--out", str(folder))
    wait_for(process, lambda: kept(folder) >= 1)
    next(worker for worker in workers_of(process) if worker.is_running()).kill()
    wait_for(process, lambda: kept(folder) >= 40)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=WITHIN_S)
    assert process.returncode in {0, 130}, said  # it may have been done by then

    finish("resume", str(folder), "--workers", "2")

    assert tables(folder) == tables(tmp_path / "whole")


def wait_for(process: subprocess.Popen[str], come: Callable[[], bool]) -> None:
    """Wait until something has come, or the run is over."""
    ends = time.monotonic() + WITHIN_S
    while not come() and process.poll() is None:
        assert time.monotonic() < ends, "it does not get on"
        time.sleep(0.01)


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return the processes that play for a run."""
    found = []
    for one in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            found += [one] if "ArenaWorker" in " ".join(one.cmdline()) else []
    return found

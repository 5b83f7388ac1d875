"""Kill a tournament at random moments, resume it, and compare its tables with those of an unbroken run.

    python bench/arena_kills.py [--kills 10] [--deals 60] [--strategies greedy,pimc:iterations=20,random] [--within 900]

Both are `junto tournament run` on two Ray workers. A kill is a SIGKILL, up to a second after the folder holds so many
sittings as was drawn: each run is killed in the middle, however long it takes to start. Prints one JSON object; exit
code 1 if a table differs, 2 if a run fails or does not end within its time, with the last that it said.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from _numbers import time_s, whole_number
from junto.arena.statistics.standings_json import without_times

LATER_S: Final = 1.0
"""A kill comes up to so long after what it waits for: about as long as a batch takes."""
LOOK_S: Final = 0.05
LAST_LINES: Final = 20
DAY_S: Final = 86_400.0


class RunFailed(Exception):
    """A run failed, or did not come on; the message says so, with the last that it said."""


class Run:
    """`junto tournament run` into a folder, with everything that it starts.

    Args:
        asked: what is played.
        folder: where the results go.
        within_s: how long it may take, from its start.
    """

    def __init__(self, asked: Sequence[str], folder: Path, within_s: float) -> None:
        self.folder = folder
        self._log = folder.with_suffix(".log")
        self._within_s = within_s
        self._ends_s = time.monotonic() + within_s
        command = [sys.executable, "-m", "junto.cli.main", "tournament", "run", *asked, "--out", str(folder)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def finish(self) -> None:
        """Wait until it has ended.

        Raises:
            RunFailed: it failed, or did not end in time.
        """
        self._wait(lambda: False)
        if self._process.returncode:
            raise RunFailed(self._told(f"ended with exit code {self._process.returncode}"))

    def kill_at(self, sittings: int, later_s: float) -> bool:
        """Kill it a while after it has kept so many sittings; return whether it had not ended before that.

        Raises:
            RunFailed: it failed before, or does not come so far in time.
        """
        self._wait(lambda: kept(self.folder) >= sittings)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(later_s)
        if self._process.poll():
            raise RunFailed(self._told(f"ended with exit code {self._process.returncode}"))
        ours = self._process.returncode is None
        self.kill()
        return ours

    def kill(self) -> None:
        """Kill it, if it has not ended."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _wait(self, come: Callable[[], bool]) -> None:
        while self._process.poll() is None and not come():
            if time.monotonic() > self._ends_s:
                self.kill()
                raise RunFailed(self._told(f"did not get there within {self._within_s:g} s"))
            time.sleep(LOOK_S)

    def _told(self, what: str) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        return "\n  | ".join([f"the run of {kept(self.folder)} sittings {what}; it said last:", *lines])


@contextmanager
def begun(asked: Sequence[str], folder: Path, within_s: float) -> Iterator[Run]:
    """Provide a run; it is killed in the end, if it has not ended."""
    run = Run(asked, folder, within_s)
    try:
        yield run
    finally:
        run.kill()


def main() -> int:
    """Measure and print."""
    options = _options()
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = measure(options, Path(folder))
    except RunFailed as problem:
        print(f"arena_kills: {problem}", file=sys.stderr)
        return 2
    print(json.dumps(found))
    return 0 if found["same_tables"] else 1


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Play a tournament unbroken, then another with kills, and tell what came of it.

    Raises:
        RunFailed: see there.
    """
    asked = ["--game", options.game, "--strategies", options.strategies, "--deals", str(options.deals)]
    asked += ["--seed", "7", "--workers", "2"]
    unbroken, broken = folder / "unbroken", folder / "broken"
    with begun(asked, unbroken, options.within) as run:
        run.finish()
    draw, kills = random.Random(options.seed), 0
    for sittings in sorted(draw.randint(1, kept(unbroken)) for _ in range(options.kills)):
        with begun(asked, broken, options.within) as run:
            kills += run.kill_at(sittings, draw.uniform(0.0, LATER_S))
    with begun(asked, broken, options.within) as run:
        run.finish()
    return {
        "bench": "arena_kills",
        "kills": kills,
        "sittings": kept(broken),
        "sittings_unbroken": kept(unbroken),
        "same_tables": _tables(unbroken) == _tables(broken),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=whole_number(1, 1000), default=10)
    parser.add_argument("--deals", type=whole_number(1, 100_000), default=60)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--strategies", default="greedy,pimc:iterations=20,random")
    parser.add_argument("--seed", type=whole_number(0, 1 << 63), default=1, help="of the moments of the kills")
    parser.add_argument("--within", type=time_s(DAY_S), default=900.0, help="seconds that one run may take")
    return parser.parse_args()


def kept(folder: Path) -> int:
    """Return how many sittings a folder holds."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'journal.sqlite'}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM sittings").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _tables(folder: Path) -> tuple[Any, Any]:
    deals = pq.read_table(folder / "deals.parquet")
    timed = [name for name in deals.column_names if name.startswith("time_")]
    standings = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    return without_times(standings), deals.drop_columns(timed).to_pylist()


if __name__ == "__main__":
    sys.exit(main())

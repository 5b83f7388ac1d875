"""Kill a tournament at random moments, resume it, and compare its tables with those of an unbroken run.

    python bench/arena_kills.py [--kills 10] [--deals 60] [--strategies greedy,pimc:iterations=20,random]

Both runs are `junto tournament run` on two Ray workers; kills are SIGKILL, at moments drawn uniformly from the time
that the unbroken run takes from its first sitting to its last. Prints one JSON object; exit code 1 if a table differs.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from junto.arena.statistics.standings_json import without_times


def main() -> int:
    """Measure and print."""
    options = _options()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, broken = Path(folder) / "whole", Path(folder) / "broken"
        process, began = _run(options, whole), time.monotonic()
        while not _kept(whole) and process.poll() is None:
            time.sleep(0.05)
        first = time.monotonic()
        process.wait()
        lasted = time.monotonic() - first
        kills = 0
        for _ in range(options.kills):
            process = _run(options, broken)
            time.sleep(first - began + draw.uniform(0.0, lasted / options.kills))
            kills += process.poll() is None
            process.kill()
            process.wait()
        _run(options, broken).wait()
        same = _tables(whole) == _tables(broken)
        found = {
            "bench": "arena_kills",
            "kills": kills,
            "sittings": _kept(broken),
            "sittings_unbroken": _kept(whole),
            "same_tables": same,
        }
    print(json.dumps(found))
    return 0 if same else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--strategies", default="greedy,pimc:iterations=20,random")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _run(options: argparse.Namespace, folder: Path) -> subprocess.Popen[bytes]:
    asked = ["--game", options.game, "--strategies", options.strategies, "--deals", str(options.deals)]
    command = [sys.executable, "-m", "junto.cli.main", "tournament", "run", *asked, "--seed", "7", "--workers", "2"]
    return subprocess.Popen([*command, "--out", str(folder)], stdout=subprocess.DEVNULL)


def _kept(folder: Path) -> int:
    try:
        with sqlite3.connect(f"file:{folder / 'journal.sqlite'}?mode=ro", uri=True) as database:
            return int(database.execute("SELECT count(*) FROM sittings").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _tables(folder: Path) -> tuple[Any, Any]:
    deals = pq.read_table(folder / "deals.parquet")
    timed = [name for name in deals.column_names if name.endswith(("_us", "_s"))]
    standings = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
    return without_times(standings), deals.drop_columns(timed).to_pylist()


if __name__ == "__main__":
    sys.exit(main())

"""How soon a worker can decide, and what it costs to compile everything.

    python bench/start.py [--repeat 5]        # warm: all kernels are kept
    python bench/start.py --cold [--kernels]  # nothing is kept: an empty folder of its own

Warm: processes of their own go from their start to a first decision; `value` is the least wall time until all kernels
are loaded (a worker is ready then), by parts, in seconds of wall time and of CPU time. Byte code is kept, as pip and
Python do. Cold: `junto warmup` in two processes; `value` is its wall time. `--kernels` compiles everything in one
process and prints the dearest ten, without what they call, and the kernels that are compiled for several types.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from _numbers import whole_number
from junto.games import jit
from junto.games.kept_kernels import cache_root

LOADS = """
import time
began = time.perf_counter()
def note(part):
    global before
    now = time.perf_counter(), time.process_time()
    parts[part] = [round(now[0] - before[0], 3), round(now[1] - before[1], 3)]
    before = now
parts, before = {}, (began, 0.0)
import numba
note("numba")
from junto.pool.decide import decide, warm_up
note("imports")
warm_up()
note("kernels")
ready = time.time()
from _positions import requests
from junto.v1.strategies_pb2 import Budget
request, = requests("napoleon-tw", Budget(iterations=1), 1)
note("request")
decide("pimc", request, 60.0)
note("first decision")
import json
print(json.dumps({"ready": ready, "parts": parts}))
"""


def main() -> None:
    """Measure, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=whole_number(1, 10_000), default=5)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--kernels", action="store_true", help="with --cold: one process, kernel by kernel")
    options = parser.parse_args()
    if not options.cold:
        print(json.dumps(warm(options.repeat)))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JUNTO_CACHE_DIR"] = folder
        print(json.dumps(kernels() if options.kernels else cold()))


def warm(repeat: int) -> dict[str, object]:
    """Return how soon a worker is ready, at best."""
    jit.warmup()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = []
    for _ in range(repeat + 1):
        started = time.time()
        command = [sys.executable, "-c", LOADS]
        told = subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment, cwd=Path(__file__).parent
        )
        run = json.loads(told.stdout)
        runs.append((run["ready"] - started, run["parts"]))
    runs = runs[1:]  # the first one wrote the byte code
    ready = ("numba", "imports", "kernels")
    cpu = min(sum(parts[part][1] for part in ready) for _, parts in runs)
    least = {part: [min(parts[part][kind] for _, parts in runs) for kind in (0, 1)] for part in runs[0][1]}
    return {
        "bench": "start",
        "case": "warm",
        "value": round(min(wall for wall, _ in runs), 3),
        "unit": "s until ready",
        "cpu_s": round(cpu, 3),
        "parts_wall_cpu_s": least,
        "load": round(os.getloadavg()[0], 2),
    }


def cold() -> dict[str, object]:
    """Return what `junto warmup` costs where nothing is kept."""
    from junto.cli.warmup import compile_kernels  # noqa: PLC0415  # after the folder is chosen

    began, cpu = time.perf_counter(), _cpu_s()
    _, compiled = compile_kernels(lambda _: None)
    return {
        "bench": "start",
        "case": "cold",
        "value": round(time.perf_counter() - began, 1),
        "unit": "s until all is compiled",
        "cpu_s": round(_cpu_s() - cpu, 1),
        "kernels": compiled,
        "several_types": several_types(),
        "load": round(os.getloadavg()[0], 2),
    }


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def kernels() -> dict[str, object]:
    """Return what each kernel costs to compile, without those that it calls."""
    from numba.core import event  # noqa: PLC0415

    costs: Counter[str] = Counter()
    open_now: list[list[float]] = []

    class Clock(event.Listener):
        """Take the time of each compilation, less that of those inside it."""

        def on_start(self, _: event.Event) -> None:
            open_now.append([time.thread_time(), 0.0])

        def on_end(self, ended: event.Event) -> None:
            began, inside = open_now.pop()
            whole = time.thread_time() - began
            function = ended.data["dispatcher"].py_func
            costs[f"{function.__module__.removeprefix('junto.')}.{function.__qualname__}"] += whole - inside
            if open_now:
                open_now[-1][1] += whole

    with event.install_listener("numba:compile", Clock()):
        jit.warmup()
    return {
        "bench": "start",
        "case": "kernels",
        "value": round(sum(costs.values()), 1),
        "unit": "CPU s to compile",
        "dearest": {name: round(cost, 2) for name, cost in costs.most_common(10)},
        "several_types": several_types(),
    }


def several_types() -> dict[str, list[str]]:
    """Return the types of arguments of all kernels that are kept in more than one version."""
    versions: dict[str, list[str]] = defaultdict(list)
    for index in cache_root().rglob("*.nbi"):
        with index.open("rb") as file:
            pickle.load(file)
            _, kept = pickle.loads(file.read())
        versions[f"{index.parent.name.rpartition('-')[0]}.{index.stem}"] += [str(key[0]) for key in kept]
    return {name: types for name, types in sorted(versions.items()) if len(types) > 1}


if __name__ == "__main__":
    main()

"""Where the time of a decision goes, and how much memory a worker needs.

    python bench/profile_decisions.py [--game ID] [--ms 50] [--decisions 40]

One JSON object for each game: the shares of its decisions' time, by samples of the deciding thread's stack (a kernel
counts for the line that calls it), and the peak memory of a process that decides in this game alone. The last object
is of all games, one after the other in one process; its `value` is the peak memory.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import resource
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable
from types import FrameType

from _numbers import whole_number
from _positions import requests
from junto.games.catalog import GAMES
from junto.pool.decide import decide, warm_up
from junto.wire.decisions import Limits, write_budget

EVERY_S = 0.0005
PLENTY_S = 60.0
READING, WRITING, KNOWLEDGE, WORLDS = "reading bytes", "writing bytes", "knowledge", "worlds and weights"
PLAYOUTS, SOLVING, RULES, RACING = "playouts", "solving", "rules of thumb, candidates", "racing"
REST = "rest"
FILES = {
    READING: {"requests", "reading"},
    KNOWLEDGE: {"knowledge", "position", "history", "disclosed", "holding"},
    WORLDS: {
        "inference",
        "mixed_worlds",
        "pool",
        "strata",
        "graph",
        "layout",
        "outline",
        "sets",
        "ranks",
        "counted",
        "pile",
    },
    SOLVING: {"double_dummy", "endings", "solving"},
    RACING: {"racing"},
    RULES: {"candidates", "policy", "openings", "groups", "proposals", "natural", "seats"},
}
"""What a file of the search or the wire is for."""
PART_OF = {file: part for part, files in FILES.items() for file in files}
FUNCTIONS = {"trial": PLAYOUTS, "_message": WRITING}
"""Functions that say more than their files do."""
Found = Counter[str]


def main() -> None:
    """Profile, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game; all if none is named")
    parser.add_argument("--ms", type=whole_number(1, 60_000), default=50, help="the budget")
    parser.add_argument("--decisions", type=whole_number(1, 10_000_000), default=40)
    options = parser.parse_args()
    games = options.game or list(GAMES)
    for chosen in (*([game] for game in games), games):
        spawning = multiprocessing.get_context("spawn")
        answers = spawning.SimpleQueue()
        worker = spawning.Process(target=work, args=(answers, chosen, options.ms, options.decisions))
        worker.start()
        found, peak_mb = answers.get()
        worker.join()
        print(json.dumps(figure(chosen, options.ms, found, peak_mb)), flush=True)
        if len(games) == 1:
            return


def work(answers: multiprocessing.SimpleQueue[tuple[Found, int]], games: Iterable[str], ms: int, wanted: int) -> None:
    """Decide in these games; answer with the samples and the peak memory, MB."""
    warm_up()
    gc.freeze()
    sys.setswitchinterval(EVERY_S / 4)
    found: Found = Counter()
    for game in games:
        for request in requests(game, write_budget(Limits(time_ms=ms)), wanted):
            ended = threading.Event()
            sampler = threading.Thread(target=sample, args=(threading.get_ident(), ended, found))
            sampler.start()
            decide("pimc", request, PLENTY_S)
            ended.set()
            sampler.join()
    answers.put((found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024))


def sample(thread: int, ended: threading.Event, found: Found) -> None:
    """Look every half a millisecond at what a thread does; each look counts for the time since the one before."""
    before = time.perf_counter()
    while not ended.wait(EVERY_S):
        frame = sys._current_frames().get(thread)  # noqa: SLF001  # public in all but name
        now = time.perf_counter()
        found[part_of(frame)] += round(1e6 * (now - before))
        before = now


def part_of(frame: FrameType | None) -> str:
    """Return what a stack is at: its innermost frame that says so."""
    while frame is not None:
        code = frame.f_code
        if (part := FUNCTIONS.get(code.co_name)) is not None and "/junto/" in code.co_filename:
            return part
        file = code.co_filename.rpartition("/")[2].removesuffix(".py")
        if (part := PART_OF.get(file)) is not None and "/junto/" in code.co_filename:
            return part
        frame = frame.f_back
    return REST


def figure(games: list[str], ms: int, found: Found, peak_mb: int) -> dict[str, object]:
    """Return the figures of one process."""
    whole = sum(found.values())
    shares = {part: round(found[part] / whole, 4) for part in (*FILES, PLAYOUTS, WRITING, REST)}
    return {
        "bench": "profile_decisions",
        "game": games[0] if len(games) == 1 else f"all {len(games)}",
        "case": f"{ms} ms",
        "value": peak_mb,
        "unit": "MB at most",
        "shares": shares,
    }


if __name__ == "__main__":
    main()

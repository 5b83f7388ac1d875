"""What it costs to ask a strategy in a process of its own, beside the same strategy in the worker itself.

    python -m bench.outside --game napoleon-tw --sittings 40

The rules of thumb play whole deals, in all seats: in this process, and as a strategy in a file. Told are the CPU time
of all processes, and the time on the clock for a decision and for a seat's process (fork, load, end). CPU time is taken
from two runs of different length, so that what begins once does not count. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench._numbers import whole_number

from junto.arena.deciding import Entry
from junto.arena.entrants import Entrant
from junto.arena.entries import open_entry
from junto.games import jit
from junto.games.catalog import open_game
from junto.games.core import Game
from junto.games.shuffle import DealSeed
from junto.search.decisions import Budget

THUMB: Final = """
from junto.strategy import greedy

class Thumb:
    def decide(self, view, budget):
        return greedy(view)
"""


@dataclass(slots=True)
class Costs:
    """What some sittings took; seconds on the clock by decision, and of CPU in all."""

    decisions: list[float] = field(default_factory=list)
    seats: list[float] = field(default_factory=list)
    cpu_s: float = 0.0


def main() -> int:
    """Play, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--sittings", type=whole_number(1, 10_000_000), default=40)
    options = parser.parse_args()
    game = open_game(options.game)
    jit.warmup()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "thumb.py"
        path.write_text(THUMB, encoding="utf-8")
        own, outside = Entrant("own", "greedy"), Entrant("outside", f"{path}:Thumb", patience_s=60.0)
        few, many = (costs(outside, game, sittings) for sittings in (1, 1 + options.sittings))
        inside_few, inside = (costs(own, game, sittings) for sittings in (1, 1 + options.sittings))
    print(json.dumps(figure(options, (inside_few, inside), (few, many))))
    return 0


def costs(entrant: Entrant, game: Game, sittings: int) -> Costs:
    """Play some sittings, and return what they took with the beginning and the end."""
    found, before = Costs(), cpu_s()
    with closing(open_entry(entrant, game)) as entry:
        for number in range(sittings):
            play(entry, game, number, found)
    found.cpu_s = cpu_s() - before
    return found


def play(entry: Entry, game: Game, number: int, found: Costs) -> None:
    """Play a deal; the strategy has every seat."""
    deal = game.deal(game.new_match().opened(), DealSeed(number.to_bytes(32, "big"), (b"",) * game.seats)).deal
    began = time.perf_counter()
    chairs = [entry.sit() for _ in range(game.seats)]
    sat = time.perf_counter() - began
    step = 0
    while not deal.is_over:
        assert deal.to_act is not None
        view = deal.view(deal.to_act)
        began = time.perf_counter()
        decision = chairs[view.seat].decide(view, Budget(iterations=1, seed=step))
        found.decisions.append(time.perf_counter() - began)
        deal, step = deal.apply(decision.action).deal, step + 1
    began = time.perf_counter()
    for chair in chairs:
        chair.leave()
    found.seats.append((sat + time.perf_counter() - began) / game.seats)


def cpu_s() -> float:
    """Return the CPU time of this process and of those that have ended, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def figure(options: argparse.Namespace, inside: tuple[Costs, Costs], outside: tuple[Costs, Costs]) -> dict[str, object]:
    """Return the figures."""
    return {
        "bench": "outside",
        "game": options.game,
        "sittings": options.sittings,
        "decisions_a_sitting": round(len(outside[1].decisions) / (options.sittings + 1), 1),
        **{
            name: {
                "decision_ms_median": round(1e3 * statistics.median(many.decisions), 3),
                "decision_ms_p99": round(1e3 * statistics.quantiles(many.decisions, n=100)[98], 3),
                "seat_ms_median": round(1e3 * statistics.median(many.seats), 3),
                "cpu_ms_a_sitting": round(1e3 * (many.cpu_s - few.cpu_s) / options.sittings, 2),
            }
            for name, (few, many) in (("in_the_worker", inside), ("in_processes", outside))
        },
    }


if __name__ == "__main__":
    raise SystemExit(main())

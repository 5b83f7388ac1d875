"""What the arena costs beside a bare loop: deals per second of `greedy`, in one process and on one and two Ray workers.

    python bench/arena.py [--game napoleon-tw] [--deals 300] [--rounds 3] [--workers 1,2]

Each round plays the same deals in a bare loop, then by Ray with a journal and a tally, as `junto tournament run` does.
`efficiency` is the speed of the workers' run divided by the bare loop's speed times the workers: by the clock, from the
first batch that is given out, and medians over the rounds. Prints one JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from _numbers import whole_number
from junto.arena.connecting import connected
from junto.arena.crew import Desk
from junto.arena.entrants import parse_entrant
from junto.arena.journal import opened
from junto.arena.plan import Plan
from junto.arena.running import Progress, run
from junto.arena.spec import Spec
from junto.arena.versions import versions_of


def main() -> None:
    """Measure and print."""
    options = _options()
    counts = [int(count) for count in options.workers.split(",")]
    bare: list[float] = []
    by_workers: dict[int, list[float]] = {count: [] for count in counts}
    with connected(None, max(counts)):
        for number in range(options.rounds):
            plan = Plan(_spec(options, number))
            bare.append(_bare(plan))
            for count in counts:
                by_workers[count].append(_by_ray(plan, count))
    alone = statistics.median(bare)
    print(json.dumps({"bench": "arena", "game": options.game, "loop": "bare", "sittings_per_s": round(alone, 2)}))
    for count, speeds in by_workers.items():
        speed = statistics.median(speeds)
        ratios = [ours / (count * its) for ours, its in zip(speeds, bare, strict=True)]
        print(
            json.dumps(
                {
                    "bench": "arena",
                    "game": options.game,
                    "loop": "ray",
                    "workers": count,
                    "sittings_per_s": round(speed, 2),
                    "efficiency": round(statistics.median(ratios), 3),
                    "rounds": [round(ratio, 3) for ratio in ratios],
                }
            ),
            flush=True,
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--strategies", default="greedy,greedy:name=other")
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=300)
    parser.add_argument("--rounds", type=whole_number(1, 10_000), default=3)
    parser.add_argument("--workers", default="1,2")
    return parser.parse_args()


def _spec(options: argparse.Namespace, number: int) -> Spec:
    entrants = tuple(parse_entrant(text, "strategies") for text in options.strategies.split(","))
    return Spec(options.game, entrants, options.deals, seed=number)


def _bare(plan: Plan) -> float:
    with closing(Desk(plan)) as desk:
        desk.play(plan.of_deal(0))  # kernels are loaded by then
        began = time.perf_counter()
        for deal in range(plan.spec.deals):
            desk.play(plan.of_deal(deal))
        return plan.sittings / (time.perf_counter() - began)


def _by_ray(plan: Plan, workers: int) -> float:
    from junto.arena.ray_crew import RayCrew  # noqa: PLC0415  # see `junto.arena.connecting`

    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder) / "results", plan.spec, versions_of(plan.spec)) as journal,
        closing(RayCrew(plan, workers)) as crew,
    ):
        while crew.workers < workers:
            crew.take(1.0)
        began = time.perf_counter()
        run(plan, journal, crew, told=_ignore, should_stop=lambda: False)
        return plan.sittings / (time.perf_counter() - began)


def _ignore(_: Progress) -> None:
    """Nobody watches."""


if __name__ == "__main__":
    main()

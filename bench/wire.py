"""How long messages take: a whole update for five seats and a spectator, a bot's request, a view read back.

    python bench/wire.py [DEALS]

Plays deals of Taiwanese Napoleon with the actions that a clock would take, the first bidder bidding, and
makes of every move what a front makes of it. Each deal is played several times, as new objects, and the
fastest time of each move counts, so that other work on the machine matters less. Prints one JSON object a
line: medians over moves, in microseconds; `update_late` is over the last two tricks alone.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from _numbers import whole_number
from junto.games.actions import Action, Bid, Play
from junto.games.catalog import open_game
from junto.games.core import Deal, Step
from junto.games.events import Seen
from junto.games.shuffle import DealSeed
from junto.v1 import events_pb2, tables_pb2
from junto.v1.strategies_pb2 import Budget, DecideRequest
from junto.wire import updates
from junto.wire.actions import read_action, write_action
from junto.wire.promises import Promise
from junto.wire.requests import read_request, request_bytes
from junto.wire.updates import Due, Known, Scene, Turn, Update, told
from junto.wire.views import shared_bytes

SEATS = 5
VIEWERS = (*range(SEATS), None)
DECISION = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"
NOW_MS = 1_796_000_000_000
LATE = 9
REPEATS = 8


def steps(number: int) -> Iterator[Step]:
    """Yield the steps of a deal, from the first decision on."""
    game = open_game("napoleon-tw")
    match = replace(game.new_match(), deals_opened=1)
    seed = DealSeed(number.to_bytes(32, "big"), (b"",) * SEATS)
    step = game.deal(match, seed)
    yield step
    while not step.deal.is_over:
        first = step.deal.shared.contract is None and not step.deal.shared.calls
        step = step.deal.apply(Bid(12) if first else step.deal.default_action())
        yield step


def update_of(deal: Deal, due: Due, events: tuple[Seen, ...], promise: Promise) -> Update:
    """Return the update of a move as a front makes it."""
    version = due.version
    turn = Turn(NOW_MS + 20_000, NOW_MS + 30_000)
    scene = Scene(tables_pb2.Table, Known(deal.shared, deal.owns, promise), due, turn)
    return Update(scene, version - 1, version, NOW_MS, told(events, events_pb2.ACTOR_PLAYER, promise))


def microseconds(work: Callable[[], object]) -> float:
    """Return how long one run takes."""
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e6


def deliver(update: Callable[[], Update]) -> int:
    """Make an update and what each viewer's stream gets of it; return the bytes."""
    made = update()
    return sum(len(updates.watch_update(made.for_viewer(viewer))) for viewer in VIEWERS)


def measure(number: int) -> Iterator[dict[str, float]]:
    """Play a deal and yield, for every move, how long each thing takes."""
    promise = Promise(DealSeed(number.to_bytes(32, "big"), ()).commitment)
    for version, step in enumerate(steps(number), start=8):
        deal = step.deal
        prompt = deal.prompt
        if prompt is None:
            return
        due = Due(prompt, version, NOW_MS + 30_000, deal.default_action())
        view = deal.view(prompt.seat)
        asked = partial(request_bytes, view, DECISION, Budget(iterations=100), version=version)
        update = microseconds(partial(deliver, partial(update_of, deal, due, step.events, promise)))
        taken = {"update": update}
        if deal.shared.tricks is not None and len(deal.shared.tricks.tricks) >= LATE:
            taken["update_late"] = update
        taken["request"] = microseconds(asked)
        taken["read_request"] = microseconds(partial(read_request, DecideRequest.FromString(asked())))
        taken["shared"] = microseconds(partial(shared_bytes, deal.shared, promise))
        yield taken


def fastest(deals: int) -> dict[str, float]:
    """Return the median over the moves of some deals of each move's fastest time."""
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(deals):
        for runs in zip(*(measure(number) for _ in range(REPEATS)), strict=True):
            for name in runs[0]:
                times[name].append(min(run[name] for run in runs))
    return {name: statistics.median(taken) for name, taken in times.items()}


def action_times() -> dict[str, float]:
    """Return how long an action takes to write and to read."""
    action: Action = Play(33, None, (12,))
    message = write_action(action)
    runs = range(2000)
    return {
        "write_action": statistics.median(microseconds(partial(write_action, action)) for _ in runs),
        "read_action": statistics.median(microseconds(partial(read_action, message)) for _ in runs),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", nargs="?", type=whole_number(1, 10_000), default=12)
    options = parser.parse_args()
    gc.disable()
    for name, value in (fastest(options.deals) | action_times()).items():
        print(json.dumps({"bench": f"wire_{name}", "game": "napoleon-tw", "value": round(value, 1), "unit": "us"}))


if __name__ == "__main__":
    main()

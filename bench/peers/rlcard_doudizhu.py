"""Dou Dizhu against RLCard's rule bot: how many deals our strategies win against `doudizhu-rule-v1`.

    python -m bench.peers.rlcard_doudizhu --iterations 100 --deals 200 --jobs 2 --out results > results/rlcard.jsonl

The table and the rules are ours. RLCard's bot sits at it through `RuleBot` (`examples/rlcard_doudizhu_rule`), which
shows it the deal as RLCard would, the answers that it may choose from made by RLCard itself. What it chooses and our
rules do not allow is counted (`peer_refused`), and our rules of thumb play instead. Who is landlord: seat 0 of a random
deal, as in RLCard 1.2.0 (where a choice by the strength of hands is commented out); or with `--landlord auction`
whoever bids most by our rules of thumb.

Every case plays the same deals. Each deal is kept at once in a file of the folder `--out` (`bench.strength.store`), and
what is there already is not played again. Prints a JSON object a case. Needs the package rlcard (dependency group
`peers`); without it the exit code is 2.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from bench._numbers import time_s, whole_number
from bench.strength.errors import MeasurementError
from bench.strength.store import Record, Spec, opened

from junto.arena.code import CODE

try:
    from examples.rlcard_doudizhu_rule.rule_bot import RuleBot
except ImportError:
    print("the package rlcard is not installed: uv pip install --group peers", file=sys.stderr)
    sys.exit(2)

from junto.games.actions import Bid
from junto.games.climbing.deal import ClimbingDeal
from junto.games.dou_dizhu import HAND, HIGHEST_BID, DouDizhu
from junto.search.climbing.openings import deals_to_play
from junto.search.climbing.strategy import warm_up
from junto.search.decisions import Budget, Strategy
from junto.search.strategies import greedy_strategy, pimc_strategy

SEATS: Final = 3
STRATEGIES: Final = ("pimc", "greedy", "rule")
CASES: Final = (("pimc", "rule"), ("rule", "pimc"), ("greedy", "rule"), ("rule", "greedy"), ("rule", "rule"))
"""Who is landlord, and who are the two peasants."""
MOST: Final = 10_000_000
_GAME: Final = DouDizhu()


def deal_of(number: int, landlord: str) -> ClimbingDeal:
    """Return a deal at its first lead."""
    if landlord == "auction":
        return deals_to_play(_GAME, 1, 1_000 * number)[0]
    pack = [int(card) for card in np.random.default_rng(number).permutation(np.array(_GAME.pack))]
    hands = [pack[seat * HAND : (seat + 1) * HAND] for seat in range(SEATS)]
    deal = _GAME.deal_hands(1, hands, pack[SEATS * HAND :], 0).deal.apply(Bid(HIGHEST_BID)).deal
    assert isinstance(deal, ClimbingDeal)
    return deal


def play(case: tuple[str, str], number: int, landlord: str, budget: Budget) -> dict[str, Any]:
    """Play a deal and return its line."""
    bot = RuleBot()
    players: dict[str, Strategy] = {"pimc": pimc_strategy, "greedy": greedy_strategy, "rule": bot}
    deal, step = deal_of(number, landlord), 0
    declarer, seconds = deal.seat, []
    while not deal.is_over:
        seat = deal.seat
        name = case[seat != declarer]
        seeded = Budget(budget.time_s, budget.iterations, (number << 12) + step)
        began = time.perf_counter()
        action = players[name].decide(deal.view(seat), seeded).action
        if name == "pimc":
            seconds.append(time.perf_counter() - began)
        deal, step = deal.apply(action).deal, step + 1  # type: ignore[assignment]
    assert deal.scores is not None
    points = deal.scores[declarer] // 2
    return {
        "deal": number, "code": CODE, "won": points > 0, "points": points / HIGHEST_BID,
        "decisions": bot.decisions, "refused": bot.refused, "seconds": [round(second, 4) for second in seconds],
    }  # fmt: skip


def wilson(won: int, deals: int) -> list[float]:
    """Return Wilson's 95 % interval of a share."""
    if deals == 0:
        return [0.0, 1.0]
    z, share = 1.96, won / deals
    middle, half = share + z * z / (2 * deals), z * math.sqrt(share * (1 - share) / deals + z * z / (4 * deals * deals))
    return [round((middle - half) / (1 + z * z / deals), 4), round((middle + half) / (1 + z * z / deals), 4)]


def figure(case: tuple[str, str], lines: list[Record], options: argparse.Namespace) -> dict[str, object]:
    """Return what a case comes to: of the side that is not the rule bot, or the landlord's."""
    ours = "peasants" if case[0] == "rule" != case[1] else "landlord"
    won = sum(line["won"] == (ours == "landlord") for line in lines)
    seconds = [second for line in lines for second in line["seconds"]]
    times = statistics.quantiles(seconds, n=100) if len(seconds) > 1 else []
    decisions = sum(line["decisions"] for line in lines)
    return {
        "bench": "peers/rlcard_doudizhu",
        "game": "dou-dizhu",
        "case": f"{case[0]} as landlord, {case[1]} as peasants",
        "value": round(won / len(lines), 4),
        "unit": f"share of deals won by the {ours}",
        "interval_95": wilson(won, len(lines)),
        "points_a_deal_at_bid_1": round(
            statistics.fmean(line["points"] for line in lines) * (1 if ours == "landlord" else -1), 3
        ),
        "deals": len(lines),
        "codes": len({line["code"] for line in lines}),
        "budget": f"{options.seconds} s" if options.seconds else f"{options.iterations} worlds",
        "landlord_by": options.landlord,
        "decision_ms_median_p99": [round(1e3 * times[place], 2) for place in (49, 98)] if times else None,
        "peer": f"rlcard {version('rlcard')} doudizhu-rule-v1",
        "peer_refused": sum(line["refused"] for line in lines) / decisions if decisions else None,
    }


def case_of(text: str) -> tuple[str, str]:
    """Return who is landlord and who are peasants, as on the command line."""
    landlord, _, peasants = text.partition(":")
    return landlord, peasants


def spec_of(case: tuple[str, str], options: argparse.Namespace) -> Spec:
    """Return what a case's results are kept under."""
    budget = f"seconds={options.seconds:g}" if options.seconds else f"iterations={options.iterations}"
    landlord, peasants = (f"pimc:{budget}" if name == "pimc" else name for name in case)
    kind, peer = f"rlcard-{options.landlord}", f"rlcard {version('rlcard')}"
    return Spec(kind, "dou-dizhu", f"landlord-{landlord}", f"peasants-{peasants}", {"peer": peer})


def main() -> int:
    """Read the arguments, play what is not played yet, print one JSON object a case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = whole_number(1, MOST)
    parser.add_argument("--seconds", type=time_s(60.0), help="time for a decision of ours")
    parser.add_argument("--iterations", type=number, help="worlds for a decision of ours")
    parser.add_argument("--deals", type=number, default=200)
    parser.add_argument("--first", type=whole_number(0, MOST), default=0, help="number of the first deal")
    parser.add_argument("--landlord", choices=("random", "auction"), default="random")
    parser.add_argument("--case", action="append", help="LANDLORD:PEASANTS; all five if none is named")
    parser.add_argument("--jobs", type=whole_number(1, 1_000), default=1)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results, to go on from")
    options = parser.parse_args()
    if options.seconds is None and options.iterations is None:
        options.seconds = 0.1
    elif options.seconds is not None and options.iterations is not None:
        parser.error("say either --seconds or --iterations")
    cases: list[tuple[str, str]] = [case_of(text) for text in options.case or ()] or list(CASES)
    if not {name for case in cases for name in case} <= set(STRATEGIES):
        parser.error(f"a case is LANDLORD:PEASANTS, each one of {', '.join(STRATEGIES)}")
    try:
        found = played(cases, options)
    except MeasurementError as error:
        print(f"rlcard_doudizhu: {error}", file=sys.stderr)
        return 2
    for case, lines in found.items():
        print(json.dumps(figure(case, lines, options)), flush=True)
    return 0


def played(cases: list[tuple[str, str]], options: argparse.Namespace) -> dict[tuple[str, str], list[Record]]:
    """Play what is not played yet, and return the lines of all deals by case.

    Raises:
        MeasurementError: the results cannot be kept there.
    """
    numbers = range(options.first, options.first + options.deals)
    budget = Budget(options.seconds, options.iterations)
    with ExitStack() as stack:
        kept = {case: stack.enter_context(opened(options.out, spec_of(case, options))) for case in dict.fromkeys(cases)}
        pool = stack.enter_context(ProcessPoolExecutor(options.jobs, initializer=warm_up))
        waiting = {
            pool.submit(play, case, number, options.landlord, budget): case
            for number in numbers
            for case, results in kept.items()
            if number not in results.by_deal
        }
        for done in as_completed(waiting):
            kept[waiting[done]].add(done.result())
        return {case: [results.by_deal[number] for number in numbers] for case, results in kept.items()}


if __name__ == "__main__":
    raise SystemExit(main())

"""Who plays better: one candidate seat among baseline seats, in every seat of each deal, paired and clustered.

Each deal is played once with the baseline strategy in all seats, and once for every seat with the candidate in
that seat alone, from the same cards. A deal's gain is the mean over the seats of what the candidate scored more
than the baseline did in that very seat; deals are the clusters. A deal that all pass is dealt again, as at the table.
The run stops when the gain is decided: further than `--decided` standard errors from zero, looked at after each
`--look` deals (several looks at three standard errors keep the error below one in a hundred), or at `--deals`.

With `--beliefs` it also scores what the candidate believes about who holds the called card: the mean log loss of
the true holder per decision in the play, against a uniform guess among the other seats, by trick.

    python bench/strength.py --candidate pimc --baseline greedy --iterations 200
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from junto.games.catalog import open_game
from junto.games.core import Deal, Game
from junto.games.shuffle import DealSeed
from junto.games.view import Outcome, Phase
from junto.search.decisions import Budget, Decision, Strategy
from junto.search.strategies import find_strategy

FLOOR: Final = 1e-3
"""A chance below this counts as this: one surprise must not outweigh everything."""


@dataclass(slots=True)
class Losses:
    """Log losses of beliefs and of the uniform guess, by trick (from 1)."""

    believed: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    uniform: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    def note(self, deal: Deal, decision: Decision) -> None:
        """Score a decision's belief in the holder of the first called card that nobody has shown yet."""
        seat = deal.to_act
        assert seat is not None
        hidden = [known.card for known in deal.shared.called if known.holder is None]
        tricks = deal.shared.tricks
        if deal.phase is not Phase.PLAY or not hidden or tricks is None or hidden[0] in deal.owns[seat].hand:
            return
        holder = next((own.seat for own in deal.owns if hidden[0] in own.hand), None)
        places = decision.cards.get(hidden[0])
        if holder is None or places is None:
            return
        chance = sum(value for place, value in places.items() if place.seat == holder)
        trick = max(1, len(tricks.tricks) + (1 if not tricks.tricks or tricks.tricks[-1].winner is not None else 0))
        self.believed[trick].append(-math.log(max(chance, FLOOR)))
        self.uniform[trick].append(math.log(deal.game.seats - 1))


@dataclass(slots=True)
class Clock:
    """Decision times of the candidate, seconds."""

    seconds: list[float] = field(default_factory=list)


def play(
    game: Game,
    number: int,
    strategies: list[Strategy],
    budgets: list[Budget],
    candidate: int,
    watch: tuple[Losses, Clock],
) -> tuple[int, ...]:
    """Play deal `number` to a score, dealing again while all pass; return the scores by seat."""
    match = game.new_match()
    for attempt in range(100):
        secret = np.random.default_rng((number, attempt)).bytes(32)
        match = replace(match, deals_opened=match.deals_opened + 1)
        deal = game.deal(match, DealSeed(secret, (b"",) * game.seats)).deal
        step = 0
        while not deal.is_over:
            seat = deal.to_act
            assert seat is not None
            budget = budgets[seat]
            seeded = Budget(budget.time_s, budget.iterations, hash((number, attempt, step, seat)) & 0x7FFFFFFF)
            started = time.perf_counter()
            decision = strategies[seat].decide(deal.view(seat), seeded)
            if seat == candidate:
                watch[1].seconds.append(time.perf_counter() - started)
                watch[0].note(deal, decision)
            deal = deal.apply(decision.action).deal
            step += 1
        assert deal.shared.result is not None
        if deal.shared.result.outcome is not Outcome.VOID:
            assert deal.scores is not None
            return deal.scores
        match = game.after(match, deal)
    raise AssertionError("everybody passed a hundred times")


def main() -> None:
    """Read the arguments, play, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--candidate", default="pimc")
    parser.add_argument("--baseline", default="greedy")
    parser.add_argument("--seconds", type=float, default=None, help="the candidate's time for a decision")
    parser.add_argument("--iterations", type=int, default=None, help="the candidate's worlds for a decision")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--look", type=int, default=20)
    parser.add_argument("--decided", type=float, default=3.0)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--beliefs", action="store_true")
    options = parser.parse_args()
    if options.seconds is None and options.iterations is None:
        options.seconds = 0.02
    print(json.dumps(measure(options)), flush=True)


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Play until it is decided and return the figure."""
    game = open_game(options.game)
    candidate, baseline = find_strategy(options.candidate), find_strategy(options.baseline)
    thinking, quick = Budget(options.seconds, options.iterations), Budget(iterations=1)
    gains: list[float] = []
    losses, clock, nowhere = Losses(), Clock(), (Losses(), Clock())
    for number in range(options.first, options.first + options.deals):
        alone = play(game, number, [baseline] * game.seats, [quick] * game.seats, -1, nowhere)
        shares = []
        for seat in range(game.seats):
            strategies, budgets = [baseline] * game.seats, [quick] * game.seats
            strategies[seat], budgets[seat] = candidate, thinking
            scores = play(game, number, strategies, budgets, seat, (losses, clock))
            shares.append(scores[seat] - alone[seat])
        gains.append(statistics.fmean(shares))
        if len(gains) % options.look == 0 and abs(statistics.fmean(gains)) > options.decided * error(gains):
            break
    mean, half = statistics.fmean(gains), 1.96 * error(gains)
    figure: dict[str, object] = {
        "bench": "strength",
        "game": options.game,
        "case": f"{options.candidate} among {options.baseline}",
        "value": round(mean, 2),
        "unit": "points a deal gained",
        "interval_95": [round(mean - half, 2), round(mean + half, 2)],
        "deals": len(gains),
        "budget": f"{options.seconds} s" if options.seconds else f"{options.iterations} worlds",
        "decision_ms_median": round(statistics.median(clock.seconds) * 1e3, 2),
        "decision_ms_p99": round(statistics.quantiles(clock.seconds, n=100)[98] * 1e3, 2),
    }
    return figure | (beliefs(losses) if options.beliefs else {})


def error(gains: list[float]) -> float:
    """Return the standard error of the mean gain, deals being the clusters."""
    return statistics.stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.inf


def beliefs(losses: Losses) -> dict[str, object]:
    """Return the mean log losses, in all and by trick."""
    believed = [loss for of_trick in losses.believed.values() for loss in of_trick]
    uniform = [loss for of_trick in losses.uniform.values() for loss in of_trick]
    if not believed:
        return {}
    return {
        "belief_log_loss": round(statistics.fmean(believed), 4),
        "uniform_log_loss": round(statistics.fmean(uniform), 4),
        "belief_decisions": len(believed),
        "belief_log_loss_by_trick": {
            str(trick): round(statistics.fmean(of_trick), 3) for trick, of_trick in sorted(losses.believed.items())
        },
    }


if __name__ == "__main__":
    main()

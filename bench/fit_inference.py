"""Fit what evidence costs a world (`junto.search.tricks.habits`), and say how much likelier it makes the true one.

Deals are played by searching seats and seats that go by the rules of thumb, mixed at random. At decisions in the play
the evidence is counted in the true world and in worlds drawn uniformly; the costs make the true world as likely as
can be among the others (a conditional logit; the true-state sampling ratio of Solinas et al., 2019), on the first
deals, and are judged on the last ones.

    python bench/fit_inference.py --game napoleon-tw --deals 200
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from _numbers import whole_number
from junto.games.cards import mask_of
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.shuffle import DealSeed
from junto.games.view import Phase
from junto.search.decisions import Budget, Strategy
from junto.search.strategies import greedy_strategy, pimc_strategy
from junto.search.tricks.habits import costs_of
from junto.search.tricks.inference import Pool, evidence_of
from junto.search.tricks.knowledge import knowledge_of
from junto.search.tricks.weighing import EVIDENCE

Floats = npt.NDArray[np.float64]
WORLDS: Final = 96
SHARE: Final = 0.35
"""Of all decisions in the play so many are looked at."""
RIDGE: Final = 0.002
DEAREST: Final = 3.5
"""No action makes a world less likely than by exp of this: a floor of 0.03."""


def main() -> None:
    """Read the arguments, play, fit, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=200)
    parser.add_argument("--iterations", type=whole_number(1, 10_000_000), default=32)
    options = parser.parse_args()
    print(json.dumps(measure(options)), flush=True)


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Play, fit on three quarters of the deals, and judge on the rest."""
    rows = list(evidence(options.game, options.deals, options.iterations))
    limit = options.deals * 3 // 4
    train = np.array([counts for number, _, counts, _ in rows if number < limit])
    test = np.array([counts for number, _, counts, _ in rows if number >= limit])
    tricks = [trick for number, trick, _, _ in rows if number >= limit]
    used = rows[0][3]
    fitted = fit(train)
    by_trick: dict[int, list[float]] = defaultdict(list)
    for trick, gain in zip(tricks, ratios(test, fitted), strict=True):
        by_trick[trick].append(float(gain))
    return {
        "bench": "fit_inference",
        "game": options.game,
        "decisions": len(rows),
        "costs": [round(100 * cost) for cost in fitted],
        "true_state_log_ratio": round(float(ratios(test, fitted).mean()), 3),
        "in_use": round(float(ratios(test, used / 100).mean()), 3),
        "by_trick": {trick: round(float(np.mean(gains)), 2) for trick, gains in sorted(by_trick.items())},
    }


def evidence(game_id: str, deals: int, iterations: int) -> Iterator[tuple[int, int, Floats, Floats]]:
    """Yield deal, trick, the evidence in the true world and the others (1 + `WORLDS`, kinds), and the costs in use."""
    for number in range(deals):
        rng = Random(number)
        for deal in decisions(game_id, number, iterations, rng):
            if deal.phase is not Phase.PLAY or rng.random() > SHARE:
                continue
            assert deal.to_act is not None
            known = knowledge_of(deal.view(deal.to_act))
            pool = Pool(known, known.worlds(), rng.getrandbits(60), infers=False)
            rows = pool.rows(0, WORLDS)
            matrix = np.concatenate((true_world(deal).reshape(1, -1), pool.matrix[rows]))
            counts = evidence_of(known, pool.position, matrix).astype(np.float64)
            yield number, len(known.tricks), counts, costs_of(known).astype(np.float64)


def true_world(deal: Deal) -> npt.NDArray[np.int64]:
    """Return the hands by place, and last the cards put back that were not shown."""
    place_of = {hand.seat: place for place, hand in enumerate(deal.shared.hands)}
    row = np.zeros(len(place_of) + 1, np.int64)
    for own in deal.owns:
        row[place_of[own.seat]] = mask_of(own.hand)
        row[-1] |= mask_of(own.put_back) & ~mask_of(deal.shared.put_back)
    return row


def decisions(game_id: str, number: int, iterations: int, rng: Random) -> Iterator[Deal]:
    """Play a deal, and yield it at each decision."""
    game = open_game(game_id)
    match = replace(game.new_match(), deals_opened=1)
    deal = game.deal(match, DealSeed(np.random.default_rng((977, number)).bytes(32), (b"",) * game.seats)).deal
    seats: list[Strategy] = [rng.choice((greedy_strategy, pimc_strategy)) for _ in range(game.seats)]
    while (seat := deal.to_act) is not None:
        yield deal
        budget = Budget(iterations=iterations, seed=rng.getrandbits(60))
        deal = deal.apply(seats[seat].decide(deal.view(seat), budget).action).deal


def ratios(counts: Floats, costs: Floats) -> Floats:
    """Return for each decision the logarithm of the true world's weight over the mean weight of the others."""
    logs = -counts @ costs
    found: Floats = -np.log(np.exp(logs[:, 1:] - logs[:, :1]).mean(axis=1))
    return found


def fit(counts: Floats) -> Floats:
    """Return the costs by kind (per count) with the greatest likelihood of the true worlds, less a ridge.

    Newton's method on a concave function; what costs too much is held at the limit.
    """
    costs = np.zeros(EVIDENCE)
    for _ in range(60):
        logs = -counts @ costs
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        mean = np.einsum("dw,dwk->dk", chances, counts)
        slope = (mean - counts[:, 0]).mean(axis=0) - 2 * RIDGE * costs
        spread = np.einsum("dw,dwk,dwl->kl", chances, counts, counts) / len(counts) - mean.T @ mean / len(counts)
        step = np.linalg.solve(spread + 2 * RIDGE * np.eye(EVIDENCE), slope)
        costs = np.clip(costs + step, -DEAREST, DEAREST)
        if np.abs(step).max() < 1e-4:
            break
    return costs


if __name__ == "__main__":
    main()

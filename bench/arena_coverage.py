"""Whether the arena's intervals and its sequential test keep what they promise, in simulated tournaments.

    python bench/arena_coverage.py [--tournaments 200 --tournaments 1000] [--tests 1000] [--played 0]

One JSON object a line. `coverage`: in how many of so many tournaments of equal strategies the 95 % intervals hold zero,
those of the means and those of the pairs; the scores have a luck of the deal that hangs on the seat and a luck of the
sitting, long tails and a sum of zero. `error`: how often the sequential test finds the other hypothesis, under each of
the two, after how many deals on average, and how often it is still open after the last deal; `effect` is the
difference in standard deviations. With `--played N` also for a law that N real deals of a game give, of `greedy`
against a short search, each weighed so that the mean is the hypothesis's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from junto.arena.entrants import Entrant
from junto.arena.entries import open_entry
from junto.arena.plan import Plan
from junto.arena.playing import play
from junto.arena.records import SeatRecord, SittingRecord
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.statistics.scoring import in_line_ups
from junto.arena.statistics.sprt import Hypothesis, Sprt
from junto.arena.statistics.tally import Tally
from junto.games.view import Outcome, Role

Vector = npt.NDArray[np.float64]
ATOMS: Final = 20_000
GAMES: Final = ("whist", "napoleon-tw", "dou-dizhu")
EFFECTS: Final = (0.1, 0.2, 0.4)
LONGEST: Final = 6000

MOST: Final = 10_000_000


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, action="append", help="how many; again for more sets")
    parser.add_argument("--deals", type=int, default=60, help="of a tournament")
    parser.add_argument("--tests", type=int, default=1000, help="sequential tests of each kind")
    parser.add_argument("--played", type=int, default=0, help="real deals of each game to take a law from")
    parser.add_argument("--effect", type=float, action="append", help="a difference, in deviations; again for more")
    parser.add_argument("--seed", type=int, default=3, help="of the sequential tests")
    options = parser.parse_args()
    if not all(1 <= number <= MOST for number in (*(options.tournaments or ()), options.deals, options.tests)):
        parser.error(f"--tournaments, --deals and --tests are from 1 to {MOST}")
    if not 0 <= options.played <= MOST or options.seed < 0:
        parser.error(f"--played is from 0 to {MOST}, --seed is not negative")
    if not all(0.0 < effect <= MOST for effect in options.effect or ()):
        parser.error(f"--effect is more than 0 and at most {MOST}")
    for tournaments in options.tournaments or [200, 1000]:
        for how in (Format.ROUND_ROBIN, Format.GAUNTLET):
            print(json.dumps(coverage(how, tournaments, options.deals, seed=tournaments)), flush=True)
    for name, law in {**LAWS, **played_laws(options.played)}.items():
        for effect in options.effect or EFFECTS:
            print(json.dumps(errors(name, law, effect, options.tests, options.seed)), flush=True)


def coverage(how: Format, tournaments: int, deals: int, seed: int) -> dict[str, object]:
    """Return in which share of tournaments of three equal strategies an interval holds zero."""
    rng = np.random.default_rng(seed)
    means, pairs = [], []
    for number in range(tournaments):
        entries = tournament(how, deals, number, rng).standings().entries
        means += [not entry.mean.is_clear for entry in entries if entry.mean.interval]
        pairs += [not pair.difference.is_clear for entry in entries for pair in entry.pairings]
    shares = {"mean": share(means), "pair": share(pairs)}
    return {"case": "coverage", "format": how.value, "tournaments": tournaments, "deals": deals, **shares}


def tournament(how: Format, deals: int, seed: int, rng: np.random.Generator) -> Tally:
    """Return a tournament of three equal strategies that was simulated."""
    entrants = tuple(Entrant(name, "greedy") for name in "abc")
    plan = Plan(Spec("napoleon-tw", entrants, deals, seed, how))
    tally = Tally(plan)
    for deal in range(deals):
        tally.add(simulated(plan, deal, rng))
    return tally


def simulated(plan: Plan, deal: int, rng: np.random.Generator, edge: float = 0.0) -> list[SittingRecord]:
    """Return a deal's records: entrant n is n `edge` better, on a score that has a deviation of about 15."""
    luck = 8.0 * rng.standard_t(5, plan.game.seats)
    records = []
    for sitting in plan.of_deal(deal):
        raw = luck + 8.0 * rng.standard_t(5, plan.game.seats) + edge * np.array(sitting.entrants)
        scores = np.round(raw - raw.mean()).astype(int)
        roles = [Role(role) for role in 1 + rng.permutation(plan.game.seats) % len(Role)]
        seats = zip(sitting.entrants, scores.tolist(), roles, strict=True)
        records.append(SittingRecord(sitting, Outcome.MADE, tuple(SeatRecord(*seat) for seat in seats)))
    return records


def _law(draw: Callable[[np.random.Generator], Vector]) -> Vector:
    numbers = draw(np.random.default_rng(7))
    return np.asarray(numbers - numbers.mean())


def _mostly_equal(rng: np.random.Generator) -> Vector:
    return np.where(rng.random(ATOMS) < 0.9, 0.0, rng.normal(size=ATOMS))


LAWS: Final = {
    "normal": _law(lambda rng: rng.normal(size=ATOMS)),
    "long tails": _law(lambda rng: rng.standard_t(5, ATOMS)),
    "skewed": _law(lambda rng: rng.exponential(size=ATOMS)),
    "nine of ten deals equal": _mostly_equal(np.random.default_rng(7)),
}
"""What a deal's difference may be like, as equally likely numbers."""


def played_laws(deals: int) -> dict[str, Vector]:
    """Return the laws that so many real deals give."""
    return {f"{game}, greedy and search": np.array([*differences(game, deals)]) for game in GAMES if deals}


def differences(game: str, deals: int) -> Iterator[float]:
    """Yield by how much `greedy` does better than a short search in each deal of a head to head."""
    players = (Entrant("greedy", "greedy"), Entrant("search", "pimc", iterations=20))
    plan = Plan(Spec(game, players, deals, 1, Format.HEAD_TO_HEAD))
    entries = [open_entry(entrant, plan.game) for entrant in plan.spec.entrants]
    for deal in range(deals):
        records = [play(plan, sitting, entries) for sitting in plan.of_deal(deal)]
        yield float(in_line_ups(records, len(entries)).differences[0, 1])


def errors(name: str, law: Vector, effect: float, tests: int, seed: int = 3) -> dict[str, object]:
    """Return how often the test is wrong under each hypothesis, and what it takes."""
    rule = StopRule(difference=effect * float(tilted(law, 0.0)[1]))
    told: dict[str, object] = {"case": "error", "law": name, "effect": effect, "tests": tests, "seed": seed}
    for truth, mean in ((Hypothesis.NULL, rule.null), (Hypothesis.DIFFERENCE, rule.difference)):
        weights, _ = tilted(law, mean)
        rng = np.random.default_rng(seed)
        ends = [tested(rule, draws(law, weights, rng)) for _ in range(tests)]
        told |= {
            f"{truth.value}_wrong": share(end.verdict is not None and end.verdict.found is not truth for end in ends),
            f"{truth.value}_open": share(end.verdict is None for end in ends),
            f"{truth.value}_deals": round(float(np.mean([end.deals for end in ends]))),
        }
    return told


def share(found: Iterable[bool]) -> float:
    """Return how many of some are so."""
    return round(float(np.mean([*found])), 4)


def tested(rule: StopRule, values: Iterator[float]) -> Sprt:
    """Return a test that has run to its verdict, or to the last deal."""
    test = Sprt(rule)
    while test.verdict is None and test.deals < LONGEST:
        test.add(next(values))
    return test


def draws(law: Vector, weights: Vector, rng: np.random.Generator) -> Iterator[float]:
    """Yield numbers by a law, without end."""
    upto = np.cumsum(weights)
    while True:
        yield from law[np.searchsorted(upto, rng.random(200) * upto[-1])].tolist()


def tilted(law: Vector, mean: float) -> tuple[Vector, float]:
    """Return weights that give a law a mean, each by a power of its number, and the deviation then.

    What was no difference stays none, as it would for two strategies that are a little further apart.
    """
    unit = float(law.std())

    def weighed(power: float) -> Vector:
        exponents = power * law / unit
        weights = np.exp(exponents - exponents.max())
        return np.asarray(weights / weights.sum())

    power = brentq(lambda power: float(weighed(power) @ law) - mean, -20.0, 20.0)
    weights = weighed(power)
    return weights, float(np.sqrt(weights @ (law - mean) ** 2))


if __name__ == "__main__":
    main()

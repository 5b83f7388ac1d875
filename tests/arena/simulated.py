"""Tournaments that nobody played: records of entrants whose strength is known, for any plan."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from junto.arena.entrants import Entrant
from junto.arena.plan import Plan
from junto.arena.records import Failing, Fault, SeatRecord, SittingRecord
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.statistics.tally import Tally
from junto.games.view import Outcome, Role

REASON = "ValueError: <script>alert('reason')</script> \x1b[31m\udcff"
"""What a hostile strategy says of its failure."""


def plan_of(
    *names: str,
    how: Format = Format.ROUND_ROBIN,
    deals: int = 20,
    seed: int = 7,
    game: str = "napoleon-tw",
    stop: StopRule | None = None,
) -> Plan:
    """Return a plan for entrants of these names."""
    entrants = tuple(Entrant(name, "greedy") for name in names or ("weak", "fair", "strong"))
    return Plan(Spec(game, entrants, deals, seed, how, stop=stop))


def played(plan: Plan, deals: int | None = None, *, edge: float = 5.0, seed: int = 1) -> list[list[SittingRecord]]:
    """Return the records of each deal. Entrant n is n `edge` better a seat than the first; some decisions fail."""
    rng = Random(seed)
    return [_deal(plan, deal, edge, rng) for deal in range(plan.spec.deals if deals is None else deals)]


def _deal(plan: Plan, deal: int, edge: float, rng: Random) -> list[SittingRecord]:
    luck = [rng.gauss(0.0, 10.0) for _ in range(plan.game.seats)]
    records = []
    for sitting in plan.of_deal(deal):
        raw = [drawn + rng.gauss(edge * entrant, 10.0) for drawn, entrant in zip(luck, sitting.entrants, strict=True)]
        middle = sum(raw) / len(raw)
        seats = [
            _seat(entrant, round(score - middle), rng) for entrant, score in zip(sitting.entrants, raw, strict=True)
        ]
        outcome = rng.choice((Outcome.MADE, Outcome.DOWN))
        actions = tuple(f"play {number}" for number in range(3))
        records.append(SittingRecord(sitting, outcome, seats, actions, rng.randrange(2), 4, 0.01))
    return records


def _seat(entrant: int, score: int, rng: Random) -> SeatRecord:
    micros = tuple(round(rng.lognormvariate(5.0 + entrant, 1.0)) for _ in range(8))
    faults = (Fault(rng.randrange(8), rng.choice([*Failing]), REASON),) if rng.random() < 0.02 else ()
    return SeatRecord(entrant, score, rng.choice([*Role]), rng.randint(1, 5), micros, 100 * entrant, 10, faults)


def tallied(plan: Plan, deals: Sequence[Sequence[SittingRecord]]) -> Tally:
    """Return the tally of some deals."""
    tally = Tally(plan)
    for records in deals:
        tally.add(records)
    return tally

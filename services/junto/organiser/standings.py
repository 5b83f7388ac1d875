"""How a tournament stands, as the store and the API have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from junto.arena.plan import Plan
from junto.arena.records import Failing
from junto.arena.running import Progress
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.sprt import Hypothesis
from junto.arena.statistics.standings import FaultCount, Pairing, RoleStanding, Standing, Standings
from junto.internal.v1 import store_pb2
from junto.v1 import tournaments_pb2 as api
from junto.wire.results import write_role

FAULTS: Final = {
    Failing.RAISED: api.DECISION_FAULT_RAISED,
    Failing.LATE: api.DECISION_FAULT_LATE,
    Failing.ILLEGAL: api.DECISION_FAULT_ILLEGAL,
    Failing.GARBLED: api.DECISION_FAULT_GARBLED,
    Failing.DIED: api.DECISION_FAULT_DIED,
    Failing.MEMORY: api.DECISION_FAULT_MEMORY,
    Failing.GIVEN_UP: api.DECISION_FAULT_GIVEN_UP,
}
_VERDICTS: Final = {
    Hypothesis.NULL: api.VERDICT_NO_DIFFERENCE,
    Hypothesis.DIFFERENCE: api.VERDICT_DIFFERENCE,
}


def write_progress(plan: Plan, progress: Progress) -> store_pb2.TournamentProgress:
    """Return the message of how far a run is: what was played also where the rest of its deal was not."""
    message = write_standings(plan, progress.standings)
    message.deals_played = progress.sittings
    if progress.deals_per_s > 0:
        message.deals_per_second = progress.deals_per_s * plan.sittings_per_deal
    if progress.seconds_left is not None:
        message.left_ms = round(progress.seconds_left * 1000)
    return message


def write_standings(plan: Plan, standings: Standings) -> store_pb2.TournamentProgress:
    """Return the message of standings alone: all of it follows from whole deals."""
    return store_pb2.TournamentProgress(
        deals_played=standings.sittings,
        whole_deals=standings.deals,
        failed_decisions=sum(entry.failures() for entry in standings.entries),
        verdict=_verdict(plan, standings),
        standings=[_standing(entry, standings.names) for entry in standings.entries],
    )


def _verdict(plan: Plan, standings: Standings) -> api.Verdict.ValueType:
    if standings.verdict is not None:
        return _VERDICTS[standings.verdict.found]
    stop = plan.spec.stop
    looked = stop is not None and standings.deals >= stop.first
    return api.VERDICT_UNDECIDED if looked else api.VERDICT_UNSPECIFIED


def _standing(entry: Standing, names: Mapping[int, str]) -> api.Standing:
    return api.Standing(
        entrant=entry.name,
        deals=entry.sittings,
        mean_score=_estimate(entry.mean),
        rating=api.Rating(mu=entry.rating.mu, sigma=entry.rating.sigma),
        pairings=[_pairing(pairing, names) for pairing in entry.pairings],
        roles=[_role(role) for role in entry.roles],
        times=_times(entry) if entry.decisions else None,
        faults=[_fault(fault) for fault in entry.faults],
    )


def _estimate(estimate: Estimate) -> api.Estimate:
    return api.Estimate(value=estimate.value, low=estimate.low, high=estimate.high)


def _pairing(pairing: Pairing, names: Mapping[int, str]) -> api.Pairing:
    return api.Pairing(
        opponent=names[pairing.opponent],
        difference=_estimate(pairing.difference),
        deals=pairing.difference.deals,
        wins=pairing.wins,
        draws=pairing.draws,
    )


def _role(role: RoleStanding) -> api.RoleRecord:
    return api.RoleRecord(
        role=write_role(role.role), seats=role.seats, mean_score=_estimate(role.mean), win_rate=_estimate(role.won)
    )


def _times(entry: Standing) -> api.DecisionTimes:
    times = entry.times
    message = api.DecisionTimes(decisions=entry.decisions, worlds=entry.worlds_per_decision)
    for span, ms in (
        (message.median, times.p50_ms),
        (message.p90, times.p90_ms),
        (message.p99, times.p99_ms),
        (message.longest, times.max_ms),
    ):
        span.FromMicroseconds(round(ms * 1000))
    return message


def _fault(fault: FaultCount) -> api.FaultCount:
    return api.FaultCount(
        fault=FAULTS[fault.failing],
        count=fault.count,
        examples=[
            api.FaultPlace(deal=one.deal, seating=one.sitting, seat=one.seat, step=one.step) for one in fault.examples
        ],
    )

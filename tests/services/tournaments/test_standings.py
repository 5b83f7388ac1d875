"""Standings as the API has them say what the arena counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from junto.arena.crew import OwnCrew
from junto.arena.entrants import entrant
from junto.arena.plan import Plan
from junto.arena.records import Failing, Fault, SittingRecord
from junto.arena.running import Progress
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.statistics.tally import Tally
from junto.games.view import Role
from junto.organiser.standings import write_progress, write_standings
from junto.v1 import tournaments_pb2, views_pb2

DEALS = 5


@pytest.fixture(scope="module")
def plan() -> Plan:
    """A small tournament of a game with roles, that a stop rule could end."""
    entrants = tuple(entrant("", "random", name=name) for name in ("first", "second"))
    spec = Spec("napoleon-tw", entrants, DEALS, 3, Format.HEAD_TO_HEAD, stop=StopRule(5.0, first=10))
    return Plan(spec)


@pytest.fixture(scope="module")
def played(plan: Plan) -> list[tuple[SittingRecord, ...]]:
    """Its deals, played."""
    crew = OwnCrew(plan)
    found = []
    for deal in range(DEALS):
        crew.give(plan.of_deal(deal))
        found += [one.records for one in crew.take(0.0)]
    crew.close()
    return found


def with_fault(record: SittingRecord) -> SittingRecord:
    """Return a record in which whoever sat in seat 2 was late at the fifth decision of the deal."""
    seats = list(record.seats)
    seats[2] = replace(seats[2], faults=(Fault(4, Failing.LATE, "no answer within 5 s"),))
    return replace(record, seats=tuple(seats))


def test_each_figure_is_the_arenas(plan: Plan, played: list[tuple[SittingRecord, ...]]) -> None:
    """Means, roles, pairings, times and faults, by names instead of numbers."""
    tally = Tally(plan)
    tally.add([with_fault(record) if record.sitting.number == 1 else record for record in played[0]])
    for records in played[1:]:
        tally.add(records)
    counted = tally.standings()

    told = write_standings(plan, counted)

    assert (told.whole_deals, told.deals_played, told.failed_decisions) == (DEALS, 2 * DEALS, 1)
    assert [line.entrant for line in told.standings] == [entry.name for entry in counted.entries]
    for line, entry in zip(told.standings, counted.entries, strict=True):
        assert (line.mean_score.value, line.mean_score.low, line.mean_score.high) == (
            (entry.mean.value, entry.mean.low, entry.mean.high)
        )
        assert (line.rating.mu, line.rating.sigma) == (entry.rating.mu, entry.rating.sigma)
        assert [role.role for role in line.roles][:2] == [views_pb2.ROLE_UNSPECIFIED, Role.DECLARER]
        assert [role.seats for role in line.roles] == [role.seats for role in entry.roles]
        assert line.pairings[0].opponent == {"first": "second", "second": "first"}[line.entrant]
        assert line.times.decisions == entry.decisions
        assert line.times.median.ToMicroseconds() == pytest.approx(entry.times.p50_ms * 1000, abs=1)
    late = played[0][1].seats[2].entrant
    by_name = {line.entrant: line for line in told.standings}
    (fault,) = by_name[plan.spec.entrants[late].name].faults
    assert (fault.fault, fault.count) == (tournaments_pb2.DECISION_FAULT_LATE, 1)
    place = fault.examples[0]
    assert (place.deal, place.seating, place.seat, place.step) == (0, 1, 2, 4)
    assert "no answer" not in str(told)


def test_too_few_deals_have_no_interval(plan: Plan, played: list[tuple[SittingRecord, ...]]) -> None:
    """What cannot be told is absent, not zero; and a stop rule that has not looked says nothing."""
    tally = Tally(plan)
    tally.add(played[0])

    told = write_standings(plan, tally.standings())

    assert not told.standings[0].mean_score.HasField("low")
    assert told.verdict == tournaments_pb2.VERDICT_UNSPECIFIED


def test_progress_counts_seatings(plan: Plan, played: list[tuple[SittingRecord, ...]]) -> None:
    """Deals, and deals a second, are told as they are played: each seating for itself."""
    tally = Tally(plan)
    tally.add(played[0])
    standings = tally.standings()

    told = write_progress(plan, Progress(1, DEALS, 3, 1.5, 2.0, standings))
    unknown = write_progress(plan, Progress(1, DEALS, 3, 0.0, None, standings))

    assert (told.deals_played, told.whole_deals, told.deals_per_second, told.left_ms) == (3, 1, 3.0, 2000)
    assert not unknown.HasField("deals_per_second")
    assert not unknown.HasField("left_ms")

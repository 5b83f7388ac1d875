"""A tournament counted deal by deal."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise, permutations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from bench.arena_coverage import coverage
from tests.arena.simulated import plan_of, played, tallied

from junto.arena.plan import Plan
from junto.arena.records import Failing, Fault, SittingRecord
from junto.arena.spec import Format, StopRule
from junto.arena.statistics.course import MOST_POINTS, Course
from junto.arena.statistics.estimates import Moments
from junto.arena.statistics.standings import MOST_EXAMPLES, Standings
from junto.arena.statistics.standings_json import VERSION, read_standings, standings_json, without_times
from junto.arena.statistics.tally import Tally
from junto.games.view import Role

FORMATS = [Format.ROUND_ROBIN, Format.GAUNTLET]


def seats_of(deals: Sequence[Sequence[SittingRecord]], entrant: int) -> list[Any]:
    return [seat for record in chain.from_iterable(deals) for seat in record.seats if seat.entrant == entrant]


@pytest.mark.parametrize("how", FORMATS)
def test_the_stronger_comes_first(how: Format) -> None:
    """By means, by rating, and in each pair, where one is much better."""
    plan = plan_of(how=how, deals=40)

    standings = tallied(plan, played(plan, edge=8.0)).standings()

    assert [entry.name for entry in standings.entries] == ["strong", "fair", "weak"]
    strong, fair, weak = standings.entries
    assert strong.rating.mu > fair.rating.mu > weak.rating.mu
    assert all(pair.difference.value > 0 and pair.difference.is_clear for pair in strong.pairings)
    assert all(pair.difference.value < 0 and pair.difference.is_clear for pair in weak.pairings)
    assert (strong.deals, strong.mean.deals) == (40, 40)


def test_figures_are_those_of_the_records() -> None:
    """Means, seats, decisions, worlds, wins by role and faults, counted once more by hand."""
    plan = plan_of(deals=30)
    deals = played(plan)

    standings = tallied(plan, deals).standings()

    assert standings.sittings == 30 * plan.sittings_per_deal
    for entry in standings.entries:
        seats = seats_of(deals, entry.entrant)
        assert entry.mean.value == pytest.approx(fmean(seat.score for seat in seats))
        assert (entry.seats, entry.sittings) == (len(seats), 120)
        assert entry.decisions == sum(len(seat.micros) for seat in seats)
        assert entry.worlds == sum(seat.worlds for seat in seats)
        assert entry.failures() == sum(len(seat.faults) for seat in seats)
        assert entry.times.max_ms == max(max(seat.micros) for seat in seats) / 1000
        declared = [seat for seat in seats if seat.role is Role.DECLARER]
        (role,) = [role for role in entry.roles if role.role is Role.DECLARER]
        assert role.seats == len(declared)
        assert role.won.value == pytest.approx(fmean(seat.score > 0 for seat in declared))
        assert role.mean.value == pytest.approx(fmean(seat.score for seat in declared))


@pytest.mark.parametrize("how", FORMATS)
def test_pairs_mirror_each_other(how: Format) -> None:
    """What one is better the other is worse, and its wins are the other's losses."""
    plan = plan_of(how=how)

    standings = tallied(plan, played(plan)).standings()

    for entry in standings.entries:
        for pair in entry.pairings:
            other = standings.of(pair.opponent).against(entry.entrant)
            assert other is not None
            assert other.difference.value == -pair.difference.value
            assert (pair.wins, pair.draws, pair.losses) == (other.losses, other.draws, other.wins)
            assert pair.wins + pair.draws + pair.losses == standings.deals


def test_the_field_is_what_others_are_measured_by() -> None:
    """Its own mean is zero, without an interval."""
    plan = plan_of(how=Format.GAUNTLET)

    field = tallied(plan, played(plan)).standings().of(0)

    assert (field.mean.value, field.mean.interval) == (0.0, None)


@pytest.mark.parametrize("order", [*permutations(range(3))][1:])
def test_the_order_of_the_entrants_makes_no_difference(order: tuple[int, ...]) -> None:
    """The same sittings, with the entrants numbered otherwise, give each of them the same figures."""
    plan = plan_of("a", "b", "c", deals=15)
    deals = played(plan)
    renamed = _Renumbered(plan, order)

    one = tallied(plan, deals).standings()
    other = tallied(renamed, [[renamed.record(record) for record in deal] for deal in deals]).standings()

    for entry in one.entries:
        same = other.of(order[entry.entrant])
        assert same.mean == entry.mean
        assert same.rating.mu == pytest.approx(entry.rating.mu)
        assert same.roles == entry.roles
        assert {order[pair.opponent]: pair.difference.value for pair in entry.pairings} == {
            pair.opponent: pair.difference.value for pair in same.pairings
        }


class _Renumbered(Plan):
    """A plan with its entrants in another order."""

    def __init__(self, plan: Plan, order: tuple[int, ...]) -> None:
        entrants = sorted(plan.spec.entrants, key=lambda entrant: order[plan.spec.entrants.index(entrant)])
        super().__init__(replace(plan.spec, entrants=tuple(entrants)))
        self._plan, self._order = plan, order

    def of_deal(self, deal: int) -> Any:
        return tuple(
            replace(sitting, entrants=tuple(self._order[entrant] for entrant in sitting.entrants))
            for sitting in self._plan.of_deal(deal)
        )

    def record(self, record: SittingRecord) -> SittingRecord:
        seats = tuple(replace(seat, entrant=self._order[seat.entrant]) for seat in record.seats)
        return replace(record, sitting=self.of_deal(record.sitting.deal)[record.sitting.number], seats=seats)


def test_only_whole_deals_are_counted_and_each_in_its_turn() -> None:
    """Another deal than the next one is refused, and so is one that lacks a sitting; nothing is counted then."""
    plan = plan_of(deals=3)
    first, second, _ = played(plan)
    tally = tallied(plan, [first])

    for wrong in (first, second[:-1], [*second[1:], second[0]], []):
        with pytest.raises(ValueError, match="not the sittings of deal 1"):
            tally.add(wrong)

    tally.add(second)
    assert tally.standings() == tallied(plan, [first, second]).standings()


@pytest.mark.parametrize("how", FORMATS)
def test_standings_come_back_from_json(how: Format) -> None:
    """With everything that they tell."""
    plan = plan_of(how=how)
    standings = tallied(plan, played(plan)).standings()

    text = json.dumps(standings_json(standings))

    assert read_standings(json.loads(text)) == standings


def test_a_verdict_comes_back_from_json() -> None:
    """What was found, when, and by which figures."""
    plan = plan_of("a", "b", how=Format.HEAD_TO_HEAD, deals=60, stop=StopRule(difference=-10.0))
    tally = tallied(plan, played(plan, edge=10.0))

    back = read_standings(json.loads(json.dumps(standings_json(tally.standings()))))

    assert tally.verdict is not None
    assert back.verdict == tally.verdict
    assert back.stopped_early


def test_nothing_but_times_hangs_on_the_clock() -> None:
    """The same play at another speed gives the same JSON, but for what stands under `times`."""
    plan = plan_of(deals=10)
    deals = played(plan)
    slower = [[replace(record, cpu_s=9.0, seats=_slower(record)) for record in deal] for deal in deals]

    one, other = (standings_json(tallied(plan, each).standings()) for each in (deals, slower))

    assert one != other
    assert json.dumps(without_times(one)) == json.dumps(without_times(other))


def _slower(record: SittingRecord) -> tuple[Any, ...]:
    return tuple(replace(seat, micros=tuple(3 * time for time in seat.micros)) for seat in record.seats)


@pytest.mark.parametrize(
    "values", [{}, {"version": VERSION}, {"version": VERSION + 1}, {"version": VERSION, "deals": 1}]
)
def test_what_are_no_standings_is_refused_in_words(values: dict[str, Any]) -> None:
    """Another version, and values that lack something."""
    with pytest.raises(ValueError, match=r"these (are no standings|standings are of version)"):
        read_standings(values)


def test_few_deals_have_standings_without_intervals() -> None:
    """None at all, and one."""
    plan = plan_of()

    none, one = Tally(plan).standings(), tallied(plan, played(plan, 1)).standings()

    assert [entry.mean.interval for standings in (none, one) for entry in standings.entries] == [None] * 6
    assert (none.deals, one.deals) == (0, 1)
    assert read_standings(standings_json(none)) == none


def test_of_many_faults_all_are_counted_and_the_first_kept() -> None:
    """With where to find them; a reason is kept to a length."""
    plan = plan_of(deals=8)
    late = (Fault(3, Failing.LATE, "x" * 9000), Fault(5, Failing.RAISED, "y"))
    deals = [[replace(record, seats=_with(record, late)) for record in deal] for deal in played(plan)]

    entry = tallied(plan, deals).standings().of(1)

    assert entry.late == entry.failures(Failing.RAISED) == entry.seats
    for fault in entry.faults:
        assert len(fault.examples) == MOST_EXAMPLES
        assert all(example.deal == 0 and len(example.reason) <= 500 for example in fault.examples)
        seats = {
            (record.sitting.number, at) for record in deals[0] for at, seat in enumerate(record.seats) if seat.faults
        }
        assert {(example.sitting, example.seat) for example in fault.examples} <= seats


def _faulty(deal: Sequence[SittingRecord]) -> set[tuple[int, int]]:
    return {(record.sitting.number, at) for record in deal for at, seat in enumerate(record.seats) if seat.faults}


def _with(record: SittingRecord, faults: tuple[Fault, ...]) -> tuple[Any, ...]:
    return tuple(replace(seat, faults=faults if seat.entrant == 1 else ()) for seat in record.seats)


def test_which_deal_decides_does_not_hang_on_who_asks() -> None:
    """A tally that is asked after every deal finds the same as one that is asked at the end."""
    plan = plan_of("a", "b", how=Format.HEAD_TO_HEAD, deals=120, stop=StopRule(difference=-6.0, first=20))
    deals = played(plan, edge=6.0)
    asked = Tally(plan)

    for records in deals:
        asked.add(records)
        asked.standings()

    assert asked.verdict is not None
    assert asked.verdict == tallied(plan, deals).verdict
    assert asked.verdict == tallied(plan, deals[: asked.verdict.deals]).verdict
    assert tallied(plan, deals[: asked.verdict.deals - 1]).verdict is None


def test_the_course_of_a_million_deals_is_told_by_a_few() -> None:
    """Evenly spaced, and the last one is the present."""
    course, means = Course(), Moments(2)
    for value in range(10_001):
        means.add(np.array([float(value), 1.0]))
        course.add(means)

    points = course.until(means)

    spaces = {after.deals - before.deals for before, after in pairwise(points[:-1])}
    assert len(points) <= MOST_POINTS + 1
    assert len(spaces) == 1
    assert (points[-1].deals, points[-1].means) == (10_001, (5000.0, 1.0))


@pytest.mark.parametrize("how", FORMATS)
def test_equal_strategies_look_equal_as_often_as_is_said(how: Format) -> None:
    """Of 40 simulated tournaments about 95 % of the intervals hold zero; fewer than 85 % would be too few.

    A tournament's three intervals hang together: the share's deviation is at most 3.4 %.
    """
    found = coverage(how, 40, 12, seed=4)

    assert 0.85 < float(str(found["mean"])) <= 1.0
    assert 0.85 < float(str(found["pair"])) <= 1.0


def test_standings_name_everybody() -> None:
    """By number, best first."""
    plan = plan_of(deals=30)

    standings: Standings = tallied(plan, played(plan, edge=8.0)).standings()

    assert standings.names == {2: "strong", 1: "fair", 0: "weak"}


def test_a_tally_grows_no_longer_with_the_deals() -> None:
    """It keeps sums and a bounded course, no deals: twice as many of them take hardly more room."""
    plan = plan_of("a", "b", how=Format.HEAD_TO_HEAD, deals=440, game="whist", stop=StopRule(0.5, first=10_000))
    tally, sizes = Tally(plan), []
    for number, records in enumerate(played(plan), 1):
        tally.add(records)
        if number in {220, 440}:
            sizes.append(len(pickle.dumps(tally)))

    assert sizes[1] < 1.2 * sizes[0]

"""What one deal says of each entrant, and of each pair."""

from __future__ import annotations

from junto.arena.plan import Sitting
from junto.arena.records import SeatRecord, SittingRecord
from junto.arena.spec import Format
from junto.arena.statistics.scoring import among_field, in_line_ups, scoring_of
from junto.games.view import Outcome


def sitting(number: int, *held: tuple[int, int]) -> SittingRecord:
    """Return a sitting of seats that are each an entrant and its score."""
    seats = tuple(SeatRecord(entrant, score) for entrant, score in held)
    return SittingRecord(Sitting(0, number, tuple(entrant for entrant, _ in held)), Outcome.MADE, seats)


def test_an_entrants_number_is_its_mean_over_its_seats() -> None:
    """Two entrants at three seats, moved on by one: each has held each seat."""
    records = [sitting(0, (0, 6), (1, 0), (0, -6)), sitting(1, (1, 9), (0, -3), (1, -6))]

    deal = in_line_ups(records, 2)

    assert deal.values.tolist() == [-1.0, 1.0]
    assert deal.differences.tolist() == [[0.0, -2.0], [2.0, 0.0]]


def test_a_pair_is_compared_where_both_sat() -> None:
    """Three entrants in pairs: what 0 scored against 2 says nothing of 0 against 1."""
    records = [
        sitting(0, (0, 4), (1, -4)),
        sitting(1, (1, -2), (0, 2)),
        sitting(2, (0, -10), (2, 10)),
        sitting(3, (2, 10), (0, -10)),
        sitting(4, (1, 1), (2, -1)),
        sitting(5, (2, 1), (1, -1)),
    ]

    deal = in_line_ups(records, 3)

    assert deal.values.tolist() == [-3.5, -1.5, 5.0]
    assert deal.differences[0].tolist() == [0.0, 6.0, -20.0]
    assert deal.differences[1, 2] == 0.0
    assert (deal.differences == -deal.differences.T).all()


def test_a_challengers_number_is_its_gain_on_the_field_in_the_same_seats() -> None:
    """The field alone scored 5 and -5; the challenger 8 in the first seat, -4 in the second: 3 and 1 more."""
    records = [sitting(0, (0, 5), (0, -5)), sitting(1, (1, 8), (0, -8)), sitting(2, (0, 4), (1, -4))]

    deal = among_field(records, 2)

    assert deal.values.tolist() == [0.0, 2.0]
    assert deal.differences.tolist() == [[0.0, -2.0], [2.0, 0.0]]


def test_each_format_has_its_way_of_counting() -> None:
    """Those with a field count gains."""
    assert {form: scoring_of(form) for form in Format} == {
        Format.ROUND_ROBIN: in_line_ups,
        Format.HEAD_TO_HEAD: in_line_ups,
        Format.GAUNTLET: among_field,
        Format.LADDER: among_field,
    }

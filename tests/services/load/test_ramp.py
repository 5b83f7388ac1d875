"""The search for the highest load, on a server that is a formula."""

from __future__ import annotations

import pytest

from junto.load.measuring import Measured
from junto.load.profile import Goal
from junto.load.ramp import GROWTH, HALVINGS, Found, keeps, search, so_far


def searched(first: float, capacity: float) -> tuple[list[float], Found]:
    """Search on a server that bears so much; return the rates that were tried, and the result."""
    searching, tried = search(first), []
    rate = next(searching)
    while True:
        tried.append(rate)
        try:
            rate = searching.send(rate <= capacity)
        except StopIteration as end:
            return tried, end.value


@pytest.mark.parametrize("capacity", [3.0, 20.0, 20.1, 137.0, 900.0])
def test_the_edge_is_found(capacity: float) -> None:
    """From below as from above: what is found is borne, the edge is not, and they are close."""
    _, found = searched(20.0, capacity)

    assert found.highest is not None
    assert found.edge is not None
    assert found.highest <= capacity < found.edge
    assert found.edge / found.highest == pytest.approx(GROWTH ** (1 / 2**HALVINGS))


def test_a_server_that_bears_nothing_is_given_up() -> None:
    """No rate is named, and the search ends."""
    tried, found = searched(20.0, 0.0)

    assert found.highest is None
    assert found.edge == min(tried)


def test_a_server_that_bears_everything_ends_the_search() -> None:
    """There are only so many steps; no edge is named."""
    tried, found = searched(1.0, float("inf"))

    assert found == Found(max(tried), None)


def test_what_was_found_so_far_is_told() -> None:
    """A search that is stopped early has the best and the worst of its steps."""
    assert so_far([(10.0, True), (20.0, True), (40.0, False)]) == Found(20.0, 40.0)
    assert so_far([]) == Found(None, None)


def test_a_goal_needs_moves_in_time_and_no_errors() -> None:
    """Slow moves, failed calls and silence miss it."""
    goal, measured = Goal("p99", 0.99, 0.1), Measured()
    assert not keeps(goal, measured)
    measured.counts["calls"] = 1000
    for _ in range(200):
        measured.times["seen_by_all"].add(0.05)
    assert keeps(goal, measured)
    measured.errors["Act UNAVAILABLE"] = 1
    assert not keeps(goal, measured)
    measured.errors.clear()
    measured.times["seen_by_all"].add(0.2, 3)
    assert not keeps(goal, measured)

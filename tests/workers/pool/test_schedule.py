"""Who gets which job next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.pool.schedule import BUNDLE_JOBS, BUNDLE_S, STRATEGIES, Expectations, Job, Line


def line(**expected_s: float) -> Line:
    """Return an empty line in which strategies are expected to take so long."""
    expectations = Expectations()
    for name, mean_s in expected_s.items():
        expectations.learn(name, mean_s)
    return Line(expectations)


def job(number: int, strategy_id: str = "quick", deadline: float = 10.0, attempts: int = 0) -> Job:
    return Job(number, strategy_id, b"", deadline, 0.0, attempts)


def numbers(jobs: list[Job]) -> list[int]:
    return [job.number for job in jobs]


@given(st.lists(st.tuples(st.sampled_from(["quick", "slow", "new"]), st.booleans(), st.integers(0, 1))))
def test_every_job_is_taken_once_and_in_turn(kinds: list[tuple[str, bool, int]]) -> None:
    """No job is lost, doubled or overtaken, except those whose time is up: they are never taken."""
    waiting = line(quick=0.0001, slow=0.05)
    for number, (name, is_late, attempts) in enumerate(kinds):
        waiting.join(job(number, name, 1.0 if is_late else 10.0, attempts))
    taken = []
    while bundle := waiting.take(now=5.0):
        taken += numbers(bundle)

    assert taken == [number for number, (_, is_late, _) in enumerate(kinds) if not is_late]


@given(st.lists(st.floats(0, 0.01), min_size=1, max_size=100))
def test_a_bundle_is_short(means: list[float]) -> None:
    """Jobs travel together only if they take next to nothing in sum, and never too many."""
    waiting = line(**{f"s{number}": mean for number, mean in enumerate(means)})
    for number in range(len(means)):
        waiting.join(job(number, f"s{number}"))

    bundle = waiting.take(now=0.0)

    assert len(bundle) == 1 or sum(means[: len(bundle)]) <= BUNDLE_S + 1e-9
    assert len(bundle) <= BUNDLE_JOBS


def test_what_nobody_knows_travels_alone() -> None:
    """A strategy that has not decided yet may be slow."""
    waiting = line(quick=0.0001)
    for number, name in enumerate(["new", "quick", "quick", "new"]):
        waiting.join(job(number, name))

    assert [numbers(waiting.take(0.0)) for _ in range(3)] == [[0], [1, 2], [3]]


def test_a_suspect_travels_alone() -> None:
    """A job whose worker died takes no other job with it if another one dies."""
    waiting = line(quick=0.0001)
    for number, attempts in enumerate([0, 1, 0, 0]):
        waiting.join(job(number, attempts=attempts))

    assert [numbers(waiting.take(0.0)) for _ in range(3)] == [[0], [1], [2, 3]]


def test_who_comes_back_comes_first() -> None:
    """Jobs of a dead worker do not queue again, and keep their order."""
    waiting = line(quick=1.0)
    waiting.join(job(3))
    waiting.rejoin([job(1), job(2)])

    assert [numbers(waiting.take(0.0)) for _ in range(3)] == [[1], [2], [3]]


def test_who_leaves_is_not_taken() -> None:
    """A job that nobody wants takes no worker's time."""
    waiting = line(quick=1.0)
    unwanted, wanted = job(1), job(2)
    waiting.join(unwanted)
    waiting.join(wanted)
    waiting.leave(unwanted)

    assert numbers(waiting.take(0.0)) == [2]
    assert not unwanted.is_wanted


def test_expectations_follow_what_happens() -> None:
    """A strategy that becomes slower is soon expected to be slow."""
    expectations = Expectations()
    for _ in range(50):
        expectations.learn("pimc", 0.001)
    for _ in range(20):
        expectations.learn("pimc", 0.1)

    assert expectations.seconds("pimc") > 0.09


def test_expectations_are_bounded() -> None:
    """Names that strangers invent do not fill the memory, and what is used is not forgotten for them."""
    expectations = Expectations()
    for number in range(3 * STRATEGIES):
        expectations.learn("pimc", 0.01)
        expectations.learn(f"made up {number}", 5.0)

    assert expectations.seconds("pimc") == pytest.approx(0.01)
    assert expectations.seconds("made up 0") != 5.0

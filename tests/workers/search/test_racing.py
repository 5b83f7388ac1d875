"""A race of candidates: how it spends its time."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
import pytest

from junto.search.racing import race

Numbers = npt.NDArray[np.int64]


def sizes_of(iterations: int | None, deadline: float | None) -> list[int]:
    """Return how many worlds each batch of a race of equals had."""
    sizes: list[int] = []

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        sizes.append(results.shape[1])

    race(trial, 2, iterations, deadline)
    return sizes


def test_the_first_batch_against_the_clock_is_small() -> None:
    """With a deadline a race begins with four worlds: how long they take is not known yet."""
    assert sizes_of(100, time.monotonic() + 60)[:3] == [4, 8, 16]


def test_no_world_that_was_asked_for_is_left_out_while_there_is_time() -> None:
    """The last batch may be smaller than the smallest against the clock."""
    assert sum(sizes_of(30, time.monotonic() + 60)) == 30


def test_a_race_that_is_late_already_tries_one_batch() -> None:
    """After its deadline a race still has an answer, for the price of the smallest batch."""
    assert sizes_of(None, time.monotonic() - 1) == [4]


def test_iterations_alone_do_not_look_at_the_clock() -> None:
    """Without a deadline the batches are those of every machine."""
    assert sizes_of(100, None) == [16, 32, 52]


def test_worlds_that_repeat_each_other_do_not_make_a_race_surer() -> None:
    """The standard errors of the means are those of as many worlds as tell anything of their own."""

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        for candidate in active:
            results[candidate] = (np.arange(first, first + results.shape[1]) + candidate) % 2

    all_tell = race(trial, 2, 100, None)
    ten_tell = race(trial, 2, 100, None, independent=lambda: 10.0)
    assert [one.standard_error for one in all_tell.standings] == pytest.approx([0.5 / 99**0.5] * 2)
    assert [one.standard_error for one in ten_tell.standings] == pytest.approx([0.5 / 9**0.5] * 2)


def raced(gains: list[int], favourite: int, caution: float | None) -> int:
    """Return who wins a race of two in a few worlds, in which the second is so much better in each."""

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        results[0] = np.arange(first, first + results.shape[1]) % 5 * 10
        results[1] = results[0] + gains[first : first + results.shape[1]]

    return race(trial, 2, len(gains), None, caution=caution, favourite=favourite).standings[0].candidate


@pytest.mark.parametrize("favourite", [0, 1])
def test_with_caution_a_few_worlds_do_not_unseat_the_favourite(favourite: int) -> None:
    """Whichever candidate it is: of four worlds a small gain tells nothing, of many it does."""
    sign = 1 if favourite == 0 else -1
    few, many = [sign * gain for gain in (6, -4, 5, -3)], [sign * gain for gain in (6, -4, 5, -3) * 64]
    other = 1 - favourite
    assert raced(few, favourite, None) == other
    assert raced(few, favourite, 1.0) == favourite
    assert raced(many, favourite, 1.0) == other


Tried = tuple[tuple[int, int], ...]


def raced_apart(apart: int, least_worlds: int = 48) -> tuple[Tried, list[list[int]]]:
    """Race three of whom the first two are equals and the last is so much behind; return who was tried how often.

    Then who was still in the race at each batch.
    """
    batches: list[list[int]] = []

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        batches.append(active.tolist())
        luck = np.arange(first, first + results.shape[1]) % 7 - 3
        results[0], results[1], results[2] = luck, luck[::-1], -luck - apart

    found = race(trial, 3, 400, None, least_worlds=least_worlds)
    return tuple(sorted((one.candidate, one.worlds) for one in found.standings)), batches


@pytest.mark.parametrize("least_worlds", [16, 48, 100])
def test_who_is_clearly_behind_is_dropped_but_not_before_so_many_worlds(least_worlds: int) -> None:
    """The others race on without him, and he stands last with what he was tried in."""
    (*others, (last, worlds)), batches = raced_apart(20, least_worlds)
    assert [candidate for candidate, _ in others] == [0, 1]
    assert {tried for _, tried in others} == {400}
    assert (last, worlds) == (2, {16: 16, 48: 48, 100: 112}[least_worlds])
    assert batches[-1] == [0, 1]


def test_who_may_still_be_the_best_is_not_dropped() -> None:
    """A difference that luck may have made leaves all in the race to its end."""
    tried, batches = raced_apart(0)
    assert tried == ((0, 400), (1, 400), (2, 400))
    assert all(active == [0, 1, 2] for active in batches)


def test_a_race_ends_when_one_is_left() -> None:
    """Nothing is to be found out any more; playouts count what was tried of each."""

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        for candidate in active:
            results[candidate] = np.arange(first, first + results.shape[1]) % 3 + 10 * candidate

    found = race(trial, 4, 10_000, None)
    assert [one.candidate for one in found.standings] == [3, 2, 1, 0]
    assert (found.worlds, found.playouts) == (48, 4 * 48)


def test_without_the_favourite_every_world_counts() -> None:
    """Once the favourite is dropped, the others are judged by all their worlds, not by those that it was tried in."""

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        worlds = np.arange(first, first + results.shape[1])
        results[0] = -40
        results[1] = np.where(worlds < 48, 2, 0)
        results[2] = np.where(worlds % 2, 10, -8)

    first, second, dropped = race(trial, 3, 400, None, caution=1.0).standings
    assert (dropped.candidate, dropped.worlds) == (0, 48)
    assert (first.candidate, second.candidate) == (2, 1)


@pytest.mark.parametrize(("gains", "winner"), [([30], 0), ([30, 0], 0), ([30, 0, 0, 0], 0), ([30] * 8, 1)])
def test_with_caution_nobody_leads_by_a_single_world(gains: list[int], winner: int) -> None:
    """However much better it was in that one: the next worlds may be as much worse. In eight worlds on end it is."""

    def trial(active: Numbers, first: int, results: Numbers) -> None:
        results[0] = 0
        results[1] = gains[first : first + results.shape[1]]

    assert race(trial, 2, len(gains), None, caution=1.5).standings[0].candidate == winner

"""Arrivals: a Poisson process, and nobody is forgotten."""

from __future__ import annotations

import random
import statistics
from itertools import pairwise

from junto.load.arrivals import Turnstile, poisson


def test_arrivals_are_a_poisson_process() -> None:
    """Gaps have the mean and the deviation of an exponential law, and counts per second vary as much as their mean."""
    moments = list(poisson(50.0, 10.0, 410.0, random.Random(7)))
    gaps = [second - first for first, second in pairwise(moments)]
    counts = [0] * 400
    for moment in moments:
        counts[int(moment - 10.0)] += 1

    assert abs(statistics.mean(gaps) - 0.02) < 0.0006  # 4 standard errors: 0.02 / sqrt(20000)
    assert abs(statistics.stdev(gaps) / statistics.mean(gaps) - 1) < 0.03
    assert abs(statistics.variance(counts) / statistics.mean(counts) - 1) < 0.3
    assert all(10.0 <= moment < 410.0 for moment in moments)


def test_the_same_seed_arrives_alike() -> None:
    """Two servers can be given the very same load."""
    assert list(poisson(5.0, 0.0, 9.0, random.Random("a"))) == list(poisson(5.0, 0.0, 9.0, random.Random("a")))


def test_arrivals_and_turns_meet_in_order() -> None:
    """Whoever waits longest goes first, moves as well as seats; who has left is not found."""
    turnstile = Turnstile[str]()

    assert turnstile.arrive(1.0) is None
    assert turnstile.arrive(2.0) is None
    assert turnstile.waiting == 2
    assert turnstile.turn("a") == 1.0
    assert turnstile.turn("b") == 2.0
    assert [turnstile.turn(seat) for seat in "cde"] == [None, None, None]
    turnstile.leave("d")
    assert [turnstile.arrive(moment) for moment in (3.0, 4.0, 5.0)] == ["c", "e", None]
    assert turnstile.give_up() == [5.0]
    assert turnstile.waiting == 0

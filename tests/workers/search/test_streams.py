"""The search's random numbers."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import chisquare

from junto.search.streams import draw_below, draw_fraction, draw_word, start_stream

WORD = 0xFFFFFFFF


def stream(seed: int, number: int = 0, purpose: int = 0) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    state = np.zeros(2, np.int64)
    start_stream(state, seed, number, purpose)
    return state


def rotated(word: int, by: int) -> int:
    return (word << by | word >> (32 - by)) & WORD


def test_words_are_those_of_the_published_generator() -> None:
    """The words are those of xoroshiro64** as its authors give it."""
    state = stream(2**62 + 12345)
    first, second = state.tolist()
    for _ in range(1000):
        expected = rotated(first * 0x9E3779BB & WORD, 5) * 5 & WORD
        second ^= first
        first, second = rotated(first, 26) ^ second ^ (second << 9 & WORD), rotated(second, 13)
        assert expected == draw_word(state)
    assert [first, second] == state.tolist()


def test_a_stream_is_the_same_everywhere() -> None:
    """The first words of some streams, as they were when this was written: decisions stay repeatable."""
    seen = [[draw_word(state) for _ in range(2)] for state in (stream(0), stream(1), stream(1, 1), stream(1, 1, 1))]
    assert seen == [
        [3927475306, 3244131148],
        [4171996198, 655333060],
        [1730652726, 899762642],
        [2828163749, 995189337],
    ]


def test_streams_of_neighbouring_numbers_do_not_meet() -> None:
    """Ten thousand streams of one seed begin at different states."""
    states = {tuple(stream(7, number, purpose).tolist()) for number in range(5000) for purpose in range(2)}
    assert len(states) == 10_000


def test_small_numbers_and_fractions_are_uniform() -> None:
    """Chi-square over ten values, with numbers and with fractions, one draw from each of many streams too."""
    state = stream(3)
    below = Counter(draw_below(state, 10) for _ in range(20_000))
    fractions = Counter(int(draw_fraction(state) * 10) for _ in range(20_000))
    starts = Counter(draw_below(stream(5, number), 10) for number in range(20_000))
    for counts in (below, fractions, starts):
        assert set(range(10)) == set(counts)
        assert chisquare(list(counts.values())).pvalue > 1e-6

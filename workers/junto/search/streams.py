"""The search's own random numbers: the same seed gives the same stream on every machine.

The generator is xoroshiro64** 1.0 (Blackman and Vigna, 2018): two words of 32 bits, kept in an int64
vector of two, 32 bits a draw, period 2^64 - 1. It needs no unsigned arithmetic, so kernels compute it
exactly alike compiled and in plain Python. A stream is chosen by a seed and two numbers (say: the number
of a world, and what its numbers are for); the words of its state are mixed from them by the finaliser of
MurmurHash3. Deals never come from here: see `junto.games.shuffle`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.jit import inlined, njit

Vector = npt.NDArray[np.int64]
_WORD: Final = 0xFFFFFFFF


@njit
def _mixed(word: int) -> int:
    word = (word ^ (word >> 16)) * 0x85EBCA6B & _WORD
    word = (word ^ (word >> 13)) * 0xC2B2AE35 & _WORD
    return int(word ^ (word >> 16))


@njit
def start_stream(state: Vector, seed: int, number: int, purpose: int) -> None:
    """Begin a stream: `state` (two words) from a seed of up to 63 bits and the stream's two numbers."""
    low = _mixed((seed & _WORD) ^ _mixed(number & _WORD))
    high = _mixed((seed >> 32) & _WORD ^ _mixed((purpose + 0x9E3779B9) & _WORD))
    first = _mixed((low + high * 0x9E3779BB) & _WORD)
    second = _mixed((high ^ first) + 0x6D2B79F5 & _WORD)
    state[0] = first
    state[1] = second | 1 if first == 0 else second


@inlined
def advance(first: int, second: int) -> tuple[int, int, int]:
    """Return 32 random bits and the next state's two words: for loops that keep the state in registers."""
    scrambled = first * 0x9E3779BB & _WORD
    scrambled = (scrambled << 5 | scrambled >> 27) & _WORD
    second ^= first
    first = ((first << 26 | first >> 6) ^ second ^ (second << 9)) & _WORD
    second = (second << 13 | second >> 19) & _WORD
    return scrambled * 5 & _WORD, first, second


@inlined
def draw_word(state: Vector) -> int:
    """Draw 32 random bits."""
    word, first, second = advance(int(state[0]), int(state[1]))
    state[0] = first
    state[1] = second
    return word


@inlined
def draw_below(state: Vector, limit: int) -> int:
    """Draw a number from 0 to limit - 1 (limit at most 2^31); its bias is below limit / 2^32."""
    return int(draw_word(state) * limit >> 32)


@njit
def draw_fraction(state: Vector) -> float:
    """Draw a float in [0, 1): a multiple of 2^-53."""
    high = draw_word(state) >> 5
    low = draw_word(state) >> 6
    return float((high * 67108864.0 + low) * (1.0 / 9007199254740992.0))

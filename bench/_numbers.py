"""Numbers of benchmarks' command lines: each has bounds, and what is outside them is refused in a line."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a whole number from `least` to `most`, for `add_argument(type=...)`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"it is a whole number, not {text[:40]!r}") from None
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"it is from {least} to {most}, not {text[:40]}")
        return number

    return read


def time_s(most: float) -> Callable[[str], float]:
    """Return what reads a time of more than nothing and at most so many seconds, for `add_argument(type=...)`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"it is a number of seconds, not {text[:40]!r}") from None
        if not (math.isfinite(number) and 0.0 < number <= most):
            raise argparse.ArgumentTypeError(f"it is more than 0 and at most {most:g} seconds, not {text[:40]}")
        return number

    return read

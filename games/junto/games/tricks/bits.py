"""Sets of cards as bits of an int64: counting them and taking one out, in a few instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from junto.games.jit import DISABLED, njit

if DISABLED:

    def count_cards(mask: int) -> int:
        """Return how many cards a set has."""
        return int(mask).bit_count()

    def lowest_card(mask: int) -> int:
        """Return the lowest-numbered card of a set that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def highest_card(mask: int) -> int:
        """Return the highest-numbered card of a set that is not empty."""
        return int(mask).bit_length() - 1

else:
    from llvmlite import ir
    from numba import extending
    from numba.core import types

    intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = extending.intrinsic

    @intrinsic
    def _population(_typing: Any, _mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _trailing_zeros(_typing: Any, _mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def _leading_zeros(_typing: Any, _mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @njit
    def count_cards(mask: int) -> int:
        """Return how many cards a set has."""
        return int(_population(mask))

    @njit
    def lowest_card(mask: int) -> int:
        """Return the lowest-numbered card of a set that is not empty."""
        return int(_trailing_zeros(mask))

    @njit
    def highest_card(mask: int) -> int:
        """Return the highest-numbered card of a set that is not empty."""
        return int(63 - _leading_zeros(mask))

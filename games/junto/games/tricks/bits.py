"""Sets of cards as bits of an int64: counting them and taking one out, in a few instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from junto.games.jit import DISABLED, inlined

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

    def nth_card(mask: int, number: int) -> int:
        """Return the card of a set with `number` lower-numbered ones in it."""
        return sorted(card for card in range(63) if mask >> card & 1)[number]

else:
    import llvmlite.binding
    from llvmlite import ir
    from numba import extending
    from numba.core import types

    _HAS_DEPOSIT = llvmlite.binding.get_host_cpu_features().get("bmi2", False)
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

    @inlined
    def count_cards(mask: int) -> int:
        """Return how many cards a set has."""
        return int(_population(mask))

    @inlined
    def lowest_card(mask: int) -> int:
        """Return the lowest-numbered card of a set that is not empty."""
        return int(_trailing_zeros(mask))

    @inlined
    def highest_card(mask: int) -> int:
        """Return the highest-numbered card of a set that is not empty."""
        return int(63 - _leading_zeros(mask))

    if _HAS_DEPOSIT:

        @intrinsic
        def _deposit(_typing: Any, _bits: Any, _mask: Any) -> Any:
            def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                word = ir.IntType(64)
                function = builder.module.declare_intrinsic(
                    "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
                )
                return builder.call(function, arguments)

            return types.int64(types.int64, types.int64), generate

        @inlined
        def nth_card(mask: int, number: int) -> int:
            """Return the card of a set with `number` lower-numbered ones in it."""
            return lowest_card(int(_deposit(1 << number, mask)))

    else:

        @inlined
        def nth_card(mask: int, number: int) -> int:
            """Return the card of a set with `number` lower-numbered ones in it."""
            for _ in range(number):
                mask &= mask - 1
            return lowest_card(mask)

"""What the pool's workers do: bytes of a `DecideRequest` in, a strategy's decision as bytes out.

The request is all that a worker gets of a deal. The strategy is found by its entry point; of the view it
is given, and of the budget, nothing is kept from one decision to the next.
"""

from __future__ import annotations

from typing import Final

from junto.games import jit
from junto.search.decisions import Budget
from junto.search.double_dummy import tricks_by_card
from junto.search.strategies import find_strategy
from junto.strategy.messages import decision_message
from junto.v1 import strategies_pb2
from junto.wire.decisions import Limits, read_budget
from junto.wire.errors import WireError
from junto.wire.requests import read_request

DECIDE = "junto.pool.decide:decide"
"""Import path of `decide`, for `PoolSettings`."""
WARM_UP = "junto.pool.decide:warm_up"
"""Import path of `warm_up`, for `PoolSettings`."""
_HANDING_OVER_S = 0.005
"""What it takes to hand a decision over, kept back from the time that is left."""
_LEAST_S = 0.001
_LAST_TRICK: Final = (1 << 0, 1 << 1, 1 << 2, 1 << 3)
_ALWAYS_THERE: Final = ("random", "greedy", "pimc")


def decide(strategy_id: str, request: bytes, time_left_s: float) -> bytes:
    """Return a strategy's decision, a serialised `DecideResponse`. See `junto.pool.seam.Decide`.

    Raises:
        UnknownStrategy: there is no such strategy.
        WireError, UnknownGame, OptionRefused: the request is not one that can be understood.
        StrategyError: the strategy cannot decide.
    """
    message = strategies_pb2.DecideRequest.FromString(request)
    budget = _budget(read_budget(message.budget), time_left_s)
    decision = find_strategy(strategy_id).decide(read_request(message), budget)
    return strategies_pb2.DecideResponse(decision=decision_message(decision)).SerializeToString()


def warm_up() -> None:
    """Load what decisions need, before the first one is asked for: kernels, strategies, the double-dummy solver.

    Kernels that are not kept on disk are compiled.
    """
    jit.warmup()
    tricks_by_card(_LAST_TRICK, trump=0, leader=0)
    for strategy_id in _ALWAYS_THERE:
        find_strategy(strategy_id)


def _budget(limits: Limits, time_left_s: float) -> Budget:
    time_s = max(_LEAST_S, time_left_s - _HANDING_OVER_S)
    if limits.time_ms is not None:
        time_s = min(time_s, limits.time_ms / 1000)
    try:
        return Budget(time_s=time_s, iterations=limits.iterations, seed=limits.seed)
    except ValueError as problem:
        raise WireError(str(problem)) from None

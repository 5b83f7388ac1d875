"""Budgets and decisions as messages, and back: what crosses between a strategy and whoever asks it."""

from __future__ import annotations

import math
from typing import Final

from junto.games.actions import Action, parse
from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Game
from junto.search.decisions import Budget, Decision, Evaluation
from junto.v1 import strategies_pb2
from junto.wire.actions import read_action
from junto.wire.decisions import Candidate, Limits, read_beliefs, read_budget, write_budget, write_decision
from junto.wire.times import read_span

MOST_COUNTED: Final = 10**12
"""No decision looks at more worlds, or plays more deals to their end."""
_SEED_BITS: Final = (1 << 64) - 1


class NoDecision(ValueError):
    """What a strategy returned is no decision."""


def budget_message(budget: Budget) -> strategies_pb2.Budget:
    """Return the message of a budget; a time is told in whole milliseconds, at least one."""
    time_ms = None if budget.time_s is None else max(1, round(budget.time_s * 1000))
    seed = None if budget.seed is None else budget.seed & _SEED_BITS
    return write_budget(Limits(time_ms, budget.iterations, seed))


def budget_of(message: strategies_pb2.Budget) -> Budget:
    """Return the budget of a message.

    Raises:
        ValueError: it has no limit, or one that cannot be.
    """
    limits = read_budget(message)
    return Budget(None if limits.time_ms is None else limits.time_ms / 1000, limits.iterations, limits.seed)


def decision_message(decision: Decision) -> strategies_pb2.Decision:
    """Return the message of a decision."""
    return write_decision(
        decision.action,
        (Candidate(one.action, one.mean, one.standard_error, one.visits) for one in decision.evaluations),
        roles=decision.roles,
        cards=decision.cards,
        worlds=decision.worlds,
        playouts=decision.playouts,
        elapsed_ms=round(decision.elapsed_s * 1000),
    )


def decision_of(message: strategies_pb2.Decision) -> Decision:
    """Return the decision of a message.

    Raises:
        WireError: an action, a card, a role or a zone in it is none of this game server's.
        ValueError: a number in it cannot be.
    """
    _check_numbers(message)
    roles, cards = read_beliefs(message)
    return Decision(
        action=read_action(message.action),
        evaluations=tuple(map(_evaluation, message.evaluations)),
        roles=roles,
        cards=cards,
        worlds=message.worlds if message.HasField("worlds") else None,
        playouts=message.playouts if message.HasField("playouts") else None,
        elapsed_s=read_span(message.elapsed) / 1000 if message.HasField("elapsed") else 0.0,
    )


def _check_numbers(message: strategies_pb2.Decision) -> None:
    for name in ("worlds", "playouts"):
        if not 0 <= getattr(message, name) <= MOST_COUNTED:
            raise ValueError(f"it tells of {getattr(message, name)} {name}")
    if message.HasField("elapsed") and read_span(message.elapsed) < 0:
        raise ValueError("it took less time than none")
    for one in message.evaluations:
        if not math.isfinite(one.mean) or not math.isfinite(one.standard_error) or one.visits < 0:
            raise ValueError("what it expects of an action is no number")


def _evaluation(message: strategies_pb2.Evaluation) -> Evaluation:
    return Evaluation(
        read_action(message.action),
        message.mean,
        message.standard_error if message.HasField("standard_error") else None,
        message.visits if message.HasField("visits") else None,
    )


def decision_from(answer: object, game: Game) -> Decision:
    """Return what a strategy returned as a decision: a `Decision`, an action, or an action's text (`play HT`).

    Raises:
        NoDecision: it is none of these.
    """
    match answer:
        case Decision():
            return answer
        case str():
            try:
                return Decision(parse(answer, combination=isinstance(game, ClimbingGame)))
            except ValueError as problem:
                raise NoDecision(f"it answered {_short(answer)}: {_short(str(problem))}") from None
        case _ if isinstance(answer, Action):
            return Decision(answer)
        case _:
            what = "nothing" if answer is None else f"a value of type {type(answer).__name__}"
            raise NoDecision(f"it answered {what}, not an action, an action's text or a Decision")


def _short(words: str) -> str:
    return repr(words if len(words) <= 60 else words[:57] + "...")

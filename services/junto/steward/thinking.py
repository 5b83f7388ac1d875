"""Ask the pool for a decision, and take the rule of thumb when none comes: a table never waits for ever.

Where the rule of thumb fails too, the action is the one that is taken when a player's time is up.

What goes out is a `DecideRequest`, what comes back a `DecideResponse`, both as bytes: the view of the seat
that decides and nothing else of its deal.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import structlog
from google.protobuf.message import DecodeError

from junto.games.actions import Action
from junto.games.core import RuleError
from junto.pool.errors import PoolBusy, PoolError, PoolUnavailable, WorkFailed
from junto.steward.metrics import StewardMetrics
from junto.table.aggregate import Table
from junto.table.seats import Bot
from junto.v1 import strategies_pb2
from junto.wire.actions import read_action
from junto.wire.decisions import Limits, write_budget, write_decision
from junto.wire.errors import WireError
from junto.wire.requests import request_bytes

_log = structlog.get_logger(__name__)

GREEDY = "greedy"
"""The strategy that stands in for one that fails: a rule of thumb, no search."""


class Thinkers(Protocol):
    """The pool, as the steward sees it."""

    @property
    def ready(self) -> bool:
        """Whether decisions can be asked for now."""

    async def decide(self, strategy_id: str, request: bytes, timeout_s: float) -> bytes:
        """Return the serialised answer to a serialised request, or raise `PoolError`."""


class BadDecision(Exception):
    """A bot's answer is none: not readable, or against the rules."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, the thoughts behind it, and whether the rule of thumb made it in the bot's stead."""

    action: Action
    decision: bytes
    is_fallback: bool = False


class Thinking:
    """Decisions for seats.

    Args:
        pool: who decides.
        rule_of_thumb: decides at once, in this process: a strategy's name and a request to an answer.
        metrics: what is counted.
        time_s: how long a bot may think at most.
        grace_s: how much later than that its answer may come.
        patience_s: how long a pool that is away is waited for.
    """

    def __init__(
        self,
        pool: Thinkers,
        rule_of_thumb: Callable[[str, bytes], bytes],
        metrics: StewardMetrics,
        *,
        time_s: float,
        grace_s: float,
        patience_s: float,
    ) -> None:
        self.pool = pool
        self._rule_of_thumb = rule_of_thumb
        self._metrics = metrics
        self._time_s = time_s
        self._grace_s = grace_s
        self._patience_s = patience_s

    async def decide(self, table: Table, seat: int, bot: Bot) -> Decided:
        """Return the decision of a bot for the seat to act; of the rule of thumb if the bot's is late or bad."""
        assert table.deal is not None
        assert table.deal.state is not None
        limits = self._limits(bot)
        request = request_bytes(
            table.deal.state.view(seat, table.match_view),
            _decision_id(table),
            write_budget(limits),
            version=table.deal.prompt_version,
        )
        assert limits.time_ms is not None
        try:
            answer = await self._ask(bot.strategy_id, request, limits.time_ms / 1000 + self._grace_s)
            decided = self._read(table, answer)
        except (PoolError, BadDecision) as problem:
            self._metrics.decisions.labels(type(problem).__name__).inc()
            self._metrics.fallbacks.inc()
            log = _log.error if isinstance(problem, WorkFailed | BadDecision) else _log.warning
            log("rule of thumb", strategy=bot.strategy_id, table=table.table_id, problem=str(problem))
            return self._fallback(table, request)
        self._metrics.decisions.labels("answered").inc()
        return decided

    def _fallback(self, table: Table, request: bytes) -> Decided:
        assert table.deal is not None
        assert table.deal.state is not None
        try:
            thumb = self._read(table, self._rule_of_thumb(GREEDY, request))
        except Exception as problem:  # noqa: BLE001  # whatever is wrong with it, the table goes on
            _log.error("default action", table=table.table_id, problem=type(problem).__name__)
            action = table.deal.state.default_action()
            return Decided(action, write_decision(action).SerializeToString(), is_fallback=True)
        return Decided(thumb.action, thumb.decision, is_fallback=True)

    async def hint(self, bot: Bot, request: strategies_pb2.DecideRequest) -> strategies_pb2.Decision:
        """Return what a bot would do.

        Raises:
            PoolError: nobody can say.
            BadDecision: the answer is not readable.
        """
        limits = self._limits(bot)
        assert limits.time_ms is not None
        request.budget.CopyFrom(write_budget(limits))
        answer = await self._ask(bot.strategy_id, request.SerializeToString(), limits.time_ms / 1000 + self._grace_s)
        return _decision(answer)

    async def _ask(self, strategy_id: str, request: bytes, timeout_s: float) -> bytes:
        """Ask the pool; again after a while if it is busy or away, as long as patience for that lasts."""
        started_s = time.monotonic()
        with self._metrics.thinking.track_inprogress():
            while True:
                try:
                    answer = await self.pool.decide(strategy_id, request, timeout_s)
                except (PoolBusy, PoolUnavailable) as problem:
                    patience_s = timeout_s if isinstance(problem, PoolBusy) else self._patience_s
                    if time.monotonic() + problem.retry_after_s > started_s + patience_s:
                        raise
                    await asyncio.sleep(problem.retry_after_s)
                else:
                    self._metrics.decision_seconds.observe(time.monotonic() - started_s)
                    return answer

    def _limits(self, bot: Bot) -> Limits:
        asked = bot.budget or Limits()
        most_ms = int(self._time_s * 1000)
        return asked._replace(time_ms=min(asked.time_ms or most_ms, most_ms))

    def _read(self, table: Table, answer: bytes) -> Decided:
        decision = _decision(answer)
        self._metrics.worlds.inc(decision.worlds)
        self._metrics.playouts.inc(decision.playouts)
        assert table.deal is not None
        assert table.deal.state is not None
        try:
            action = read_action(decision.action)
            table.deal.state.check(action)
        except WireError as problem:
            raise BadDecision(f"not an action: {problem}") from problem
        except RuleError:
            # Which rule it breaks is not said: that can name cards of the hand, and this is logged.
            raise BadDecision("the action is not legal") from None
        return Decided(action, decision.SerializeToString())


def _decision(answer: bytes) -> strategies_pb2.Decision:
    try:
        return strategies_pb2.DecideResponse.FromString(answer).decision
    except DecodeError as problem:
        raise BadDecision(f"not a DecideResponse: {problem}") from problem


def _decision_id(table: Table) -> str:
    """Return the same id for every repetition of one question."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{table.table_id} {table.version}"))

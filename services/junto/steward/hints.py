"""Hints: a front asks through the store for what a bot would do; whoever works the shard answers."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from google.protobuf.message import DecodeError

from junto.internal.v1 import store_pb2
from junto.pool.errors import PoolError
from junto.steward.metrics import StewardMetrics
from junto.steward.thinking import BadDecision, Thinking
from junto.table.messages import read_bot
from junto.table.shard_work import ShardWork

_log = structlog.get_logger(__name__)


class Hints:
    """Answers hints.

    Args:
        work: where they are asked for.
        thinking: whom to ask.
        metrics: what is counted.
        now_ms: the store's time.
    """

    def __init__(self, work: ShardWork, thinking: Thinking, metrics: StewardMetrics, now_ms: Callable[[], int]) -> None:
        self._work = work
        self._thinking = thinking
        self._metrics = metrics
        self._now_ms = now_ms

    async def answer(self, payload: bytes) -> None:
        """Answer a hint that was taken, if somebody still waits for it.

        Raises:
            StoreUnavailable: Redis cannot be reached.
        """
        try:
            job = store_pb2.HintJob.FromString(payload)
        except DecodeError:
            _log.exception("a hint that cannot be read")
            return
        if job.expire_ms < self._now_ms():
            self._metrics.hints.labels("expired").inc()
            return
        reply = await self._reply(job)
        await self._work.answer(job.reply_channel, reply.SerializeToString())

    async def _reply(self, job: store_pb2.HintJob) -> store_pb2.HintReply:
        try:
            decision = await self._thinking.hint(read_bot(job.bot), job.request)
        except (PoolError, BadDecision) as problem:
            self._metrics.hints.labels(type(problem).__name__).inc()
            return store_pb2.HintReply(id=job.id, error=str(problem))
        self._metrics.hints.labels("answered").inc()
        return store_pb2.HintReply(id=job.id, decision=decision)

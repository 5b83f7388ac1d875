"""Hints: asked of a steward through the store, awaited on this process's private channel."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog
from google.protobuf.message import DecodeError

from junto.front.limits import Slots
from junto.internal.v1 import store_pb2
from junto.table.aggregate import Table
from junto.table.errors import PoolBusy
from junto.table.messages import write_bot
from junto.table.seats import Bot
from junto.table.shard_work import ShardWork
from junto.table.store import Store
from junto.v1 import strategies_pb2
from junto.wire.decisions import Limits, write_budget
from junto.wire.requests import request_bytes

MOST_AT_ONCE: Final = 64
"""How many hints one process waits for at a time."""

MOST_OF_A_PLAYER: Final = 4
"""How many of them one player may wait for, lest there be none for the others."""

_log = structlog.get_logger(__name__)


class Hints:
    """Asks for hints and takes the answers.

    Args:
        store: where hints are asked for.
        now_ms: the store's time.
        time_ms: how long may be thought about one.
        grace_ms: how much later than that it may come.
    """

    def __init__(self, store: Store, now_ms: Callable[[], int], *, time_ms: int, grace_ms: int) -> None:
        self._work = ShardWork(store)
        self._keyspace = store.keyspace
        self._reply_channel = ""
        self._now_ms = now_ms
        self._time_ms = time_ms
        self._grace_ms = grace_ms
        self._awaited: dict[str, asyncio.Future[store_pb2.HintReply]] = {}
        self._slots = Slots(MOST_OF_A_PLAYER, MOST_AT_ONCE, "hints under way")

    def start(self, reply_channel: str) -> None:
        """Say where hints are answered: on this process's private channel."""
        self._reply_channel = reply_channel

    async def ask(self, table: Table, seat: int, bot: Bot) -> strategies_pb2.Decision:
        """Return what the bot would do in the seat's place; it is told what the seat knows, and nothing else.

        Raises:
            PoolBusy: nobody answered in time, or too much is asked for.
            Fault: TOO_MANY, the seat's player waits for several already.
            StoreUnavailable: Redis cannot be reached.
        """
        if len(self._awaited) >= MOST_AT_ONCE:
            raise PoolBusy("too many hints are being thought about: try again in a moment")
        player = table.seats[seat].player
        key = None if player is None else player.id
        self._slots.enter(key)
        try:
            return await self._answer(table, seat, bot)
        finally:
            self._slots.leave(key)

    async def _answer(self, table: Table, seat: int, bot: Bot) -> strategies_pb2.Decision:
        job = self._job(table, seat, bot)
        awaited: asyncio.Future[store_pb2.HintReply] = asyncio.get_running_loop().create_future()
        self._awaited[job.id] = awaited
        try:
            shard = self._keyspace.shard_of(table.table_id)
            if not await self._work.ask(shard, job.SerializeToString()):
                raise PoolBusy("too many hints are asked for: try again in a moment")
            async with asyncio.timeout((self._time_ms + self._grace_ms) / 1000):
                reply = await awaited
        except TimeoutError:
            raise PoolBusy("nobody had time to think about a hint: try again in a moment") from None
        finally:
            del self._awaited[job.id]
        if not reply.HasField("decision"):
            _log.info("hint failed", error=reply.error)
            raise PoolBusy("the hint failed: try again in a moment")
        return reply.decision

    def answered(self, payload: bytes) -> None:
        """Take an answer; one that nobody waits for any longer is dropped."""
        try:
            reply = store_pb2.HintReply.FromString(payload)
        except DecodeError:
            _log.warning("a hint's answer that cannot be read")
            return
        awaited = self._awaited.get(reply.id)
        if awaited is not None and not awaited.done():
            awaited.set_result(reply)

    def _job(self, table: Table, seat: int, bot: Bot) -> store_pb2.HintJob:
        assert table.deal is not None
        limits = bot.budget or Limits()
        limits = limits._replace(time_ms=min(limits.time_ms or self._time_ms, self._time_ms))
        request = request_bytes(
            table.playable.view(seat, table.match_view),
            str(uuid.uuid4()),
            write_budget(limits),
            version=table.deal.prompt_version,
        )
        job = store_pb2.HintJob(
            id=str(uuid.uuid4()),
            reply_channel=self._reply_channel,
            expire_ms=self._now_ms() + self._time_ms + self._grace_ms,
            bot=write_bot(replace(bot, budget=limits)),
        )
        job.request.MergeFromString(request)
        return job

"""The steward's loop: hear what changed, come to tables when they are due, answer hints, share shards.

Any number of stewards may run. One that is killed loses nothing: leases expire, `due` entries stay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Self, TypeVar

import structlog

from junto.steward.agenda import UNKNOWN, Agenda, Visit
from junto.steward.attending import Attending
from junto.steward.hints import Hints
from junto.steward.metrics import StewardMetrics
from junto.steward.shares import Shares
from junto.steward.thinking import Thinkers, Thinking
from junto.table.aggregate import Change
from junto.table.changes import Changes
from junto.table.keys import Shard
from junto.table.seats import TableId
from junto.table.service import Tables, keep_of
from junto.table.settings import Settings
from junto.table.shard_work import ShardWork
from junto.table.snapshot import NewerSchema
from junto.table.store import Store
from junto.table.store_errors import StoreError

Key = TypeVar("Key")

_log = structlog.get_logger(__name__)

THINKERS_ROLE = "thinkers"
"""As what stewards whose pool takes decisions are present in the store."""
AGAIN_MS = 500
"""When to come back to a table at which something went wrong."""
ALONE_MS = 60_000
"""When to come back to a table that a newer process wrote."""
SWEEP_LIMIT = 1000
"""How many due tables of a shard one sweep takes note of."""


class Steward:
    """One steward. Use it as `async with Steward(...)`; it is at work in the body.

    Args:
        store: the tables.
        now_ms: the store's time.
        pool: who decides for bots.
        rule_of_thumb: decides at once when the pool does not: a strategy's name and a request to an answer.
        settings: how often and how long.
        metrics: what is counted.
        name: unique among stewards.
    """

    def __init__(
        self,
        store: Store,
        *,
        now_ms: Callable[[], int],
        pool: Thinkers,
        rule_of_thumb: Callable[[str, bytes], bytes],
        settings: Settings,
        metrics: StewardMetrics,
        name: str,
    ) -> None:
        self.tables = Tables(store, keep_of(settings), now_ms, self._committed)
        self._store = store
        self._keyspace = store.keyspace
        self._settings = settings
        self._metrics = metrics
        self._now_ms = now_ms
        self._pool = pool
        self._work = ShardWork(store)
        self._shares = Shares(self._work, store.keyspace, name, settings.lease_seconds)
        self._agenda = Agenda(now_ms)
        self._changes = Changes(store.connection, store.keyspace, self, hints=True)
        grace_s = settings.bot_grace_seconds
        thinking = Thinking(
            pool,
            rule_of_thumb,
            metrics,
            time_s=settings.bot_time_seconds,
            grace_s=grace_s,
            patience_s=settings.pool_patience_seconds,
        )
        hinting = Thinking(
            pool, rule_of_thumb, metrics, time_s=settings.hint_time_seconds, grace_s=grace_s, patience_s=grace_s
        )
        self._attending = Attending(self.tables, thinking, self._shares.outages, metrics)
        self._hints = Hints(self._work, hinting, metrics, now_ms)
        self._busy: dict[TableId, asyncio.Task[None]] = {}
        self._again: dict[TableId, Visit] = {}
        self._taking: dict[Shard, asyncio.Task[None]] = {}
        self._hinting: dict[bytes, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(settings.max_decisions)
        self._missed = asyncio.Event()
        self._loops: list[asyncio.Task[None]] = []

    @property
    def held(self) -> frozenset[Shard]:
        """The shards that it works now."""
        return self._shares.held

    # --- notices (`junto.table.changes.Listener`)

    def changed(self, table_id: TableId, version: int, due_ms: int | None) -> None:
        """Take note of what another process committed."""
        if self._keyspace.shard_of(table_id) in self._shares.held:
            self._agenda.note(table_id, version, due_ms)

    def asked(self, shard: Shard) -> None:
        """Answer the hints of a shard."""
        if shard in self._shares.held and shard not in self._taking:
            self._start(self._take_hints(shard), self._taking, shard)

    def answered(self, payload: bytes) -> None:
        """Ignore what is sent to this process: it asks nobody."""

    def missed(self) -> None:
        """Look at everything again: notices may have been lost."""
        self._missed.set()

    def _committed(self, change: Change) -> None:
        table = change.table
        self.changed(table.table_id, table.version, self.tables.duty(table).at_ms)

    # --- the loops

    async def __aenter__(self) -> Self:
        await self._changes.__aenter__()
        await self._take_shift()
        steps = (self._keep_shares, self._sweep, self._come)
        self._loops = [asyncio.create_task(self._for_ever(step)) for step in steps]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop in order: take nothing new, let what is under way end, give the leases back."""
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        under_way = [*self._busy.values(), *self._taking.values(), *self._hinting.values()]
        if under_way:
            late = (await asyncio.wait(under_way, timeout=self._settings.drain_seconds))[1]
            for task in late:
                task.cancel()
        await self._shares.leave()
        await self._work_present(0)
        await self._changes.__aexit__(None, None, None)

    async def _for_ever(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Take a step again and again; one that fails is logged and counted, and the next one is taken."""
        while True:
            try:
                await step()
            except StoreError as problem:
                _log.warning("store away", step=step.__name__, problem=str(problem))
                await asyncio.sleep(AGAIN_MS / 1000)
            except Exception:  # noqa: BLE001  # a loop that ends would leave a steward that does nothing
                self._metrics.faults.inc()
                _log.exception("fault of the steward", step=step.__name__)
                await asyncio.sleep(AGAIN_MS / 1000)

    async def _keep_shares(self) -> None:
        """Renew the leases when that is due."""
        await asyncio.sleep(self._settings.lease_seconds / 3)
        await self._take_shift()

    async def _take_shift(self) -> None:
        shift = await self._shares.renew()
        self._metrics.shards.set(len(self._shares.held))
        self._metrics.pool_ready.set(self._pool.ready)
        await self._work_present(2 * self._settings.lease_seconds if self._pool.ready else 0)
        if shift.lost:
            await self._changes.unwant(shift.lost)
            self._agenda.forget(lambda table_id: self._keyspace.shard_of(table_id) in shift.lost)
        if shift.gained:
            _log.info("shards taken", gained=len(shift.gained), lost=len(shift.lost), held=len(self._shares.held))
            await self._changes.want(shift.gained)
            self._missed.set()

    async def _work_present(self, life_s: float) -> None:
        try:
            await self._work.be_present(THINKERS_ROLE, self._shares.name, int(life_s * 1000))
        except StoreError as problem:
            _log.debug("presence not told", problem=str(problem))

    async def _sweep(self) -> None:
        """Look into the `due` sets: at once when notices may have been lost, and now and then anyway."""
        self._missed.clear()  # first: what is missed while this looks is looked for again
        horizon_ms = self._now_ms() + int(2000 * self._settings.sweep_seconds)
        held = sorted(self._shares.held)
        found = await asyncio.gather(*(self._work.due_before(shard, horizon_ms, SWEEP_LIMIT) for shard in held))
        for due in (one for dues in found for one in dues):
            self._agenda.note(due.table_id, UNKNOWN, due.due_ms)
        for shard in held:
            self.asked(shard)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.sweep_seconds):
                await self._missed.wait()

    async def _come(self) -> None:
        """Come to each table that is due."""
        await self._agenda.wait(self._settings.sweep_seconds)
        for visit in self._agenda.take():
            if visit.table_id in self._busy:
                self._again[visit.table_id] = visit
            else:
                self._start(self._attend(visit.table_id, visit.due_ms), self._busy, visit.table_id)
        self._metrics.waiting.set(len(self._agenda))

    async def _attend(self, table_id: TableId, due_ms: int) -> None:
        async with self._places:
            self._metrics.due_lag.observe(max(0, self._now_ms() - due_ms) / 1000)
            try:
                later = await self._attending.attend(table_id)
            except NewerSchema as problem:
                _log.info("table left alone", table=table_id, problem=str(problem))
                later = UNKNOWN, self._now_ms() + ALONE_MS
            except StoreError as problem:
                _log.warning("table not attended", table=table_id, problem=str(problem))
                later = UNKNOWN, self._now_ms() + AGAIN_MS
            except Exception:  # noqa: BLE001  # one broken table must not stop the others; it is logged and counted
                self._metrics.faults.inc()
                _log.exception("fault at a table", table=table_id)
                later = UNKNOWN, self._now_ms() + 10 * AGAIN_MS
        self._busy.pop(table_id, None)  # before it is noted again, or it would be found busy and be forgotten
        if later is not None:
            self._agenda.note(table_id, *later)
        if (again := self._again.pop(table_id, None)) is not None:
            self._agenda.note(*again)

    async def _take_hints(self, shard: Shard) -> None:
        try:
            while (payload := await self._work.take_hint(shard)) is not None:
                self._start(self._answer(payload), self._hinting, payload)
        except StoreError as problem:
            _log.warning("hints not taken", problem=str(problem))

    async def _answer(self, payload: bytes) -> None:
        async with self._places:
            try:
                await self._hints.answer(payload)
            except StoreError as problem:
                _log.warning("hint not answered", problem=str(problem))
            except Exception:  # noqa: BLE001  # as above
                self._metrics.faults.inc()
                _log.exception("fault at a hint")

    def _start(self, work: Coroutine[Any, Any, None], under_way: dict[Key, asyncio.Task[None]], key: Key) -> None:
        task = under_way[key] = asyncio.create_task(work)
        task.add_done_callback(lambda _: under_way.pop(key, None))

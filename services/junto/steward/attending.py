"""Do what is due at one table: ask the table what its duty is, do that, commit it.

Nothing is remembered between a table's being due and its being done, so a steward may die anywhere: the
`due` entry moves only with the commit, and who comes next asks the table again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import structlog

from junto.steward.metrics import StewardMetrics
from junto.steward.shares import Outage
from junto.steward.thinking import Thinking
from junto.table import faultpoints
from junto.table.aggregate import Table
from junto.table.commands import Act, Close, Command, Credit, DealCards, OpenDeal, StandIn
from junto.table.duties import Duty, Task
from junto.table.errors import TableError, TableNotFound
from junto.table.faultpoints import Point
from junto.table.keys import Shard
from junto.table.seats import Actor, Bot, TableId
from junto.table.service import Tables

_log = structlog.get_logger(__name__)

_CREDITED_MOST = 10_000


class Attending:
    """Does the duties of tables.

    Args:
        tables: the tables.
        thinking: decides for bots.
        outages: by shard, when nobody was at work: players get that time back.
        metrics: what is counted.
    """

    def __init__(
        self, tables: Tables, thinking: Thinking, outages: Mapping[Shard, Outage], metrics: StewardMetrics
    ) -> None:
        self._tables = tables
        self._thinking = thinking
        self._outages = outages
        self._metrics = metrics
        self._credited: dict[tuple[TableId, int, Outage], None] = {}

    async def attend(self, table_id: TableId) -> tuple[int, int] | None:
        """Do a table's duty if it is due.

        Returns the table's version and the time at which its duty is due, if it is not yet; None: it was done, by
        this steward or by somebody else.

        Raises:
            NewerSchema: a newer process wrote the table; it is that one's.
            StoreUnavailable: Redis cannot be reached.
        """
        try:
            table = await self._tables.get(table_id)
            duty = self._tables.duty(table)
            if duty.at_ms > self._tables.now_ms():
                return table.version, duty.at_ms
            await self._do(table, duty)
        except TableNotFound:
            return None
        except TableError as refusal:  # somebody else was faster, and the table is not what it was
            self._metrics.conflicts.inc()
            _log.debug("duty was done", table=table_id, refusal=str(refusal))
        return None

    async def _do(self, table: Table, duty: Duty) -> None:
        if duty.task is Task.REMOVE:
            await self._tables.remove(table)
        elif credit := self._credit(table, duty):
            await self._submit(table, credit)
        else:
            command = await self._command(table, duty)
            faultpoints.at(Point.DECIDED)
            await self._submit(table, command)
        faultpoints.at(Point.DONE)
        self._metrics.duties.labels(duty.task.name.lower()).inc()

    async def _command(self, table: Table, duty: Duty) -> Command:
        match duty.task:
            case Task.BOT_TURN:
                return await self._decided(table, duty, Actor.BOT, lambda seat: table.seats[seat].bot)
            case Task.STAND_IN_TURN:
                return await self._decided(table, duty, Actor.STAND_IN, lambda _: table.settings.stand_in)
            case Task.STAND_IN:
                assert duty.seat is not None
                return StandIn(duty.seat)
            case Task.DEFAULT_ACTION:
                assert duty.seat is not None
                return Act(duty.seat, Actor.CLOCK, table.playable.default_action())
            case Task.DEAL_CARDS:
                return DealCards()
            case Task.OPEN_DEAL:
                return OpenDeal(secrets.token_bytes(32))
            case Task.CLOSE:
                return Close()
            case Task.REMOVE:
                raise AssertionError("a table is not removed by a command")

    async def _decided(self, table: Table, duty: Duty, actor: Actor, whose: Callable[[int], Bot | None]) -> Command:
        assert duty.seat is not None
        bot = whose(duty.seat)
        assert bot is not None
        decided = await self._thinking.decide(table, duty.seat, bot)
        return Act(duty.seat, actor, decided.action, decided.decision)

    async def _submit(self, table: Table, command: Command) -> None:
        def decide(now: Table) -> Command:
            if isinstance(command, Act):
                now.require_prompt(table.version)  # who comes and goes meanwhile makes a decision no less good
            else:
                now.require_version(table.version)
            return command

        await self._tables.submit(table.table_id, decide)

    def _credit(self, table: Table, duty: Duty) -> Command | None:
        """Return the time that an outage took from a running clock, once for each clock and outage."""
        outage = self._outages.get(self._tables.store.keyspace.shard_of(table.table_id))
        if outage is None or table.clock is None or duty.task not in {Task.STAND_IN, Task.DEFAULT_ACTION}:
            return None
        key = (table.table_id, table.clock.start_ms, outage)
        lost_ms = outage.overlap_ms(table.clock.start_ms)
        if not lost_ms or key in self._credited:
            return None
        self._credited[key] = None
        if len(self._credited) > _CREDITED_MOST:
            del self._credited[next(iter(self._credited))]
        return Credit(lost_ms)

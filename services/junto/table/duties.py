"""What the server itself has to do at a table next, and when: one duty at a time, all from the table's state.

A commit stores the duty's time in the shard's `due` set; the steward that finds it there loads the table and
asks again what the duty is. So nothing about it is remembered anywhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from junto.table.aggregate import Table, TableDeal
from junto.table.playing import all_entropy_is_in
from junto.table.seats import Status
from junto.table.turns import deadline_ms

PAUSE_MS: Final = 5_000
"""How long a result stays on the table before the next deal, if a player is seated and nothing else is set."""


class Task(Enum):
    """What is to be done."""

    BOT_TURN = auto()
    """Let the seat's bot decide."""
    STAND_IN = auto()
    """Let the stand-in take over the seat whose time is up."""
    STAND_IN_TURN = auto()
    """Let the stand-in decide."""
    DEFAULT_ACTION = auto()
    """Take the default action of the seat whose time is up."""
    DEAL_CARDS = auto()
    """Deal the cards: the time for entropy is over."""
    OPEN_DEAL = auto()
    """Open the next deal."""
    CLOSE = auto()
    """Close a table on which nothing happens."""
    REMOVE = auto()
    """Remove the table from the store."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A task, for which seat if it is a seat's, and when it is due."""

    task: Task
    at_ms: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """How long tables are kept on which nothing happens: `over_ms` once finished or closed, else `idle_ms`."""

    over_ms: int
    idle_ms: int


def duty(table: Table, keep: Keep) -> Duty:
    """Return what the server has to do at the table next. Every table has a duty: none is kept for ever."""
    match table.status:
        case Status.OPEN:
            return Duty(Task.REMOVE, table.touched_ms + keep.idle_ms)
        case Status.FINISHED | Status.CLOSED:
            return Duty(Task.REMOVE, table.touched_ms + keep.over_ms)
        case Status.PLAYING:
            assert table.deal is not None
            return _deal_duty(table, table.deal) or Duty(Task.CLOSE, table.touched_ms + keep.idle_ms)


def _deal_duty(table: Table, deal: TableDeal) -> Duty | None:
    if deal.state is None:
        at_ms = table.touched_ms if all_entropy_is_in(table) else deal.entropy_until_ms
        return Duty(Task.DEAL_CARDS, at_ms)
    if deal.is_over:
        return Duty(Task.OPEN_DEAL, deal.over_ms + (0 if deal.is_void else _pause_ms(table)))
    until_ms = deadline_ms(table)
    if until_ms is None:
        return None
    to_act = deal.state.to_act
    assert to_act is not None
    return Duty(_turn_task(table, to_act), until_ms or table.touched_ms, to_act)


def _turn_task(table: Table, number: int) -> Task:
    seat = table.seats[number]
    if seat.bot is not None:
        return Task.BOT_TURN
    if seat.stand_in:
        return Task.STAND_IN_TURN
    return Task.STAND_IN if table.settings.stand_in is not None and not seat.left else Task.DEFAULT_ACTION


def _pause_ms(table: Table) -> int:
    if table.settings.pause_ms is not None:
        return table.settings.pause_ms
    return PAUSE_MS if any(seat.is_manned for seat in table.seats) else 0

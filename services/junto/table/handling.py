"""The table's one door: a command goes in, the next table and what happened come out.

`handle` decides and `fold` replays, by the same path, so a log of accepted commands always gives the same
table. A command that is refused raises a leaf of `TableError`; the table, being immutable, stays equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from junto.table.aggregate import Change, Entry, Table
from junto.table.commands import (
    Act,
    AddEntropy,
    Close,
    Command,
    CreateTable,
    Credit,
    DealCards,
    Join,
    Leave,
    OpenDeal,
    Presence,
    SeatBot,
    StandIn,
    StartMatch,
)
from junto.table.errors import NotAllowed, TableError
from junto.table.lobby import bot_seated, closed, joined, left, opened, present
from junto.table.playing import (
    Happened,
    acted,
    cards_dealt,
    credited,
    deal_opened,
    entropy_added,
    started,
    stood_in,
)
from junto.table.seats import SERVER, PlayerId

_OF_THE_SERVER = (OpenDeal, DealCards, Presence, StandIn, Credit)


class BrokenLog(Exception):
    """A log does not fold: a version is missing, or a command of it is refused by these rules."""


def create(command: CreateTable, by: PlayerId, now_ms: int) -> Change:
    """Return the opening of a table."""
    table = replace(opened(command, now_ms), version=1)
    return Change(None, table, Entry(1, now_ms, by, command))


def handle(table: Table, command: Command, by: PlayerId, now_ms: int) -> Change | None:
    """Return what the command does; None: nothing needs to change.

    Raises:
        TableError: the table refuses it.
    """
    if by != SERVER and isinstance(command, _OF_THE_SERVER):
        raise NotAllowed("only the server may do this")
    after, events = _transition(table, command, by, now_ms)
    if after is table and isinstance(command, Presence | Credit):
        return None
    version = table.version + 1
    after = replace(after, version=version, touched_ms=max(now_ms, table.touched_ms))
    return Change(table, after, Entry(version, now_ms, by, command), events)


def fold(table: Table | None, entry: Entry) -> Change:
    """Return what a logged command did.

    Raises:
        BrokenLog: it does not follow on the table.
    """
    if (table.version if table else 0) + 1 != entry.version:
        raise BrokenLog(f"version {entry.version} does not follow {table.version if table else 0}")
    if table is None:
        if not isinstance(entry.command, CreateTable):
            raise BrokenLog("the first command does not open the table")
        return create(entry.command, entry.by, entry.time_ms)
    try:
        change = handle(table, entry.command, entry.by, entry.time_ms)
    except TableError as error:
        # Its sentence is for the one who asked, and can name cards of a hand; this one goes into logs.
        raise BrokenLog(f"version {entry.version} is refused: {type(error).__name__}") from None
    if change is None:
        raise BrokenLog(f"version {entry.version} changes nothing")
    return change


def fold_all(table: Table | None, entries: Iterable[Entry]) -> Table | None:
    """Return the table after logged commands.

    Raises:
        BrokenLog: one does not follow.
    """
    for entry in entries:
        table = fold(table, entry).table
    return table


def _transition(table: Table, command: Command, by: PlayerId, now_ms: int) -> Happened:
    match command:
        case Act():
            return acted(table, command, by, now_ms)
        case Presence():
            return present(table, command, now_ms), ()
        case OpenDeal():
            return deal_opened(table, command, now_ms)
        case DealCards():
            return cards_dealt(table, command, now_ms)
        case AddEntropy():
            return entropy_added(table, command, by, now_ms)
        case StandIn():
            return stood_in(table, command, now_ms), ()
        case Credit():
            return credited(table, command), ()
        case Join():
            return joined(table, command, now_ms), ()
        case Leave():
            return left(table, command, by, now_ms), ()
        case SeatBot():
            return bot_seated(table, command, by), ()
        case StartMatch():
            return started(table, command, by, now_ms)
        case Close():
            return closed(table, command, by), ()
        case CreateTable():
            raise NotAllowed("the table is open already")

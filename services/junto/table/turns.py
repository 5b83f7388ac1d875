"""Whose move the server waits for, and how long: the clock of the seat to act, stand-ins, and the way back.

A present player has the turn's time and then the time bank, if the table has a clock. When it is out, the
stand-in plays, or the default action is taken. A player whose connection is gone at a table without a clock
has `ABSENT_MS`. One who has left is not waited for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from junto.table.aggregate import Table, TurnClock
from junto.table.seats import Seat

ABSENT_MS: Final = 60_000
"""How long a table without a clock waits for a player whose connection is gone."""

MOST_ON_A_TURN: Final = 12
"""After so many entries of the log on one turn nobody gets it back any more: each return starts the clock anew, and
who came and went would be waited for without end."""


def with_seat(table: Table, number: int, seat: Seat) -> Table:
    """Return the table with that seat changed."""
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def with_clock(table: Table, now_ms: int) -> Table:
    """Return the table with a fresh clock for the decision that is due."""
    clock = None
    to_act = table.to_act
    if to_act is not None and table.settings.turn_ms is not None:
        seat = table.seats[to_act]
        if seat.is_manned and not seat.stand_in:
            turn_end_ms = now_ms + table.settings.turn_ms
            clock = TurnClock(now_ms, turn_end_ms, turn_end_ms + seat.bank_ms)
    return table if clock == table.clock else replace(table, clock=clock)


def deadline_ms(table: Table) -> int | None:
    """Return when the server acts for the seat whose turn it is; None: it waits. Bots and those who left: 0."""
    to_act = table.to_act
    if to_act is None:
        return None
    seat = table.seats[to_act]
    if not seat.is_manned or seat.stand_in:
        return 0
    if table.clock is not None:
        return table.clock.deadline_ms
    return seat.gone_ms + ABSENT_MS if seat.gone_ms else None


def spend_bank(table: Table, number: int, now_ms: int) -> Table:
    """Return the table with the time beyond the turn's own taken from the seat's bank."""
    if table.clock is None or now_ms <= table.clock.turn_end_ms:
        return table
    seat = table.seats[number]
    left_ms = max(0, seat.bank_ms - (now_ms - table.clock.turn_end_ms))
    return with_seat(table, number, replace(seat, bank_ms=left_ms))


def handed_back(table: Table, number: int, now_ms: int) -> Table:
    """Return the table with the seat in its player's own hands, with a fresh clock if it is its turn."""
    seat = table.seats[number]
    back = replace(seat, stand_in=False, left=False, gone_ms=0)
    if back == seat:
        return table
    table = with_seat(table, number, back)
    was_played = seat.stand_in or seat.left
    return with_clock(table, now_ms) if was_played and table.to_act == number else table


def is_played_out(table: Table, number: int) -> bool:
    """Tell whether others play this turn for the seat whatever its player does, short of acting."""
    seat, deal = table.seats[number], table.deal
    if table.to_act != number or deal is None or not (seat.stand_in or seat.left):
        return False
    return table.version - deal.prompt_version >= MOST_ON_A_TURN

"""Seats are taken and given up, bots sit down, connections come and go, the table is closed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from junto.table.aggregate import Header, LogStart, Table
from junto.table.commands import Close, CreateTable, Join, Leave, Presence, SeatBot
from junto.table.errors import MatchStarted, NotHost, NotNow, NotSeated, Over, SeatNotFound, SeatTaken
from junto.table.seats import SERVER, PlayerId, Seat, Status
from junto.table.turns import handed_back, is_played_out, with_clock, with_seat

MOST_IN_A_DEAL: Final = 1000
"""After so many entries in a deal's log nobody leaves or comes back before the next deal: who wants the deal back
has to read them all."""


def opened(command: CreateTable, now_ms: int) -> Table:
    """Return a new table, every seat free."""
    return Table(
        header=Header(command.table_id, command.game, command.settings, command.host, now_ms),
        version=0,
        status=Status.OPEN,
        seats=(Seat(),) * command.game.seats,
        touched_ms=now_ms,
        logs=(LogStart(0, 0, 1),),
    )


def joined(table: Table, command: Join, now_ms: int) -> Table:
    """Seat a player, or hand a player's seat back to them.

    Raises:
        Over: the table is closed.
        SeatNotFound, SeatTaken: there is no such seat, or it is not free.
        NotNow: there was too much coming and going in this deal, or on this turn.
    """
    own = table.seat_of(command.player.id)
    if table.status is Status.CLOSED:
        raise Over("the table is closed")
    if command.seat is not None:
        existing_seat(table, command.seat)
    if own is not None:
        if command.seat not in {None, own}:
            raise SeatTaken(f"you have seat {own} already")
        _check_restlessness(table)
        if is_played_out(table, own):
            raise NotNow("you came back to this turn too often: it is played for you, and then the seat is yours again")
        return handed_back(table, own, now_ms)
    number = _free_seat(table, command.seat)
    bank_ms = table.settings.bank_ms
    return with_seat(table, number, Seat(command.player, bank_ms=bank_ms))


def left(table: Table, command: Leave, by: PlayerId, now_ms: int) -> Table:
    """Free a seat; in a running match it is only played by others from now on.

    Raises:
        Over: the table is closed.
        NotSeated: the asker has no seat, or has left it, or it is another player's.
        NotHost, MatchStarted: it is a bot's, and not for the asker to free, or not now.
        SeatNotFound: there is no such seat.
        NotNow: there was too much coming and going in this deal.
    """
    if table.status is Status.CLOSED:
        raise Over("the table is closed")
    own = table.seat_of(by)
    number = own if command.seat is None else command.seat
    if number is None:
        raise NotSeated("you have no seat at this table")
    seat = existing_seat(table, number)
    if number != own:
        _check_freeing(table, seat, by)
        return with_seat(table, number, Seat())
    if seat.left:
        raise NotSeated("you have left this table")
    if table.status is not Status.PLAYING:
        return with_seat(table, number, Seat())
    _check_restlessness(table)
    gone = replace(seat, connected=False, gone_ms=0, left=True, stand_in=table.settings.stand_in is not None)
    table = with_seat(table, number, gone)
    return with_clock(table, now_ms) if table.to_act == number else table


def bot_seated(table: Table, command: SeatBot, by: PlayerId) -> Table:
    """Put a bot on one free seat, or on all.

    Raises:
        NotHost: the asker is not the host.
        MatchStarted, Over: it is not the time for it.
        SeatNotFound, SeatTaken: there is no such seat, or none is free.
    """
    require_host(table, by)
    require_between_matches(table)
    bot = Seat(command.bot)
    if command.seat is None:
        _free_seat(table, None)
        return replace(table, seats=tuple(bot if seat.is_free else seat for seat in table.seats))
    existing_seat(table, command.seat)
    return with_seat(table, _free_seat(table, command.seat), bot)


def present(table: Table, command: Presence, now_ms: int) -> Table:
    """Note that a player's connection came, which takes the seat back from a stand-in, or went."""
    seat = existing_seat(table, command.seat)
    if not seat.is_manned or table.status is Status.CLOSED:
        return table
    if command.connected:
        if not is_played_out(table, command.seat):  # else the stand-in hands it back after its decision
            table = handed_back(table, command.seat, now_ms)
        seat = table.seats[command.seat]
        return table if seat.connected else with_seat(table, command.seat, replace(seat, connected=True, gone_ms=0))
    if not seat.connected:
        return table
    return with_seat(table, command.seat, replace(seat, connected=False, gone_ms=now_ms))


def closed(table: Table, _command: Close, by: PlayerId) -> Table:
    """End the table. A deal that is on is not scored.

    Raises:
        NotHost: the asker is neither the host nor the server.
        Over: it is closed.
    """
    if by != SERVER:
        require_host(table, by)
    if table.status is Status.CLOSED:
        raise Over("the table is closed")
    return replace(table, status=Status.CLOSED, clock=None)


def emptied_by_leavers(table: Table) -> Table:
    """Free the seats of those who left during the match, and hand back all that stand-ins played."""
    return replace(table, seats=tuple(Seat() if seat.left else replace(seat, stand_in=False) for seat in table.seats))


def require_host(table: Table, by: PlayerId) -> None:
    """Check that the asker is the host.

    Raises:
        NotHost: is not.
    """
    if not table.is_host(by):
        raise NotHost("only the host may do this")


def require_between_matches(table: Table) -> None:
    """Check that no match is on and one may begin.

    Raises:
        MatchStarted, Over: one is on; the table is closed.
    """
    if table.status is Status.PLAYING:
        raise MatchStarted("the match has started")
    if table.status is Status.CLOSED:
        raise Over("the table is closed")


def existing_seat(table: Table, number: int) -> Seat:
    """Return a seat.

    Raises:
        SeatNotFound: there is none with that number.
    """
    if not 0 <= number < len(table.seats):
        raise SeatNotFound(f"there is no seat {number}: the seats are 0 to {len(table.seats) - 1}")
    return table.seats[number]


def _free_seat(table: Table, number: int | None) -> int:
    if number is None:
        free = next((each for each, seat in enumerate(table.seats) if seat.is_free), None)
        if free is None:
            raise SeatTaken("no seat is free")
        return free
    if not table.seats[number].is_free:
        raise SeatTaken(f"seat {number} is taken")
    return number


def _check_freeing(table: Table, seat: Seat, by: PlayerId) -> None:
    if seat.bot is None:
        raise NotSeated("that seat is not yours")
    require_host(table, by)
    require_between_matches(table)


def _check_restlessness(table: Table) -> None:
    if table.status is Status.PLAYING and table.version - table.log.version >= MOST_IN_A_DEAL:
        raise NotNow("there was too much coming and going in this deal: wait for the next one")

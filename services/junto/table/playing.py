"""A match starts, deals are promised and dealt, decisions are made, the match ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from junto.games.core import Match, RuleError
from junto.games.events import DealStarted, Seen
from junto.table.aggregate import LogStart, SeatMove, Table, TableDeal
from junto.table.commands import Act, AddEntropy, Credit, DealCards, OpenDeal, StandIn, StartMatch
from junto.table.errors import (
    IllegalAction,
    NotNow,
    NotSeated,
    NotYourTurn,
    SeatsFree,
)
from junto.table.lobby import emptied_by_leavers, existing_seat, require_between_matches, require_host
from junto.table.seats import SERVER, Actor, PlayerId, Status
from junto.table.turns import deadline_ms, spend_bank, with_clock, with_seat

MAX_LOGS: Final = 100
"""How many of its logs a table remembers; older deals can no longer be replayed."""

MAX_VOID_DEALS: Final = 50
"""After so many void deals in a row a match is over: players who all pass, or are all away, would deal for ever."""

Happened = tuple[Table, tuple[Seen, ...]]
"""The table after a command, and what happened at the cards."""


def started(table: Table, command: StartMatch, by: PlayerId, now_ms: int) -> Happened:
    """Start a match, banks full and scores at zero, and open its first deal.

    Raises:
        NotHost, MatchStarted, Over: the asker is not the host; it is not the time for it.
        SeatsFree: somebody is missing.
    """
    require_host(table, by)
    require_between_matches(table)
    free = [str(number) for number, seat in enumerate(table.seats) if seat.is_free]
    if free:
        raise SeatsFree(f"seat {', '.join(free)} is free" if len(free) == 1 else f"seats {', '.join(free)} are free")
    bank_ms = table.settings.bank_ms
    seats = tuple(replace(seat, bank_ms=bank_ms) if seat.player else seat for seat in table.seats)
    table = replace(table, status=Status.PLAYING, seats=seats)
    return _open_deal(table, table.game.new_match(), command.secret, now_ms)


def deal_opened(table: Table, command: OpenDeal, now_ms: int) -> Happened:
    """Open the next deal of the match.

    Raises:
        MatchNotStarted, Over: no match is on.
        NotNow: a deal is.
    """
    deal = table.current_deal
    if deal.after is None:
        raise NotNow("a deal is on")
    return _open_deal(table, deal.after, command.secret, now_ms)


def entropy_added(table: Table, command: AddEntropy, by: PlayerId, now_ms: int) -> Happened:
    """Add a player's entropy; when nobody else can add any, the cards are dealt.

    Raises:
        NotSeated: the asker has no seat.
        MatchNotStarted, Over: no match is on.
        NotNow: not for this deal, not any more, or not twice.
    """
    deal = table.current_deal
    number = table.seat_of(by)
    if number is None or table.seats[number].left:
        raise NotSeated("you have no seat at this table")
    if deal.number != command.deal_number:
        raise NotNow(f"deal {deal.number} is on the table, not deal {command.deal_number}")
    if deal.state is not None or now_ms >= deal.entropy_until_ms:
        raise NotNow("the time for adding entropy is over")
    if deal.entropy[number]:
        raise NotNow("you have added entropy to this deal already")
    entropy = (*deal.entropy[:number], command.entropy, *deal.entropy[number + 1 :])
    table = replace(table, deal=replace(deal, entropy=entropy))
    return _dealt(table, now_ms) if all_entropy_is_in(table) else (table, ())


def cards_dealt(table: Table, _command: DealCards, now_ms: int) -> Happened:
    """Deal the cards of the open deal.

    Raises:
        MatchNotStarted, Over: no match is on.
        NotNow: they are dealt, or players may still add entropy.
    """
    deal = table.current_deal
    if deal.state is not None:
        raise NotNow("the cards are dealt")
    if now_ms < deal.entropy_until_ms and not all_entropy_is_in(table):
        raise NotNow("players may still add entropy")
    return _dealt(table, now_ms)


def acted(table: Table, command: Act, by: PlayerId, now_ms: int) -> Happened:
    """Make the decision of the seat to act.

    Raises:
        NotSeated: the seat is not the asker's.
        MatchNotStarted, Over, NotNow: nobody decides anything now.
        NotYourTurn: another seat decides.
        IllegalAction: the rules forbid it.
    """
    seat = existing_seat(table, command.seat)
    if by != SERVER and (table.seat_of(by) != command.seat or seat.left):
        raise NotSeated("that seat is not yours")
    state = table.playable
    if state.to_act != command.seat:
        assert state.to_act is not None
        raise NotYourTurn(state.to_act)
    _check_actor(table, command, by, now_ms)
    try:
        step = state.apply(command.action)
    except RuleError as error:
        raise IllegalAction(str(error)) from None
    deal = table.deal
    assert deal is not None
    table = _seat_after(table, command, now_ms)
    deal = replace(
        deal,
        state=step.deal,
        moves=(*deal.moves, SeatMove(command.seat, command.actor, command.action)),
        prompt_version=table.version + 1,
    )
    table = replace(table, deal=deal)
    if step.deal.is_over:
        return _over(table, now_ms), step.events
    return with_clock(table, now_ms), step.events


def stood_in(table: Table, command: StandIn, now_ms: int) -> Table:
    """Let the stand-in play for the seat to act, whose time is up.

    Raises:
        MatchNotStarted, Over, NotNow: nobody decides anything now, or there is still time, or no stand-in.
        NotYourTurn: it is another seat's turn.
    """
    seat = existing_seat(table, command.seat)
    to_act = table.playable.to_act
    if to_act != command.seat:
        assert to_act is not None
        raise NotYourTurn(to_act)
    until_ms = deadline_ms(table)
    if until_ms is None or now_ms < until_ms:
        raise NotNow("there is still time")
    if table.settings.stand_in is None or seat.stand_in or not seat.is_manned:
        raise NotNow("nobody can stand in for this seat")
    return replace(with_seat(table, command.seat, replace(seat, stand_in=True, bank_ms=0)), clock=None)


def credited(table: Table, command: Credit) -> Table:
    """Move the end of the running clock; nothing changes when none runs."""
    clock = table.clock
    if clock is None or command.ms <= 0:
        return table
    moved = replace(clock, turn_end_ms=clock.turn_end_ms + command.ms, deadline_ms=clock.deadline_ms + command.ms)
    return replace(table, clock=moved)


def all_entropy_is_in(table: Table) -> bool:
    """Tell whether every player who could add entropy to the deal has."""
    assert table.deal is not None
    return all(added or not seat.is_manned for added, seat in zip(table.deal.entropy, table.seats, strict=True))


def _open_deal(table: Table, match: Match, secret: bytes, now_ms: int) -> Happened:
    match = match.opened()
    takes_entropy = table.settings.entropy_ms > 0 and any(seat.is_manned for seat in table.seats)
    until_ms = now_ms + table.settings.entropy_ms if takes_entropy else 0
    deal = TableDeal(match.deals_opened, secret, (b"",) * len(table.seats), until_ms)
    start = LogStart(table.log.log + 1, deal.number, table.version + 1)
    logs = (*table.logs, start)[-MAX_LOGS:]
    table = replace(table, match=match, deal=deal, logs=logs, clock=None)
    if takes_entropy:
        return table, (Seen(DealStarted(deal.number)),)
    return _dealt(table, now_ms)


def _dealt(table: Table, now_ms: int) -> Happened:
    assert table.deal is not None
    assert table.match is not None
    step = table.game.deal(table.match, table.deal.seed)
    deal = replace(table.deal, state=step.deal, prompt_version=table.version + 1)
    return with_clock(replace(table, deal=deal), now_ms), step.events


def _check_actor(table: Table, command: Act, by: PlayerId, now_ms: int) -> None:
    seat = table.seats[command.seat]
    match command.actor:
        case Actor.PLAYER:
            fits = by != SERVER
        case Actor.BOT:
            fits = by == SERVER and seat.bot is not None
        case Actor.STAND_IN:
            fits = by == SERVER and seat.stand_in
        case Actor.CLOCK:
            until_ms = deadline_ms(table)
            fits = by == SERVER and until_ms is not None and now_ms >= until_ms
        case Actor.RULES:
            fits = by == SERVER
    if not fits:
        raise NotNow("it is not for this actor to decide now")


def _seat_after(table: Table, command: Act, now_ms: int) -> Table:
    """Return the table with the seat's bank and hands as they are after its decision."""
    number, seat = command.seat, table.seats[command.seat]
    match command.actor:
        case Actor.PLAYER:
            back = replace(seat, stand_in=False, gone_ms=0)
            return spend_bank(table if back == seat else with_seat(table, number, back), number, now_ms)
        case Actor.STAND_IN if seat.connected and not seat.left:
            return with_seat(table, number, replace(seat, stand_in=False))
        case Actor.CLOCK if seat.is_manned and table.clock is not None:
            return with_seat(table, number, replace(seat, bank_ms=0))
        case _:
            return table


def _over(table: Table, now_ms: int) -> Table:
    """Return the table after its deal's end: scored, and finished if it was the match's last."""
    deal, match = table.deal, table.match
    assert deal is not None
    assert deal.state is not None
    assert match is not None
    after = table.game.after(match, deal.state)
    table = replace(table, deal=replace(deal, after=after, over_ms=now_ms), clock=None)
    void_in_a_row = deal.number - (after.last_deal.number if after.last_deal else 0)
    goes_on = after.deals_done < table.settings.deals and void_in_a_row < MAX_VOID_DEALS
    if goes_on and not table.game.is_decided(after):
        return table
    return emptied_by_leavers(replace(table, status=Status.FINISHED))

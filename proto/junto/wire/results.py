"""What a deal is played for and how it ended, and what a match carries on: to messages and back."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from google.protobuf.message import Message

from junto.games.shuffle import DealSeed
from junto.games.view import (
    Alliance,
    Clearing,
    Contract,
    DealResult,
    Doubling,
    LastDeal,
    MatchView,
    Outcome,
    Phase,
    Role,
    SeatResult,
)
from junto.v1 import views_pb2
from junto.wire.actions import read_bid, write_bid
from junto.wire.errors import WireError
from junto.wire.promises import write_reveal

_Closed = TypeVar("_Closed", bound=IntEnum)


def write_contract(contract: Contract) -> views_pb2.Contract:
    """Return the message of a contract."""
    return views_pb2.Contract(
        declarer=contract.declarer,
        bid=write_bid(contract.bid),
        target=contract.target,
        doubling=views_pb2.Doubling.ValueType(contract.doubling or views_pb2.DOUBLING_UNSPECIFIED),
    )


def write_result(result: DealResult, reveal: DealSeed | None = None) -> views_pb2.DealResult:
    """Return the message of a deal's result, with what keeps the deal's promise."""
    return views_pb2.DealResult(
        outcome=views_pb2.Outcome.ValueType(result.outcome),
        seats=[
            views_pb2.SeatResult(seat=share.seat, score=share.score, role=write_role(share.role), place=share.place)
            for share in result.seats
        ],
        captured=result.captured,
        reveal=None if reveal is None else write_reveal(reveal),
    )


def write_role(role: Role | None) -> views_pb2.Role.ValueType:
    """Return the wire's number of a role; `ROLE_UNSPECIFIED` for none."""
    return views_pb2.ROLE_UNSPECIFIED if role is None else views_pb2.Role.ValueType(role)


def write_match_view(match: MatchView) -> views_pb2.MatchView:
    """Return what is carried from deal to deal, as everybody sees it."""
    return views_pb2.MatchView(
        deals_done=match.deals_done,
        deals_total=match.deals_total,
        scores=[views_pb2.SeatScore(seat=seat, score=score) for seat, score in enumerate(match.scores)],
        last_deal=None if match.last_deal is None else write_last_deal(match.last_deal),
        sides=[views_pb2.Side(seats=side) for side in match.sides],
    )


def write_last_deal(last: LastDeal) -> views_pb2.LastDeal:
    """Return the message of the last scored deal."""
    return views_pb2.LastDeal(
        number=last.number,
        result=write_result(last.result),
        alliance=views_pb2.Alliance.ValueType(last.alliance or views_pb2.ALLIANCE_UNSPECIFIED),
        clearings=map(write_clearing, last.clearings),
    )


def write_clearing(clearing: Clearing) -> views_pb2.Clearing:
    """Return the message of a clearing."""
    return views_pb2.Clearing(seat=clearing.seat, by_seat=clearing.by_seat)


def read_clearing(message: views_pb2.Clearing) -> Clearing:
    """Return the clearing of a message."""
    return Clearing(message.seat, message.by_seat)


def read_alliance(number: int) -> Alliance | None:
    """Return the alliance of a number; None for `ALLIANCE_UNSPECIFIED`.

    Raises:
        WireError: there is no such alliance.
    """
    return known(Alliance, number) if number else None


def read_contract(message: views_pb2.Contract) -> Contract:
    """Return the contract of a message.

    Raises:
        WireError: the bid or the doubling is none of this game server's.
    """
    return Contract(
        declarer=message.declarer,
        bid=read_bid(message.bid),
        target=optional(message, "target"),
        doubling=known(Doubling, message.doubling) if message.doubling else None,
    )


def read_result(message: views_pb2.DealResult) -> DealResult:
    """Return the result of a deal, out of its message; `read_reveal` reads the proof that comes with it.

    Raises:
        WireError: an outcome or a role is none of this game server's.
    """
    return DealResult(
        outcome=known(Outcome, message.outcome),
        seats=tuple(
            SeatResult(share.seat, share.score, read_role(share.role), optional(share, "place"))
            for share in message.seats
        ),
        captured=optional(message, "captured"),
    )


def read_role(number: int) -> Role | None:
    """Return the role of a number; None for `ROLE_UNSPECIFIED`.

    Raises:
        WireError: there is no such role.
    """
    return known(Role, number) if number else None


def read_phase(number: int) -> Phase:
    """Return the phase of a number.

    Raises:
        WireError: there is no such phase.
    """
    return known(Phase, number)


def read_match_view(message: views_pb2.MatchView) -> MatchView:
    """Return what is carried from deal to deal, out of its message.

    Raises:
        WireError: the scores are not those of seats 0, 1, 2, …; an outcome or a role is unknown.
    """
    if any(score.seat != seat for seat, score in enumerate(message.scores)):
        raise WireError("a match's scores are listed by seat, from 0")
    return MatchView(
        deals_done=message.deals_done,
        deals_total=optional(message, "deals_total"),
        scores=tuple(score.score for score in message.scores),
        last_deal=read_last_deal(message.last_deal) if message.HasField("last_deal") else None,
        sides=tuple(tuple(side.seats) for side in message.sides),
    )


def read_last_deal(message: views_pb2.LastDeal) -> LastDeal:
    """Return the last scored deal, out of its message.

    Raises:
        WireError: an outcome or a role is none of this game server's.
    """
    return LastDeal(
        message.number,
        read_result(message.result),
        read_alliance(message.alliance),
        tuple(map(read_clearing, message.clearings)),
    )


def known(closed: type[_Closed], number: int) -> _Closed:
    """Return a closed set's member of a number.

    Raises:
        WireError: it has none of that number.
    """
    try:
        return closed(number)
    except ValueError:
        raise WireError(f"there is no {closed.__name__.lower()} with the number {number}") from None


def optional(message: Message, field: str) -> int | None:
    """Return the value of a message's optional number; None where it is absent."""
    value: int = getattr(message, field)
    return value if message.HasField(field) else None

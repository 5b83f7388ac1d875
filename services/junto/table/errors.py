"""Why a table refuses what was asked: a closed set, each leaf one `ErrorReason` of the API.

    TableError
    ├── RequestIdReused, InvalidPageToken                           INVALID_ARGUMENT
    ├── NotSeated, NotHost, NotAllowed, NoHints                     PERMISSION_DENIED
    ├── TableNotFound, StrategyNotFound, SeatNotFound               NOT_FOUND
    ├── NotYourTurn, IllegalAction, SeatTaken, SeatsFree,
    │   MatchNotStarted, MatchStarted, Over, NotNow, DealNotOver    FAILED_PRECONDITION
    ├── StaleVersion, Conflict                                      ABORTED
    ├── TooMany                                                     RESOURCE_EXHAUSTED
    └── PoolBusy                                                    UNAVAILABLE

A message is a plain sentence for a player, and tells nothing that the asker may not know.
"""

from __future__ import annotations

from typing import ClassVar

from junto.v1 import errors_pb2 as reasons


class TableError(Exception):
    """What was asked is refused, and changed nothing. `metadata` are the facts that `ErrorInfo` carries."""

    reason: ClassVar[reasons.ErrorReason.ValueType]

    def __init__(self, message: str, **metadata: str) -> None:
        super().__init__(message)
        self.message = message
        self.metadata = metadata


class InvalidPageToken(TableError):
    """The page token is not from this list."""

    reason = reasons.ERROR_REASON_INVALID_PAGE_TOKEN


class RequestIdReused(TableError):
    """The request id was used with other contents."""

    reason = reasons.ERROR_REASON_REQUEST_ID_REUSED


class NotSeated(TableError):
    """The asker has no seat, or not that one."""

    reason = reasons.ERROR_REASON_NOT_SEATED


class NotHost(TableError):
    """Only the host may do this."""

    reason = reasons.ERROR_REASON_NOT_HOST


class NotAllowed(TableError):
    """The asker may not see or do this."""

    reason = reasons.ERROR_REASON_NOT_ALLOWED


class NoHints(TableError):
    """The table is played without hints."""

    reason = reasons.ERROR_REASON_NO_HINTS


class TableNotFound(TableError):
    """There is no such table, or it was removed."""

    reason = reasons.ERROR_REASON_TABLE_NOT_FOUND


class StrategyNotFound(TableError):
    """There is no such strategy, or it does not play this game."""

    reason = reasons.ERROR_REASON_STRATEGY_NOT_FOUND


class SeatNotFound(TableError):
    """The table has no seat with that number."""

    reason = reasons.ERROR_REASON_SEAT_NOT_FOUND


class NotYourTurn(TableError):
    """Another seat has to decide."""

    reason = reasons.ERROR_REASON_NOT_YOUR_TURN

    def __init__(self, to_act: int) -> None:
        super().__init__(f"it is seat {to_act}'s turn", to_act=str(to_act))


class IllegalAction(TableError):
    """The rules forbid the action; the message says which."""

    reason = reasons.ERROR_REASON_ILLEGAL_ACTION


class SeatTaken(TableError):
    """The seat is taken, or none is free."""

    reason = reasons.ERROR_REASON_SEAT_TAKEN


class SeatsFree(TableError):
    """Some seats are still free."""

    reason = reasons.ERROR_REASON_SEATS_FREE


class MatchNotStarted(TableError):
    """The match has not started."""

    reason = reasons.ERROR_REASON_MATCH_NOT_STARTED


class MatchStarted(TableError):
    """The match has started already."""

    reason = reasons.ERROR_REASON_MATCH_STARTED


class Over(TableError):
    """The match is over, or the table is closed."""

    reason = reasons.ERROR_REASON_OVER


class NotNow(TableError):
    """No decision is due, the cards are not dealt yet, or the time for it is past."""

    reason = reasons.ERROR_REASON_NOT_NOW


class DealNotOver(TableError):
    """The deal is not over, so its replay is still secret."""

    reason = reasons.ERROR_REASON_DEAL_NOT_OVER


class StaleVersion(TableError):
    """The decision was made on a state that is gone."""

    reason = reasons.ERROR_REASON_STALE_VERSION

    def __init__(self, version: int) -> None:
        super().__init__(f"the table has moved on to version {version}", version=str(version))
        self.version = version


class Conflict(TableError):
    """Too many came at once. Repeat with the same request id."""

    reason = reasons.ERROR_REASON_CONFLICT

    def __init__(self, version: int) -> None:
        super().__init__("too many came at once; try again with the same request id", version=str(version))


class PoolBusy(TableError):
    """No machine is free to think."""

    reason = reasons.ERROR_REASON_POOL_BUSY


class TooMany(TableError):
    """The asker is at too many tables."""

    reason = reasons.ERROR_REASON_TOO_MANY

    def __init__(self, message: str, limit: int) -> None:
        super().__init__(message, limit=str(limit))

"""What the tournaments' store and their requests refuse, besides what tables refuse too (`junto.table.errors`).

TableError
└── TournamentNotFound     NOT_FOUND
SpecRefused                INVALID_ARGUMENT, with the field
TournamentsFull            RESOURCE_EXHAUSTED: too many wait already, whoever asked for them
NewerTournament            a newer process wrote it
LeaseLost                  another plays the tournament by now, or it is over: stop
JournalBehind              the store has forgotten sittings that it had acknowledged: begin again from what it has
"""

from __future__ import annotations

from junto.table.errors import TableError
from junto.v1 import errors_pb2 as reasons


class TournamentNotFound(TableError):
    """There is no such tournament, or it was removed."""

    reason = reasons.ERROR_REASON_TOURNAMENT_NOT_FOUND

    def __init__(self) -> None:
        super().__init__("there is no such tournament, or it was removed")


class SpecRefused(ValueError):
    """A spec asks for what cannot be played here. `field` is its path inside the spec: `entrants[1].name`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class TournamentsFull(Exception):
    """So many tournaments wait to be played that no more are taken."""


class NewerTournament(Exception):
    """A newer process wrote the tournament, in a way that this one does not know."""


class LeaseLost(Exception):
    """Another organiser plays the tournament by now, or it is over."""


class JournalBehind(Exception):
    """The store has forgotten sittings that it had acknowledged (a failover, or a disk that failed)."""

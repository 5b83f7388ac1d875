"""What somebody can want of a table. A command holds everything that its effect depends on, save who
asks and when, so that the same commands always make the same table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from junto.games import actions
from junto.games.core import Game
from junto.table.seats import Actor, Bot, Player, TableId, TableSettings


@dataclass(frozen=True, slots=True)
class CreateTable:
    """Open a table. `host` is None at a table that the server opens."""

    table_id: TableId
    game: Game
    settings: TableSettings
    host: Player | None


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat (None: the first free one), or take one's own back from a stand-in."""

    player: Player
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up a seat (None: one's own). The host may free a bot's seat between matches."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Put a bot on a free seat (None: on all of them). For the host, between matches."""

    bot: Bot
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Start a match and open its first deal with this secret. For the host."""

    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """Promise the next deal with this secret. The server's."""

    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddEntropy:
    """Add a player's entropy to the deal that is open."""

    deal_number: int
    entropy: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealCards:
    """Deal the cards of the deal that is open. The server's, when the time for entropy is over."""


@dataclass(frozen=True, slots=True)
class Act:
    """Make a seat's decision. `decision`: what a bot thought, a serialised `junto.v1.Decision`."""

    seat: int
    actor: Actor
    action: actions.Action
    decision: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Presence:
    """A player's connection came or went. The server's."""

    seat: int
    connected: bool


@dataclass(frozen=True, slots=True)
class StandIn:
    """Let the stand-in play for a seat whose clock is out. The server's."""

    seat: int


@dataclass(frozen=True, slots=True)
class Credit:
    """Give the seat to act time back that an outage took. The server's."""

    ms: int


@dataclass(frozen=True, slots=True)
class Close:
    """End the table. For the host, or the server when a table lies idle."""


Command = (
    CreateTable | Join | Leave | SeatBot | StartMatch | OpenDeal | AddEntropy | DealCards | Act | Presence
    | StandIn | Credit | Close
)  # fmt: skip
"""Everything that can be wanted of a table."""

"""Who sits at a table and how it is played: small frozen values. Times and durations are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NewType

from junto.wire.decisions import Limits

PlayerId = NewType("PlayerId", str)
TableId = NewType("TableId", str)

SERVER = PlayerId("")
"""As the asker of a command: the server itself."""


class Status(IntEnum):
    """Where a table stands (numbers as in the API)."""

    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    CLOSED = 4


class Visibility(IntEnum):
    """Who finds and sees a table (numbers as in the API)."""

    PUBLIC = 1
    UNLISTED = 2
    PRIVATE = 3


class Actor(IntEnum):
    """Who made a seat's decision (numbers as in the API)."""

    PLAYER = 1
    BOT = 2
    STAND_IN = 3
    CLOCK = 4
    RULES = 5


@dataclass(frozen=True, slots=True)
class Player:
    """A player as others see them."""

    id: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: which strategy, and how long it thinks (None: the server's default)."""

    strategy_id: str
    budget: Limits | None = None


Occupant = Player | Bot
"""Who has a seat."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How a table is played, defaults filled in.

    `turn_ms` None: no clock. `bank_ms`: extra time for a match and seat. `deals`: scored deals of a match.
    `stand_in`: who plays for absent players; None: their default actions are taken. `entropy_ms`: how
    long players may add entropy, 0: not at all. `pause_ms`: how long a result stays before the next deal;
    None: 5 seconds if a player is seated, else not at all.
    """

    deals: int
    visibility: Visibility = Visibility.PUBLIC
    turn_ms: int | None = None
    bank_ms: int = 0
    hints: bool = True
    stand_in: Bot | None = None
    entropy_ms: int = 0
    pause_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat.

    `connected`: its player watches. `gone_ms`: since when a player who was watching is away, 0: is not.
    `stand_in`: a bot plays for the player now. `left`: the player gave the seat up during the match and
    nobody else may have it until the match ends. `bank_ms`: what is left of its time bank.
    """

    occupant: Occupant | None = None
    connected: bool = False
    gone_ms: int = 0
    stand_in: bool = False
    left: bool = False
    bank_ms: int = 0

    @property
    def player(self) -> Player | None:
        """The player whose seat it is; None: free or a bot's."""
        return self.occupant if isinstance(self.occupant, Player) else None

    @property
    def bot(self) -> Bot | None:
        """The bot whose seat it is; None: free or a player's."""
        return self.occupant if isinstance(self.occupant, Bot) else None

    @property
    def is_free(self) -> bool:
        """Whether nobody has it."""
        return self.occupant is None

    @property
    def is_manned(self) -> bool:
        """Whether a player has it who has not left."""
        return self.player is not None and not self.left

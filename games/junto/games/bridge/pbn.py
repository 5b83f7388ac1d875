"""Boards of bridge in Portable Bridge Notation (PBN 2.1): what a file tells.

A `Board` is one game of a file: the deal, and the auction, the play and the result as far as they are told. Nothing
is played here, so an auction may be impossible; `junto.games.bridge.pbn_play` finds out. Tags that mean nothing to us
are kept as they are; comments are not. `pbn_reading` and `pbn_writing` have the form of the files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from junto.games.actions import Action, Bid
from junto.games.bridge.pbn_text import Tag
from junto.games.cards import Card
from junto.games.view import Doubling, Vulnerability

SEATS: Final = "NESW"
SIDES: Final = ("NS", "EW")
FIRST_TAGS: Final = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
)  # fmt: skip
"""The tags that every exported game has, in their order."""


@dataclass(frozen=True, slots=True)
class Said:
    """A call in a file, with the remarks behind it (`!`, `=1=`, `$5`) and its line."""

    action: Action
    remarks: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a file, with the remarks behind it and its line."""

    card: Card
    remarks: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction as recorded: who calls first, the calls, and the texts of its notes. `all_pass`: `AP` ends it."""

    first: int
    calls: tuple[Said, ...]
    notes: tuple[str, ...] = ()
    all_pass: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Play:
    """A play as recorded: in each row of a trick the cards of four seats, the opening leader's first; None: none."""

    leader: int
    tricks: tuple[tuple[Laid | None, ...], ...]
    notes: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Board:
    """One game of a PBN file.

    `bid` is the contract's, None where it is not told or the board was passed out (`passed_out`). `result` are the
    tricks of declarer's side. `tags` are all others. `remarks` say what could not be used, each with its line.
    """

    dealer: int
    vulnerability: Vulnerability
    hands: tuple[tuple[Card, ...], ...]
    number: int | None = None
    auction: Auction | None = None
    play: Play | None = None
    bid: Bid | None = None
    doubling: Doubling = Doubling.NONE
    passed_out: bool = False
    declarer: int | None = None
    result: int | None = None
    tags: tuple[Tag, ...] = ()
    remarks: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    line: int = field(default=0, compare=False)
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)

    def line_of(self, name: str) -> int:
        """Return the line on which a tag stands; where it is missing, that of the game."""
        return dict(self.lines).get(name, self.line)

    def tag(self, name: str) -> str | None:
        """Return the value of one of the other tags."""
        return next((tag.value for tag in self.tags if tag.name == name), None)

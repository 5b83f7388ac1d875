"""What happens in a deal, one thing at a time, and who may see it.

An event mirrors the message of the same name in `junto/v1/events.proto`. The rules emit `Seen` values:
an event with its audience, and what the others see instead. Whatever leaves the table, a view, a
stream, a log for a seat, is made of `Seen.for_seat` and `Seen.for_all` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from junto.games.actions import Action
from junto.games.cards import Card
from junto.games.climbing.combination import Combination
from junto.games.view import Clearing, Contract, DealResult, Phase, PointReport, Role


class Zone(IntEnum):
    """Where cards can be (numbers as in the API)."""

    DECK = 1
    HAND = 2
    KITTY = 3
    PUT_BACK = 4
    CENTRE = 5
    CAPTURED = 6
    POT = 7


@dataclass(frozen=True, slots=True)
class Location:
    """A zone, and the seat that owns it where that means something."""

    zone: Zone
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began. The cards follow as `CardsMoved`."""

    number: int
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The stage of the deal changed."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A seat acted. For those who may not see them, a discard comes without its cards.

    `combination` is how the cards are read that were played in a climbing game.
    """

    seat: int
    action: Action
    combination: Combination | None = None


@dataclass(frozen=True, slots=True)
class CardsMoved:
    """Cards went from one place to another; `cards` is empty for those who may not see them."""

    source: Location
    target: Location
    count: int
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards were shown and stay where they are."""

    at: Location
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ContractChanged:
    """A contract was made, or its target rose."""

    contract: Contract


@dataclass(frozen=True, slots=True)
class TrumpChanged:
    """Trumps were settled (a strain, 4: no trumps)."""

    trump: int


@dataclass(frozen=True, slots=True)
class RoleRevealed:
    """A seat's role became known, to all or (`secret`) to that seat alone; `alone`: it has no partner."""

    seat: int
    role: Role
    secret: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class TrickLed:
    """A trick began: who leads, the suit to follow, the cards called out. The card follows."""

    leader: int
    led_suit: int | None
    calls: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was won, and what it is worth."""

    winner: int
    points: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round begins: who leads. If there was one before it, nobody beat its last play."""

    leader: int


@dataclass(frozen=True, slots=True)
class SeatFinished:
    """A seat got rid of its last card; `place` counts from 1."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class SeatCleared:
    """A seat was cleared."""

    clearing: Clearing


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal ended; all cards are shown before this."""

    result: DealResult


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """What a player drew for partners: his seat before, the suit of the card, his seat from now on."""

    from_seat: int
    suit: int
    to_seat: int


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """Partners were drawn, once for the match. What follows from it is in the match's sides."""

    draws: tuple[SeatDraw, ...]


@dataclass(frozen=True, slots=True)
class PileLaid:
    """The pile of bridge for three lies in a row, as everybody sees it, or as `seat` does: None is face down."""

    row: tuple[Card | None, ...]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class PointsReported:
    """What each player's four cards of the pile count was announced."""

    reports: tuple[PointReport, ...]


@dataclass(frozen=True, slots=True)
class PlacesSwapped:
    """Two changed places: the hands as they lie round the table now, clockwise, the pile included."""

    order: tuple[int, ...]


Event = (
    DealStarted | PhaseChanged | ActionTaken | CardsMoved | CardsShown | ContractChanged | TrumpChanged
    | RoleRevealed | TrickLed | TrickWon | RoundBegan | SeatFinished | SeatCleared | DealEnded
    | SeatsDrawn | PileLaid | PointsReported | PlacesSwapped
)  # fmt: skip

ALL: Final = -1
"""The audience of a public event: every seat and every spectator."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An event and who may see it.

    `to` is a set of seats as bits, or `ALL`. `otherwise` is what everybody else sees instead: the same
    event with less in it; None: nothing.
    """

    event: Event
    to: int = ALL
    otherwise: Event | None = None

    def for_seat(self, seat: int) -> Event | None:
        """Return what `seat` sees."""
        return self.event if self.to == ALL or self.to >> seat & 1 else self.otherwise

    def for_all(self) -> Event | None:
        """Return what everybody sees, spectators included."""
        return self.event if self.to == ALL else self.otherwise


def only(seat: int, event: Event, otherwise: Event | None = None) -> Seen:
    """Return an event that `seat` alone sees."""
    return Seen(event, 1 << seat, otherwise)


def seen_by(events: Iterable[Seen], seat: int | None) -> tuple[Event, ...]:
    """Return what `seat` (None: a spectator) sees of the events."""
    views = (seen.for_all() if seat is None else seen.for_seat(seat) for seen in events)
    return tuple(event for event in views if event is not None)

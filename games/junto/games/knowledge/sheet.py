"""The shared knowledge while it is being written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Final

from junto.games.cards import Card
from junto.games.view import (
    CalledCard,
    ClimbingPlay,
    Contract,
    DealResult,
    Details,
    HandView,
    Phase,
    SeatAction,
    SeatRole,
    Shared,
    TrickPlay,
)

_SHARED_FIELDS: Final = tuple(field.name for field in fields(Shared))
_all_fields: Final = attrgetter(*_SHARED_FIELDS)


class Sheet:
    """The shared knowledge while events are being written down: `Shared`'s fields, open to change."""

    number: int
    phase: Phase
    hands: tuple[HandView, ...]
    dealer: int | None
    to_act: int | None
    kitty_size: int
    kitty: tuple[Card, ...]
    put_back: tuple[Card, ...]
    calls: tuple[SeatAction, ...]
    contract: Contract | None
    called: tuple[CalledCard, ...]
    roles: tuple[SeatRole, ...]
    result: DealResult | None
    tricks: TrickPlay | None
    climbing: ClimbingPlay | None
    details: Details | None

    def __init__(self, shared: Shared) -> None:
        self.__dict__.update(zip(_SHARED_FIELDS, _all_fields(shared), strict=True))

    def shared(self) -> Shared:
        """Return what is written."""
        return Shared(*_all_fields(self))


Settle = Callable[[Sheet], None]
"""Fills in what follows from the rest of the sheet: whose turn it is, and the game's details."""

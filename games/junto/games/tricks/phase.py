"""What a phase of a deal is, and the places where its cards can lie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from junto.games.actions import Action
from junto.games.core import Step
from junto.games.events import Location, Zone
from junto.games.view import Choices

if TYPE_CHECKING:
    from junto.games.tricks.deal import TricksDeal

D_contra = TypeVar("D_contra", bound="TricksDeal", contravariant=True)

DECK: Final = Location(Zone.DECK)
KITTY: Final = Location(Zone.KITTY)
PUT_BACK: Final = Location(Zone.PUT_BACK)
CENTRE: Final = Location(Zone.CENTRE)
HANDS: Final = tuple(Location(Zone.HAND, seat) for seat in range(7))
CAPTURED: Final = tuple(Location(Zone.CAPTURED, seat) for seat in range(7))


class PhaseRule(ABC, Generic[D_contra]):
    """The rules of one phase. It has no state of its own: it is asked about a deal in that phase."""

    @abstractmethod
    def choices(self, deal: D_contra) -> Choices:
        """Return what the seat to act may do."""

    @abstractmethod
    def check(self, deal: D_contra, action: Action) -> None:
        """Check an action of the seat to act.

        Raises:
            IllegalAction: it may not do this; the message says which rule forbids it.
        """

    @abstractmethod
    def apply(self, deal: D_contra, action: Action) -> Step:
        """Return what a legal action leads to."""

    @abstractmethod
    def legal(self, deal: D_contra) -> Iterator[Action]:
        """Yield every legal action."""

    @abstractmethod
    def default(self, deal: D_contra) -> Action:
        """Return what is done for a seat whose time is up."""

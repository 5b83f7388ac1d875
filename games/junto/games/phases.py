"""Deals that go through phases: what a phase of a deal is, and the places where its cards can lie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Generic, Self, TypeVar

from junto.games.actions import Action
from junto.games.core import Deal, DealIsOver, Step
from junto.games.events import Location, Seen, Zone
from junto.games.knowledge import learn
from junto.games.view import Choices, Own, Prompt, Shared

D_contra = TypeVar("D_contra", bound="PhasedDeal", contravariant=True)

DECK: Final = Location(Zone.DECK)
KITTY: Final = Location(Zone.KITTY)
PUT_BACK: Final = Location(Zone.PUT_BACK)
CENTRE: Final = Location(Zone.CENTRE)
POT: Final = Location(Zone.POT)
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


@dataclass(frozen=True)
class PhasedDeal(Deal):
    """A deal of a game that has a `PhaseRule` for every phase in which somebody decides: `game.phases`."""

    game: Any
    shared: Shared
    owns: tuple[Own, ...] = field(repr=False)

    @cached_property
    def prompt(self) -> Prompt | None:
        """What the seat to act may do; None once the deal is over."""
        if self.is_over:
            return None
        return Prompt(self.seat, self.shared.phase, self._rule.choices(self))

    def check(self, action: Action) -> None:
        """Check an action of the seat to act, see `Deal.check`."""
        self._rule.check(self, action)

    def apply(self, action: Action) -> Step:
        """Return the deal after an action of the seat to act, see `Deal.apply`."""
        rule = self._rule
        rule.check(self, action)
        return rule.apply(self, action)

    def legal_actions(self) -> Iterator[Action]:
        """Yield every legal action, see `Deal.legal_actions`."""
        return iter(()) if self.is_over else self._rule.legal(self)

    def default_action(self) -> Action:
        """Return the action that is taken when the seat's time is up."""
        return self._rule.default(self)

    @property
    def seat(self) -> int:
        """The seat to act, in a deal that is not over."""
        assert self.shared.to_act is not None
        return self.shared.to_act

    @property
    def _rule(self) -> PhaseRule[Self]:
        try:
            return self.game.phases[self.shared.phase]  # type: ignore[no-any-return]
        except KeyError:
            raise DealIsOver("the deal is over") from None

    def after(self, events: Sequence[Seen], **hidden: Any) -> Step:
        """Return the step that these events make; `hidden` are the fields that lie otherwise than they did."""
        shared, owns = learn(self.shared, self.owns, events, self.game.settle)
        return Step(replace(self, shared=shared, owns=owns, **hidden), tuple(events))

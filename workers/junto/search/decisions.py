"""What a strategy is asked for and what it answers: `Budget`, `Decision`, and the seam `Strategy`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from junto.games.actions import Action
from junto.games.cards import Card
from junto.games.core import View
from junto.games.events import Location
from junto.games.view import Role

Roles = Mapping[int, Mapping[Role, float]]
"""Chances of what a seat is, by seat: those whose role the believer does not know."""
Cards = Mapping[Card, Mapping[Location, float]]
"""Chances of where a hidden card is, by card: those that make a partner."""

MOST_S: Final = 604_800.0
"""No decision is thought about for longer than a week."""
_SEARCH_SHARE: Final = 0.9
"""The share of the time that the trials may take; the rest is for what is believed and for telling it."""


class StrategyError(Exception):
    """A strategy cannot decide; the message says why."""


class UnplayableGame(StrategyError):
    """The strategy does not play this game."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a strategy may think; at least one limit is set.

    `iterations` are worlds that a search tries its candidates in; with them as the only limit and a `seed` a
    decision is repeatable. `time_s` is wall-clock time from the call on.
    """

    time_s: float | None = None
    iterations: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.time_s is None and self.iterations is None:
            raise ValueError("a budget limits time or iterations")
        if self.time_s is not None and not 0 < self.time_s <= MOST_S:
            raise ValueError(f"a budget's time must be positive, and at most {MOST_S:.0f} seconds")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError("a budget has at least one iteration")

    def trials_end(self, began: float) -> float | None:
        """Return when the trials of a decision that `began` at some time are to end, by the same clock."""
        return None if self.time_s is None else began + _SEARCH_SHARE * self.time_s

    def seed_or_new(self) -> int:
        """Return the seed cut to 63 bits, or one that nobody knows."""
        return secrets.randbits(63) if self.seed is None else self.seed & (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one candidate promised: this seat's expected score, its standard error, how often it was tried."""

    action: Action
    mean: float
    standard_error: float | None = None
    visits: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why.

    `evaluations` come best first. `roles` are chances by seat, `cards` chances of where a hidden card is;
    each set of chances adds up to 1. `worlds` and `playouts` are None for a strategy that makes none.
    It tells what the seat holds: nobody else may see it before the deal is over.
    """

    action: Action
    evaluations: tuple[Evaluation, ...] = ()
    roles: Roles = field(default_factory=dict)
    cards: Cards = field(default_factory=dict)
    worlds: int | None = None
    playouts: int | None = None
    elapsed_s: float = 0.0


class Strategy(Protocol):
    """A bot: it is given all that its seat knows, and nothing else."""

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide for the seat to act, within the budget.

        Raises:
            StrategyError: it cannot, and says why.
        """
        ...

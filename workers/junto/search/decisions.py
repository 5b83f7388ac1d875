"""What a strategy is asked for and what it answers: `Budget`, `Decision`, and the seam `Strategy`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from junto.games.actions import Action
from junto.games.cards import Card
from junto.games.core import View
from junto.games.events import Location
from junto.games.view import Role


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
        if self.time_s is not None and self.time_s <= 0:
            raise ValueError("a budget's time must be positive")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError("a budget has at least one iteration")


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
    roles: Mapping[int, Mapping[Role, float]] = field(default_factory=dict)
    cards: Mapping[Card, Mapping[Location, float]] = field(default_factory=dict)
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

"""The pace of one person: when their moves are meant to be made if the server took no time.

A seat can only move when it is its turn, and when that is depends on the server. So the moments cannot be written
down before; but they can be told from the moments before them, instead of from when the server got round to things:

    due(k + 1)      = intended(k) + the bots' own time in between
    intended(k + 1) = due(k + 1) + a think time

The bots' own time is what they took, but no more than what they may take: a bot that waits for a worker is late, and
makes the person late. Who is late hurries: a move whose moment is past is made as soon as it is the seat's turn. Its
latency counts from the moment, so a stall of the server is in the latencies of all the moves that it delayed, not
only of the one that met it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from junto.load.profile import Think

LEAST_S: Final = 0.001
"""The least time between two moves of a person that were meant to be made and never had a turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a seat, as it came to be known at `known_s`.

    Since the seat's last move bots have made `bot_moves` moves, and by the server's clock `took_s` have passed.
    """

    known_s: float
    bot_moves: int = 0
    took_s: float = 0.0


class Pace:
    """See the module.

    Args:
        think: how long the person thinks.
        bot_time_s: how long a bot may think about a move.
        draw: the person's randomness.
    """

    def __init__(self, think: Think, bot_time_s: float, draw: random.Random) -> None:
        self._think = think
        self._bot_time_s = bot_time_s
        self._draw = draw
        self._intended_s: float | None = None
        self._between_s = 0.0
        self._next_think_s = self.think_s()

    def intended(self, turn: Turn) -> float:
        """Return when the move of a turn is meant to be made. The first turn is due when it is known."""
        if self._intended_s is None:
            return self._go_on(turn.known_s)
        self._between_s = max(0.0, min(turn.took_s, turn.bot_moves * self._bot_time_s))
        return self._go_on(self._intended_s + self._between_s)

    def think_s(self) -> float:
        """Draw a think time, in seconds."""
        return self._draw.uniform(self._think.least_s, self._think.most_s)

    def owes(self, until_s: float) -> bool:
        """Tell whether another move may be meant for the time up to a moment."""
        return self._intended_s is not None and self._intended_s + self._next_think_s < until_s

    def owed(self, until_s: float) -> Iterator[float]:
        """Yield when the moves up to a moment were meant to be made for which the turn never came.

        The bots are given the time that they had before the last turn.
        """
        while self._intended_s is not None:
            moment_s = self._go_on(self._intended_s + max(self._between_s, LEAST_S))
            if moment_s >= until_s:
                return
            yield moment_s

    def restart(self) -> None:
        """Forget what was: the next turn is due when it is known."""
        self._intended_s = None

    def _go_on(self, due_s: float) -> float:
        self._intended_s = due_s + self._next_think_s
        self._next_think_s = self.think_s()
        return self._intended_s

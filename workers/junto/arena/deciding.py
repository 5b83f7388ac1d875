"""The seam between a sitting and those who decide in it: an `Entry` per entrant and process, a `Chair` per seat.

A chair is for one seat of one sitting, and nothing that is told to it may reach another chair: the same deal is played
again with the same strategy in another seat.
"""

from __future__ import annotations

from typing import Protocol

from junto.arena.records import Failing
from junto.games.core import View
from junto.search.decisions import Budget, Decision


class SeatFailed(Exception):
    """A strategy failed to decide; the message says how, for its author."""

    def __init__(self, failing: Failing, reason: str) -> None:
        super().__init__(reason)
        self.failing = failing


class Chair(Protocol):
    """Decides for one seat in one sitting."""

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide, within the budget. Whether the action is legal is looked at by whoever asks.

        Raises:
            SeatFailed: it did not.
        """
        ...

    def leave(self) -> None:
        """Leave the table: the sitting is over."""
        ...


class Entry(Protocol):
    """An entrant at work in one process, for any number of sittings, one after the other."""

    def sit(self) -> Chair:
        """Return who decides for one more seat."""
        ...

    def close(self) -> None:
        """End whatever was started for it."""
        ...

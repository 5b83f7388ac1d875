"""Who has seen which version of a table, and when: how long a move took to reach everybody who watches.

A reply may come before or after the updates that tell of the same move, so both are noted and brought together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

KEPT: Final = 64
"""How many versions back it is remembered when a watcher saw them: replies are not later than that."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A move was seen by all: when it was meant to be made, and when each watcher saw it, in seconds."""

    intended_s: float
    seen_s: tuple[float, ...]


@dataclass(slots=True)
class _Move:
    version: int
    intended_s: float
    missing: set[Hashable]
    seen_s: list[float] = field(default_factory=list)


class Sightings:
    """See the module."""

    def __init__(self, watchers: Iterable[Hashable]) -> None:
        self._seen: Mapping[Hashable, list[tuple[int, float]]] = {watcher: [] for watcher in watchers}
        self._moves: list[_Move] = []

    def made(self, version: int, intended_s: float) -> Sighting | None:
        """Let a move have led to a version; return its sighting if all have seen it already."""
        move = _Move(version, intended_s, set())
        for watcher, seen in self._seen.items():
            at = bisect_left(seen, (version, -1.0))
            if at < len(seen):
                move.seen_s.append(seen[at][1])
            else:
                move.missing.add(watcher)
        if not move.missing:
            return Sighting(intended_s, tuple(move.seen_s))
        self._moves.append(move)
        return None

    def saw(self, watcher: Hashable, version: int, at_s: float) -> list[Sighting]:
        """Let a watcher be at a version; return the moves that all have seen now."""
        seen = self._seen[watcher]
        seen.append((version, at_s))
        del seen[:-KEPT]
        done: list[_Move] = []
        for move in self._moves:
            if move.version <= version and watcher in move.missing:
                move.missing.remove(watcher)
                move.seen_s.append(at_s)
                if not move.missing:
                    done.append(move)
        if done:
            self._moves = [move for move in self._moves if move.missing]
        return [Sighting(move.intended_s, tuple(move.seen_s)) for move in done]

    def unseen(self) -> list[float]:
        """Return when the moves were meant to be made that somebody has not seen."""
        return [move.intended_s for move in self._moves]

    def forget(self) -> list[float]:
        """Return what `unseen` does, and wait for these moves no longer."""
        unseen = self.unseen()
        self._moves.clear()
        return unseen

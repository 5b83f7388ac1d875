"""What can go wrong with a tournament.

ArenaError
├── SpecError          what is to be played cannot be read, or cannot be played; says where
├── ForeignFolder      the folder holds another tournament, or one of another version
├── FolderInUse        another process is playing this tournament
├── Incomparable       two tournaments have nothing in common that could be compared
├── NoTournament       the folder holds none, or has no such deal
├── StrategyUnfit      a strategy cannot be loaded, or does not play this game: it never plays
└── TournamentFailed   it cannot go on: what was played is kept
"""

from __future__ import annotations


class ArenaError(Exception):
    """The root; the message is a sentence for people."""


class SpecError(ArenaError):
    """What is to be played cannot be read, or cannot be played. `place` is where it is written: `entrants[1].name`."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.sentence = message


class ForeignFolder(ArenaError):
    """A folder holds another tournament, or one that another version wrote: it is left as it is."""


class FolderInUse(ArenaError):
    """Another process is playing the tournament of this folder."""


class Incomparable(ArenaError):
    """Two tournaments are of different games, or count differently."""


class NoTournament(ArenaError):
    """A folder holds no tournament, or a tournament has no such deal."""


class StrategyUnfit(ArenaError):
    """A strategy cannot be loaded, or does not play the game."""


class TournamentFailed(ArenaError):
    """A tournament cannot go on; what was played is kept."""

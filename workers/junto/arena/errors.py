"""What can go wrong with a tournament.

ArenaError
├── SpecError          what is to be played cannot be read, or cannot be played; says where
├── ForeignFolder      the folder holds another tournament, or one of another version
├── FolderInUse        another process is playing this tournament
├── JournalBroken      what was played cannot be read, or what is played cannot be kept
├── Incomparable       two tournaments have nothing in common that could be compared
├── NoTournament       the folder holds none, or has no such deal
├── StrategyUnfit      a strategy cannot be loaded, or does not play this game: it never plays
└── TournamentFailed   it cannot go on: what was played is kept
"""

from __future__ import annotations

from typing import Final

_LONGEST: Final = 1200


class ArenaError(Exception):
    """The root; the message is a sentence for people, in one line that can be printed, whoever wrote parts of it."""

    def __init__(self, message: str) -> None:
        super().__init__(_line(" ".join(message.split())))


class SpecError(ArenaError):
    """What is to be played cannot be read, or cannot be played. `place` is where it is written: `entrants[1].name`."""

    def __init__(self, place: str, message: str) -> None:
        self.place = _line(place, _LONGEST // 3)
        self.sentence = _line(message, _LONGEST // 2)
        super().__init__(f"{self.place}: {self.sentence}" if place else self.sentence)


class ForeignFolder(ArenaError):
    """A folder holds another tournament, or one that another version wrote: it is left as it is."""


class FolderInUse(ArenaError):
    """Another process is playing the tournament of this folder."""


class Incomparable(ArenaError):
    """Two tournaments are of different games, or count differently."""


class JournalBroken(ArenaError):
    """What was played cannot be read (its file is damaged), or what is played cannot be kept (the disk is full)."""


class NoTournament(ArenaError):
    """A folder holds no tournament, or a tournament has no such deal."""


class StrategyUnfit(ArenaError):
    """A strategy cannot be loaded, or does not play the game."""


class TournamentFailed(ArenaError):
    """A tournament cannot go on; what was played is kept."""


def _line(text: str, longest: int = _LONGEST) -> str:
    """Return what others wrote as a part of one line: without signs that cannot be printed, and not too long."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[: longest + 1])
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."

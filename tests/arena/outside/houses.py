"""What the tests of outside strategies share: an entry of a strategy of `strategies/`, and a first decision."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from junto.arena.deciding import Chair, Entry, SeatFailed
from junto.arena.entrants import Entrant
from junto.arena.outside.entries import open_entry
from junto.games.catalog import open_game
from junto.games.core import View
from junto.games.shuffle import DealSeed
from junto.search.decisions import Budget

STRATEGIES = Path(__file__).parent / "strategies"
GAME = open_game("napoleon-tw")
WELL = 0
"""The seed with which the bad strategies behave well."""


class House:
    """Outside strategies at work, each opened once; their temporary files are in a folder of their own."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def entry(self, strategy: str, waited_s: float = 30.0, game: str = "napoleon-tw") -> Entry:
        """Return a strategy at work: a file of `strategies/`, or any other."""
        path = str(STRATEGIES / strategy) if (STRATEGIES / strategy.partition(":")[0]).is_file() else strategy
        if path not in self._entries:
            self._entries[path] = open_entry(Entrant("it", path, patience_s=waited_s), open_game(game))
        return self._entries[path]

    def close(self) -> None:
        """End them all."""
        while self._entries:
            self._entries.popitem()[1].close()


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """A house with an empty folder; when it is closed, no process and no file of its strategies is left."""
    house = House()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        try:
            yield house
        finally:
            house.close()
        assert not list(folder.iterdir())
        assert not processes_in(str(folder))


def processes_in(folder: str) -> list[psutil.Process]:
    """Return the processes that run in a folder, or below."""
    return [one for one in psutil.process_iter(["cwd"]) if (one.info["cwd"] or "").startswith(folder)]


def first_view(game: str = "napoleon-tw", secret: bytes = bytes(32)) -> View:
    """Return the view of the first decision of a deal."""
    rules = open_game(game)
    deal = rules.deal(rules.new_match().opened(), DealSeed(secret, (b"",) * rules.seats)).deal
    assert deal.to_act is not None
    return deal.view(deal.to_act)


def failure(chair: Chair, seed: int) -> SeatFailed:
    """Return how a decision fails that is to fail."""
    with pytest.raises(SeatFailed) as failed:
        chair.decide(first_view(), Budget(iterations=1, seed=seed))
    return failed.value


def answer(chair: Chair, seed: int = WELL) -> object:
    """Return the action that a chair decides on."""
    return chair.decide(first_view(), Budget(iterations=1, seed=seed)).action

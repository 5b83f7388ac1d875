"""A strategy is told its view and nothing else: not by memory, files, other processes, or its other seats."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType

import pytest
from tests.arena.outside.houses import GAME, STRATEGIES, House, failure, first_view

from junto.arena.outside.fences import fences
from junto.games.shuffle import DealSeed

SECRET = bytes(range(32))
PLANTED = f"planted-{SECRET[:8].hex()}"

needs_fences = pytest.mark.skipif(not fences().landlock, reason="this kernel has no Landlock")


@pytest.fixture(scope="module")
def peeking() -> ModuleType:
    """The module of the strategy that peeks, in this process."""
    spec = importlib.util.spec_from_file_location("peeking", STRATEGIES / "peeking.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """This process as a worker that has the secret in its environment, an open file, and a file in its folder."""
    monkeypatch.setenv("JUNTO_SECRET", PLANTED)
    with NamedTemporaryFile(dir="/tmp", prefix=f"junto-{PLANTED}-") as file:
        file.write(PLANTED.encode())
        file.flush()
        yield Path(file.name)


@needs_fences
def test_who_peeks_finds_its_view_and_nothing_else(house: House, worker: Path) -> None:
    """Objects, frames, the environment, open files, folders, other processes: there is nothing of the deal there."""
    deal = GAME.deal(GAME.new_match().opened(), DealSeed(SECRET, (b"",) * GAME.seats)).deal

    chair = house.entry("peeking.py:Peeking").sit()
    assert str(failure(chair, 1)).startswith("RuntimeError: I found []")
    chair.leave()
    assert deal.owns


def test_who_peeks_in_the_workers_own_process_finds_it(peeking: ModuleType, worker: Path) -> None:
    """The same search finds all of it there: that is why a strategy has a process of its own."""
    deal = GAME.deal(GAME.new_match().opened(), DealSeed(SECRET, (b"",) * GAME.seats)).deal
    found = set(peeking.finds(first_view(secret=SECRET)))

    assert {"what another seat knows", "the environment", "memory", "an open file", "a file"} <= found
    assert deal.owns


@needs_fences
def test_who_leaves_notes_finds_nowhere_to_leave_them(house: House) -> None:
    """Nothing of files, of processes or of the machine can be changed that another seat could look at, or feel."""
    chair = house.entry("noting.py:Noting").sit()

    assert str(failure(chair, 1)).startswith("RuntimeError: I did []")
    chair.leave()


def test_no_seat_remembers_another(house: House) -> None:
    """What one seat keeps, in its module, in others, or in memory made to be shared, the next does not find."""
    chairs = [house.entry("remembering.py:Remembering").sit() for _ in range(2)]
    first = str(failure(chairs[0], 1))

    assert first.startswith("RuntimeError: I remember [0, 0, 0, 0] and draw ")
    assert str(failure(chairs[1], 1)) == first
    assert str(failure(chairs[0], 1)).startswith("RuntimeError: I remember [1, 1, 0, 1]")
    for chair in chairs:
        chair.leave()


def test_what_is_drawn_follows_from_the_budgets_seed(house: House) -> None:
    """A strategy that draws from `random` without a seed decides alike another time, and otherwise by another seed."""
    drawn = []
    for seed in (5, 5, 6):
        chair = house.entry("remembering.py:Remembering").sit()
        drawn.append(str(failure(chair, seed)).partition(" draw ")[2])
        chair.leave()

    assert drawn[0] == drawn[1] != drawn[2]


def test_a_tournaments_folder_beside_a_strategy_is_not_read(house: House, tmp_path: Path) -> None:
    """A strategy may read its own files, but none that has a tournament's seed: no folder of results, no spec."""
    (tmp_path / "results").mkdir()
    (tmp_path / "old/whist").mkdir(parents=True)
    for name in NAMES:
        (tmp_path / name).write_text("seed = 7", encoding="utf-8")
    (tmp_path / "bot.py").write_text(READER, encoding="utf-8")

    chair = house.entry(f"{tmp_path}/bot.py:Reader").sit()
    assert str(failure(chair, 1)).startswith("RuntimeError: I read ['bot.py', 'weights.txt']")
    chair.leave()


NAMES = (
    *("results/spec.toml", "results/deals.bin", "old/whist/spec.toml", "old/whist/deals.bin"),
    *("next.toml", ".seed", "weights.txt", "bot.py"),
)
READER = f"""
from pathlib import Path

class Reader:
    def decide(self, view, budget):
        raise RuntimeError(f"I read {{sorted(filter(self.is_read, {NAMES}))}}")

    def is_read(self, name):
        try:
            return bool((Path(__file__).parent / name).read_text())
        except OSError:
            return False
"""

"""Where strategies come from, what of them is loaded once, and what survives the death of what loaded it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from tests.arena.outside.houses import House, answer, failure, open_house
from tests.conftest import wait_for

from junto.arena.records import Failing
from junto.games.actions import Pass

BOT = """
import {library}

class Bot:
    def decide(self, view, budget):
        if budget.seed:
            raise RuntimeError(f"{{{library}.__name__}}")
        return "pass"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that Python finds installed distributions in, here and in processes that are started from here."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def test_an_installed_strategy_plays_in_a_process_of_its_own(house: House, installed: Path) -> None:
    """It is found by its entry point."""
    info = installed / "quick_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quick-bots\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[junto.strategies]\nquick = quick_bots:Bot\n", encoding="utf-8")
    (installed / "quick_bots.py").write_text(BOT.format(library="json"), encoding="utf-8")
    chair = house.entry("quick").sit()

    assert answer(chair) == Pass()
    assert str(failure(chair, 1)).startswith("RuntimeError: json (quick_bots.py:")
    chair.leave()


def test_a_module_of_the_current_folder_plays(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by its import path; so are the modules beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/helping.py").write_text("", encoding="utf-8")
    (tmp_path / "bots/best.py").write_text(BOT.format(library="bots.helping"), encoding="utf-8")
    chair = house.entry("bots.best:Bot").sit()

    assert answer(chair) == Pass()
    assert str(failure(chair, 1)).startswith("RuntimeError: bots.helping (best.py:")
    chair.leave()


def test_a_library_that_starts_threads_is_loaded_by_each_seat(house: House, installed: Path, tmp_path: Path) -> None:
    """Threads do not live on in a fork."""
    library = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    (installed / "threaded.py").write_text(library, encoding="utf-8")
    (tmp_path / "bot.py").write_text(BOT.format(library="threaded"), encoding="utf-8")
    chair = house.entry(f"{tmp_path}/bot.py:Bot").sit()

    assert answer(chair) == Pass()
    chair.leave()


def test_the_death_of_what_loaded_it_costs_one_decision(house: House, tmp_path: Path) -> None:
    """A seat whose process ends with it is told so; then it is started again, and other seats sit down as before."""
    (tmp_path / "bot.py").write_text(BOT.format(library="json"), encoding="utf-8")
    entry = house.entry(f"{tmp_path}/bot.py:Bot")
    chair, beside = entry.sit(), entry.sit()
    assert answer(chair) == Pass()
    zygote = next(one for one in psutil.Process().children() if f"{tmp_path}/bot.py" in " ".join(one.cmdline()))
    seats = zygote.children()
    os.kill(zygote.pid, signal.SIGKILL)
    assert not psutil.wait_procs(seats, timeout=20)[1]

    assert failure(chair, 0).failing is Failing.DIED
    assert answer(chair) == Pass()
    other = entry.sit()
    assert answer(other) == Pass()
    assert failure(beside, 0).failing is Failing.DIED
    assert answer(beside) == Pass()
    for one in (chair, beside, other):
        one.leave()


def test_who_leaves_after_the_strategy_was_closed_leaves(tmp_path: Path) -> None:
    """The order does not matter."""
    (tmp_path / "bot.py").write_text(BOT.format(library="json"), encoding="utf-8")
    (tmp_path / "house").mkdir()
    with open_house(tmp_path / "house") as house:
        chair = house.entry(f"{tmp_path}/bot.py:Bot").sit()
    chair.leave()


def test_the_folder_of_a_worker_that_was_killed_is_removed_by_the_next(house: House, tmp_path: Path) -> None:
    """Whoever kills a worker kills its zygote, too: nobody is left to tidy up."""
    stale = Path(tempfile.gettempdir()) / f"junto-worker-{1 << 30}-of-a-dead-one"
    stale.mkdir()
    (tmp_path / "bot.py").write_text(BOT.format(library="json"), encoding="utf-8")
    house.entry(f"{tmp_path}/bot.py:Bot")

    assert not stale.exists()


def test_nobody_thinks_in_the_others_time(house: House, tmp_path: Path) -> None:
    """A seat's process is halted while it is not asked, threads that it has left behind included."""
    (tmp_path / "bot.py").write_text(BOT.format(library="json"), encoding="utf-8")
    chair = house.entry(f"{tmp_path}/bot.py:Bot").sit()
    zygote = next(one for one in psutil.Process().children() if f"{tmp_path}/bot.py" in " ".join(one.cmdline()))
    (seat,) = zygote.children()
    wait_for(lambda: seat.status() == psutil.STATUS_STOPPED)

    assert answer(chair) == Pass()
    wait_for(lambda: seat.status() == psutil.STATUS_STOPPED)
    assert failure(chair, 1).failing is Failing.RAISED
    wait_for(lambda: seat.status() == psutil.STATUS_STOPPED)
    chair.leave()

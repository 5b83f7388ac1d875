"""The state of a strategy: it changes when its code does, and nothing of it is run to find it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from junto.arena.entrants import Entrant
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.fingerprints import fingerprint

INSTALLED = Path(__file__).resolve().parents[2] / "faults" / "installed"


def test_of_a_file_it_is_that_of_all_that_it_imports_from_beside_it(tmp_path: Path) -> None:
    """A change in the file, or in one that it imports, is another state; any other file makes no difference."""
    bot, cards, more = (tmp_path / name for name in ("bot.py", "cards.py", "more.py"))
    bot.write_text("import cards\nclass It: ...\nraise SystemExit\n", encoding="utf-8")
    cards.write_text("import more\n", encoding="utf-8")
    more.write_text("ACE = 1\n", encoding="utf-8")
    entrant = Entrant("it", f"{bot}:It")
    states = [fingerprint(entrant)]
    (tmp_path / "other.py").write_text("ACE = 1\n", encoding="utf-8")

    assert fingerprint(entrant) == states[0]

    for path in (bot, cards, more):
        path.write_text(path.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        states.append(fingerprint(entrant))
    assert len(set(states)) == 4


def test_of_a_module_it_is_that_of_its_whole_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in any file of the package is another state."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/careful.py").write_text("class Careful: ...\nraise SystemExit\n", encoding="utf-8")
    (tmp_path / "bots/cards.py").write_text("ACE = 1\n", encoding="utf-8")
    entrant = Entrant("it", "bots.careful:Careful")
    before = fingerprint(entrant)
    (tmp_path / "bots/cards.py").write_text("ACE = 2\n", encoding="utf-8")

    assert fingerprint(entrant) != before


def test_of_an_installed_strategy_it_names_the_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its version, and a hash of its files."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(INSTALLED)])
    name = (INSTALLED / "slow_bots-1.dist-info/entry_points.txt").read_text(encoding="utf-8").split()[1]

    assert fingerprint(Entrant("it", name)).startswith("slow-bots 1 ")


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [("no_such.py:It", "there is no file"), ("no_such_module:It", "there is no module 'no_such_module'")],
)
def test_what_is_not_there_has_none(strategy: str, sentence: str) -> None:
    """It is told in a sentence."""
    with pytest.raises(StrategyUnfit, match=sentence):
        fingerprint(Entrant("it", strategy))

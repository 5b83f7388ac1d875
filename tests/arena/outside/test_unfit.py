"""A strategy that cannot play is refused before the first deal, in a sentence for its author."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.arena.outside.houses import STRATEGIES, House

from junto.arena.entrants import Entrant
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.entries import open_entry
from junto.arena.outside.loading import NotLoaded, load, made, source_of
from junto.games.catalog import open_game


def whole(strategy: str) -> object:
    """Load and make a strategy in this process, as a seat's does."""
    source = source_of(strategy)
    return made(load(source), source)


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (f"{STRATEGIES}/unfit.py:Unmakeable", "unfit.py:Unmakeable cannot be made: RuntimeError: no weights (unfit.py"),
        (f"{STRATEGIES}/unfit.py:Undecided", "unfit.py:Undecided has no method decide(view, budget)"),
        (f"{STRATEGIES}/unfit.py:NUMBER", "unfit.py:NUMBER is no class with a method decide(view, budget)"),
        (f"{STRATEGIES}/unfit.py:Missing", "unfit.py has no 'Missing'"),
        ("no_such_file.py:It", "there is no file "),
        (f"{STRATEGIES}/unfit:It", "there is no file "),
        ("no.such.module:It", "there is no module 'no' for no.such.module:It"),
        ("json.no_such_part:It", "there is no module 'json.no_such_part' for json.no_such_part:It"),
        ("json:dumps", "json:dumps cannot be made: TypeError"),
        ("builtins:dict", "builtins:dict has no method decide(view, budget)"),
        ("time:time", "time:time makes nothing that has a method decide(view, budget)"),
        ("no_such_entry_point", "no strategy 'no_such_entry_point' is installed"),
    ],
)
def test_what_is_no_strategy_is_told(strategy: str, sentence: str) -> None:
    """Each reason is one sentence that names the strategy and what is wrong with it."""
    with pytest.raises(NotLoaded) as refused:
        whole(strategy)

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("class It:\n    def decide(self, view, budget)\n", "is not Python: expected ':' (bot.py:2)"),
        ("import no_such_library\n", "ModuleNotFoundError: No module named 'no_such_library' (bot.py:1)"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3 (bot.py:2)"),
        ("def It():\n    return 1 / 0\n", "bot.py:It cannot be made: ZeroDivisionError: division by zero (bot.py:2)"),
    ],
)
def test_what_its_author_wrote_wrong_is_told_with_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    """The file and the line stand at the end."""
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    (tmp_path / "bot.py").write_text(text, encoding="utf-8")
    with pytest.raises(NotLoaded) as refused:
        whole(f"{tmp_path}/bot.py:It")

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("raise ValueError('not today')\n", "bot.py:It cannot be imported: ValueError: not today (bot.py:1)"),
        ("import os\nos._exit(3)\n", "bot.py:It cannot be loaded: its process ended with exit code 3"),
        ("x = bytes(1 << 40)\n", "bot.py:It cannot be imported: MemoryError (bot.py:1)"),
        ("class It:\n    games = ['bridge']\n    def decide(self, view, budget): ...\n",
         "bot.py:It does not play napoleon-tw; it plays bridge"),
    ],
)  # fmt: skip
def test_it_is_refused_before_it_plays(house: House, tmp_path: Path, text: str, sentence: str) -> None:
    """Whoever opens it is told, whatever its file does while it is loaded."""
    (tmp_path / "bot.py").write_text(text, encoding="utf-8")
    with pytest.raises(StrategyUnfit) as refused:
        house.entry(f"{tmp_path}/bot.py:It")

    assert sentence in str(refused.value)


def test_a_file_is_refused_where_its_process_cannot_be_fenced_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """On other systems than Linux its author is told what to do instead."""
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(StrategyUnfit, match="on Linux alone; serve it"):
        open_entry(Entrant("it", f"{STRATEGIES}/ways.py:It"), open_game("whist"))

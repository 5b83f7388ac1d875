"""The page for authors of strategies is true: what it shows runs, what it names is there."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import junto.strategy
from junto.arena.outside import limits, places, processes
from junto.arena.records import Failing
from junto.cli.tournament import tournament
from junto.games.catalog import open_game
from junto.games.core import View
from junto.games.shuffle import DealSeed
from junto.search.decisions import Budget
from junto.strategy.messages import decision_from

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/strategy.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the page's blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page's first block as the file that it says it is."""
    first = blocks("python")[0]
    assert first.startswith("# my_bot.py\n")
    (tmp_path / "my_bot.py").write_text(first, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("my_bot", None)


@pytest.mark.parametrize("block", blocks("python"))
def test_what_it_shows_runs(block: str) -> None:
    """Each block of Python runs, and the strategies that it defines decide."""
    names: dict[str, Any] = {}
    exec(compile(block, "strategy.md", "exec"), names)
    game = open_game("whist")
    deal = game.deal(game.new_match().opened(), DealSeed(bytes(32), (b"",) * game.seats)).deal
    assert deal.to_act is not None
    view: View = deal.view(deal.to_act)
    for thing in list(names.values()):
        if isinstance(thing, type) and "decide" in vars(thing):
            answer = thing().decide(view, Budget(iterations=1, seed=1))
            action = decision_from(answer, game).action
            if not hasattr(thing, "games"):
                deal.check(action)


def test_the_commands_are_there() -> None:
    """Each flag of each command that it shows is one of `junto tournament run`."""
    usage = CliRunner().invoke(tournament, ["run", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    for command in blocks("sh"):
        assert command.startswith("junto tournament run ")
        for flag in re.findall(r"--[a-z-]+", command):
            assert flag in usage


def test_the_entry_points_are_read() -> None:
    """The block of TOML is the group that strategies are looked for in."""
    (block,) = blocks("toml")
    assert tomllib.loads(block)["project"]["entry-points"][places.GROUP] == {"careful": "my_package.bots:Careful"}


def test_every_name_and_file_is_there() -> None:
    """Helpers are public, faults are all told, links lead somewhere, numbers are the code's."""
    helpers = re.findall(r"^\| `([a-z_]+)\(view", PAGE, re.MULTILINE)
    assert len(helpers) == 5
    assert set(helpers) <= set(junto.strategy.__all__)
    assert {failing.value for failing in Failing} == set(re.findall(r"^\| `([a-z ]+)` \|", PAGE, re.MULTILINE))
    for link in re.findall(r"\]\((?!http)([^)]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link
    for field in re.findall(r"`view\.([a-z.]+)`", PAGE):
        assert hasattr(View, field.partition(".")[0]), field
    assert limits.MEMORY_BYTES == 2 << 30
    assert processes.MOST_ENDED == 3

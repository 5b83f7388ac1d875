"""The folder of compiled kernels: never stale, and no need to be writable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from junto.games import jit
from junto.games.imported_files import sources_of
from junto.games.tricks import bits
from junto.search.tricks import trials, weighing

ROOT = Path(__file__).resolve().parents[3]
TWICE = """
import importlib, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    assert module.double(2) == 4
    print(sum(module.double.stats.cache_hits.values()), end=" ")
"""
KERNEL = """
from junto.games.jit import njit
WORD = 2
@njit
def double(number):
    return number * WORD
"""
ASK = """
import numpy as np
from junto.search.tricks import state as state_module
from junto.games.tricks import kernel
state, rules = np.zeros(state_module.STATE, np.int64), np.zeros(kernel.RULES, np.int64)
state[state_module.COUNT], rules[kernel.FOLLOWING], rules[kernel.FREE] = 1, kernel.WHOLE_SUIT, kernel.JOKERS
print(state_module.legal_now(rules, state, 1 << 53 | 1 << 3 | 1 << 20), end=" ")
print(sum(state_module.legal_now.stats.cache_hits.values()))
"""
FOLLOWS = "return int(own | (hand & rules[FREE]))"
pytestmark = pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources of games and search."""
    for part in ("games", "workers"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "pool"))
    return tmp_path


def ask(tree: Path, cache: Path) -> tuple[int, int]:
    """Run the copied search in a process of its own: the legal cards it finds, and its hits on disk."""
    paths = os.pathsep.join(str(tree / part) for part in ("games", "workers"))
    # `-S` keeps the installed junto out; the other packages are put back by path.
    packages = os.pathsep.join(path for path in sys.path if path.endswith("site-packages"))
    environment = {**os.environ, "PYTHONPATH": f"{paths}{os.pathsep}{packages}", "JUNTO_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", ASK], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    cards, hits = done.stdout.split()
    return int(cards), int(hits)


def test_an_edited_rule_reaches_the_search_that_calls_it(tree: Path, tmp_path: Path) -> None:
    """A kernel in another file than its caller's is edited: the caller runs the new rule, and is kept on disk."""
    cache = tmp_path / "cache"
    kernel = tree / "games" / "junto" / "games" / "tricks" / "kernel.py"
    assert ask(tree, cache) == (1 << 53 | 1 << 3, 0)
    assert ask(tree, cache) == (1 << 53 | 1 << 3, 1)
    text = kernel.read_text(encoding="utf-8")
    assert FOLLOWS in text
    kernel.write_text(text.replace(FOLLOWS, "return int(own)"), encoding="utf-8")
    assert ask(tree, cache) == (1 << 3, 0)


def test_a_folder_that_cannot_be_made_is_done_without(tree: Path, tmp_path: Path) -> None:
    """Where no folder can be made everything is compiled in the process and nothing fails."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    assert ask(tree, blocked / "cache") == (1 << 53 | 1 << 3, 0)


def test_a_read_only_folder_is_read(tree: Path, tmp_path: Path) -> None:
    """What is in a folder that cannot be written is used from there."""
    cache = tmp_path / "cache"
    ask(tree, cache)
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert ask(tree, cache)[1] == 1
    finally:
        for folder in folders:
            folder.chmod(0o755)


def test_a_file_with_two_names_is_kept_twice(tmp_path: Path) -> None:
    """A script's neighbour, imported as a part of a package, runs where only the package can be imported."""
    package = tmp_path / "kept_twice"
    package.mkdir()
    (package / "neighbour.py").write_text(KERNEL, encoding="utf-8")

    def hits(folder: Path, name: str) -> list[str]:
        environment = {**os.environ, "PYTHONPATH": str(folder), "JUNTO_CACHE_DIR": str(tmp_path / "cache")}
        run = subprocess.run(
            [sys.executable, "-c", TWICE, name], env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.split()

    assert hits(package, "neighbour") == ["0"]
    assert hits(tmp_path, "kept_twice.neighbour") == ["0"]
    assert hits(tmp_path, "kept_twice.neighbour") == ["1"]


def test_a_folder_is_named_by_all_that_its_file_imports() -> None:
    """Also what is imported by what a file imports counts; what it does not reach leaves its folder alone.

    Nor does the module that compiles: how it does is in the name by its settings.
    """
    search = Path(trials.__file__)
    names = {path.name for path in sources_of(search)}
    assert {"trials.py", "policy.py", "state.py", "kernel.py", "bits.py", "streams.py", "scoring.py"} <= names
    assert {path.name for path in sources_of(Path(bits.__file__))} == {"bits.py"}


def test_the_bidding_system_is_no_part_of_a_kernel() -> None:
    """An edit of how the bots bid compiles nothing anew."""
    assert not any(path.parent.name == "bridge_bidding" for path in sources_of(Path(weighing.__file__)))


def test_a_warm_up_tells_how_far_it_is() -> None:
    """Each module that holds kernels is named before it is compiled; the last report says that all is done."""
    reports: list[tuple[str, int, int]] = []
    jit.warmup(lambda name, done, total: reports.append((name, done, total)))
    assert [done for _, done, _ in reports] == list(range(len(reports)))
    assert reports[-1] == ("done", len(reports) - 1, len(reports) - 1)
    assert "junto.games.tricks.kernel" in {name for name, _, _ in reports}

"""A strategy's file that can be seen to be none is refused before anything is started, and nothing of it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from junto.arena.entrants import Entrant
from junto.arena.errors import SpecError, StrategyUnfit
from junto.arena.outside.fingerprints import fingerprint
from junto.arena.outside.loading import source_of
from junto.arena.outside.reading import check_readable
from junto.arena.spec_files import Wish, spec_of

RAN = "import pathlib\npathlib.Path('ran').touch()\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("class Careful: ...\n", "bot.py has no 'It'; it has Careful"),
        ("", "bot.py has no 'It'"),
        ("class Other:\n    It = 1\n    def It(self): ...\n", "bot.py has no 'It'; it has Other"),
        ("It.x = 1\nprint(It)\nIts = 2\n", "bot.py has no 'It'"),
        ("class It:\n    def decide(self, view, budget)\n", "bot.py:It is not Python: expected ':' (bot.py:3)"),
        ("class It: ...\nreturn 3\n", "bot.py:It is not Python: 'return' outside function (bot.py:3)"),
        ("class It: ...\nx = '\0'\n", "bot.py:It is not Python"),
        ("class It: ...\nx = '\xff'\n# coding: no-such-coding\n", ""),
        ("class It: ...\nx = " + "(" * 5000 + ")" * 5000, "bot.py:It is not Python"),
        ("class It: ...\nx = " + "-" * 100_000 + "1", "bot.py:It is not Python"),
    ],
)
def test_what_is_no_strategy_is_seen_in_its_file(text: str, sentence: str) -> None:
    """The sentence is that of whoever would load it; the file is read and not run."""
    Path("bot.py").write_text(RAN[: RAN.index("\n") + 1] + text, encoding="utf-8")
    wanted = [Entrant("greedy", "greedy"), Entrant("it", "./bot.py:It")]

    if not sentence:
        fingerprint(wanted[1])
        return
    with pytest.raises(StrategyUnfit) as unfit:
        fingerprint(wanted[1])
    with pytest.raises(SpecError) as refused:
        spec_of(Wish("whist", wanted, deals=2))

    assert sentence in str(unfit.value)
    assert str(refused.value) == f"entrants[1].strategy: {unfit.value}"


@pytest.mark.parametrize(
    "text",
    [
        "class It: ...",
        "def It(): ...",
        "It = make()",
        "a, (It, b) = make()",
        "It: object = 3",
        "from bots import It",
        "import It.part",
        "import bots as It",
        "from bots import *",
        "if fast:\n    class It: ...",
        "try:\n    from bots import It\nexcept ImportError:\n    pass",
        "with bots() as It: ...",
        "def load():\n    global It\n    It = 3\nload()",
        "def __getattr__(name): return 3",
        "globals()['I' + 't'] = 3",
        "import sys\nsetattr(sys.modules[__name__], 'I' + 't', 3)",
        "exec('class It: ...')",
    ],
)
def test_what_may_be_one_is_left_to_whoever_runs_it(text: str) -> None:
    """However the name comes about; nothing is run to find out."""
    Path("bot.py").write_text(f"{RAN}{text}\n", encoding="utf-8")

    fingerprint(Entrant("it", "./bot.py:It.part"))
    fingerprint(Entrant("it", "bot:It"))

    assert not Path("ran").exists()


def test_a_module_is_read_where_it_is_its_authors() -> None:
    """In the current folder, in a package or not; of what is installed nothing is said."""
    Path("bots").mkdir()
    Path("bots/__init__.py").write_text("class Whole: ...\n", encoding="utf-8")
    Path("bots/careful.py").write_text("class Careful: ...\n", encoding="utf-8")
    Path("bots/native.abi3.so").touch()

    for fit in ("bots:Whole", "bots.careful:Careful", "bots.native:It", "json:nothing", "json.no_such_part:It"):
        check_readable(source_of(fit))
    for unfit, sentence in (
        ("bots:Careful", "bots has no 'Careful'; it has Whole"),
        ("bots.careful:It", "bots.careful has no 'It'; it has Careful"),
        ("bots.carefree:It", "there is no module 'bots.carefree' for bots.carefree:It"),
    ):
        with pytest.raises(StrategyUnfit, match=sentence):
            check_readable(source_of(unfit))


def test_a_file_that_may_not_be_read_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a folder of somebody else."""
    Path("bot.py").write_text("class It: ...\n", encoding="utf-8")

    def refused(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(StrategyUnfit, match=r"bot\.py:It cannot be read: Permission denied"):
        fingerprint(Entrant("it", "./bot.py:It"))

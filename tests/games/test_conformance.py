"""The published cases of the rules, and the runner that anybody can give files to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from junto.games.conformance import ADAPTERS, Case, run_files
from junto.games.conformance.runner import read_cases, run_case

ROOT = Path(__file__).parents[2]
COPY = ROOT / "tests" / "vectors"
SHARED = ROOT.parent / "shared" / "rules" / "vectors"
VECTORS = SHARED if SHARED.is_dir() else COPY
GAMES = sorted(ADAPTERS)
CASES = [(game, case) for game in GAMES for case in read_cases(VECTORS / f"{game}.json")]


@pytest.mark.parametrize(("game", "case"), CASES, ids=[f"{game}: {case.name}" for game, case in CASES])
def test_the_rules_answer_as_published(game: str, case: Case) -> None:
    """Every case is driven through the real rules and answered as it says."""
    assert list(run_case(ADAPTERS[game], case)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_file_is_run_and_counted(game: str) -> None:
    """The runner's last line counts the cases, and it ends well when all passed."""
    said: list[str] = []
    assert run_files([COPY / f"{game}.json"], said.append) == 0
    assert said == [f"{len(json.loads((COPY / f'{game}.json').read_text()))} passed, 0 failed"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published cases are not at hand")
@pytest.mark.parametrize("game", GAMES)
def test_our_copy_is_the_published_one(game: str) -> None:
    """The cases that the project keeps are those that were published."""
    assert (COPY / f"{game}.json").read_bytes() == (SHARED / f"{game}.json").read_bytes()


def file_of(folder: Path, cases: Any, name: str = "napoleon_tw.json") -> Path:
    path = folder / name
    path.write_text(cases if isinstance(cases, str) else json.dumps(cases))
    return path


def case_of(**changes: Any) -> dict[str, Any]:
    case = {"name": "sizes", "kind": "deal", "given": {"players": 5}, "when": {}, "then": {"hand": 10, "kitty": 4}}
    return {**case, **changes}


def test_a_failing_case_is_named_with_what_was_expected_and_got(tmp_path: Path) -> None:
    """One wrong answer fails the case, the other cases are run all the same, and the exit code is 1."""
    said: list[str] = []
    wrong = case_of(name="a wrong kitty", then={"hand": 10, "kitty": 5, "colour": "red"})
    assert run_files([file_of(tmp_path, [wrong, case_of()])], said.append) == 1
    assert [line.split("napoleon_tw.json")[-1] for line in said] == [
        ": a wrong kitty: failed",
        "    kitty: expected 5, got 4",
        '    colour: expected "red", got nothing',
        "1 passed, 1 failed",
    ]


def test_a_case_that_breaks_the_rules_fails(tmp_path: Path) -> None:
    """A case that cannot be set up is reported like a wrong answer, with the reason."""
    said: list[str] = []
    cases = [case_of(given={"players": 8}), case_of(kind="trick"), case_of(given={"options": {"nonsense": 1}})]
    assert run_files([file_of(tmp_path, cases)], said.append) == 1
    assert said[1] == "    got OptionError: players must be a whole number from 3 to 7"
    assert said[-1] == "0 passed, 3 failed"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("whist_with_dice.json", "[]", "there are no cases for 'whist_with_dice'"),
        ("napoleon_tw.json", "[", "is not JSON"),
        ("napoleon_tw.json", "{}", "is not a list of cases"),
        ("napoleon_tw.json", "[3]", "case 1 has no kind or no answer"),
        ("napoleon_tw.json", '[{"kind": "deal", "then": {}, "given": 3}]', "must be objects"),
        (
            "napoleon_tw.json",
            '[{"name": "x", "kind": "juggling", "then": {}}]',
            "the kind of case 'juggling' is unknown",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, reason: str) -> None:
    """The exit code is 2, the reason is said, and other files are run all the same."""
    said: list[str] = []
    bad = file_of(tmp_path, text, name)
    (tmp_path / "good").mkdir()
    good = file_of(tmp_path / "good", [case_of()])
    assert run_files([bad, good, tmp_path / "missing" / "napoleon_tw.json"], said.append) == 2
    assert reason in said[0]
    assert said[1].endswith("cannot be read: No such file or directory")
    assert said[-1] == "1 passed, 0 failed"

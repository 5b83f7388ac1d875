"""Whole runs: a run that goes on comes to the figures of one that was never stopped, on one core or two."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from bench.strength.__main__ import INTERRUPTED, main
from bench.strength.comparing import Course, Found, run
from bench.strength.errors import OtherCode
from bench.strength.store import read_results
from bench.strength.summaries import gains_of, is_decided
from bench.strength.units import measure

from junto.arena.code import CODE

ROOT = Path(__file__).resolve().parents[2]
PLAYER, GAME = "pimc:iterations=4", "whist"


def course(out: Path, deals: int, *, jobs: int = 1) -> Course:
    """Return a short run."""
    return Course(GAME, (PLAYER,), "greedy", deals, out, jobs=jobs)


def never(_found: Found) -> bool:
    """Go on to the last deal."""
    return False


def told(_found: Found) -> None:
    """Say nothing."""


def scores(found: Found) -> dict[int, Any]:
    """Return what of a run does not hang on the clock."""
    return {deal: (record["scores"], record["baseline"]) for deal, record in sorted(found[PLAYER].items())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Found]:
    """Return a run of four deals, and its folder."""
    out = tmp_path_factory.mktemp("whole")
    return out, run(course(out, 4), never, told)


def test_a_run_that_goes_on_comes_to_the_same(whole: tuple[Path, Found], tmp_path: Path) -> None:
    """Stopped after a deal and a half: the half line is played again, the rest as if nothing had happened."""
    shutil.copytree(whole[0], tmp_path / "again")
    for path in (tmp_path / "again").iterdir():
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:2]) + lines[2][:30])

    assert scores(run(course(tmp_path / "again", 4), never, told)) == scores(whole[1])


def test_two_processes_come_to_the_same_as_one(whole: tuple[Path, Found], tmp_path: Path) -> None:
    """What is played hangs on the number of the deal alone, not on who plays it and when."""
    assert scores(run(course(tmp_path, 4, jobs=2), never, told)) == scores(whole[1])


def test_a_run_that_is_over_plays_nothing(whole: tuple[Path, Found]) -> None:
    """All deals are there: the files stay as they are."""
    before = {path: path.read_bytes() for path in whole[0].iterdir()}

    assert scores(run(course(whole[0], 3), never, told)) == scores(whole[1])
    assert {path: path.read_bytes() for path in whole[0].iterdir()} == before


def of_other_code(folder: Path) -> None:
    """Make the results of a folder look like those of another state of the code."""
    for path in folder.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace(CODE, "0" * 12), encoding="utf-8")


def test_a_fresh_run_plays_anew_what_other_code_has_played(whole: tuple[Path, Found], tmp_path: Path) -> None:
    """Without that the kept lines stay as they are; with it none of them counts, and the scores are those of now."""
    shutil.copytree(whole[0], tmp_path / "again")
    of_other_code(tmp_path / "again")
    kept = run(course(tmp_path / "again", 2), never, told)
    assert {record["code"] for record in kept[PLAYER].values()} == {"0" * 12}

    fresh = run(replace(course(tmp_path / "again", 2), fresh=True), never, told)
    assert sorted(fresh[PLAYER]) == [0, 1]
    assert {record["code"] for record in fresh[PLAYER].values()} == {CODE}
    assert scores(fresh) == {deal: scores(whole[1])[deal] for deal in (0, 1)}


def test_a_process_of_other_code_refuses(tmp_path: Path) -> None:
    """A unit names the code of who asks for it; who has loaded another plays nothing, whatever it would be."""
    unit = replace(course(tmp_path, 1).unit(PLAYER, 0), code="0" * 12)

    with pytest.raises(OtherCode, match="the code changed"):
        measure(unit)


def test_a_run_stops_when_it_is_told_to(tmp_path: Path) -> None:
    """It is asked after each deal."""
    found = run(course(tmp_path, 50), lambda found: len(found[PLAYER]) == 2, told)

    assert sorted(found[PLAYER]) == [0, 1]
    assert is_decided(found[PLAYER])
    assert not is_decided(run(course(tmp_path, 3), never, told)[PLAYER])


def test_the_baseline_is_played_once_for_all(whole: tuple[Path, Found], tmp_path: Path) -> None:
    """Another player in the same folder is paired with the scores that are kept already."""
    shutil.copytree(whole[0], tmp_path / "again")
    (baseline,) = (tmp_path / "again").glob("*baseline*")
    before = baseline.read_bytes()
    other = Course(GAME, ("random",), "greedy", 2, tmp_path / "again")
    found = run(other, never, told)

    assert baseline.read_bytes() == before
    assert [found["random"][deal]["baseline"] for deal in (0, 1)] == [
        read_results(baseline)[1][deal]["scores"] for deal in (0, 1)
    ]


def test_the_baseline_gains_nothing_on_itself(tmp_path: Path) -> None:
    """A candidate that plays like the baseline scores what it does."""
    found = run(Course(GAME, ("greedy:iterations=2",), "greedy", 3, tmp_path), never, told)

    assert gains_of(found["greedy:iterations=2"], [0, 1, 2]) == [0.0, 0.0, 0.0]


def test_the_command_prints_a_figure(whole: tuple[Path, Found], capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object: the gain with its interval, of so many deals, and the decision times."""
    code = main(["vs", "--game", GAME, "--candidate", PLAYER, "--deals", "4", "--out", str(whole[0])])
    line = json.loads(capsys.readouterr().out)

    assert code == 0
    assert line["deals"] == 4
    assert line["interval_95"][0] <= line["value"] <= line["interval_95"][1]
    assert line["decision_ms"]["p50"] <= line["decision_ms"]["worst"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--candidate", "pimk"], "there is no strategy 'pimk'"),
        (["--candidate", "random", "--game", "wist"], "there is no game 'wist'"),
        (["--candidate", "random", "--option", "seats=9"], "seats"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_line(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 2, and nothing is written."""
    assert main(["vs", *arguments, "--out", str(tmp_path / "none")]) == 2

    assert reason in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("command", [["curve", "--seconds", "0.01"], ["beliefs"]])
def test_what_cannot_be_decided_early_is_not_asked_for(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A curve and beliefs end with their last deal; who wants them to end before is told so."""
    assert main([*command, "--game", GAME, "--decided", "3", "--out", str(tmp_path / "none")]) == 2

    assert "--decided 0" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("number", ["--deals", "--jobs", "--look"])
def test_numbers_out_of_bounds_are_refused(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is begun with none of them."""
    with pytest.raises(SystemExit) as refused:
        main(["vs", "--game", GAME, "--candidate", PLAYER, "--out", "none", number, "0"])

    assert refused.value.code == 2
    assert f"argument {number}: it is from 1 to" in capsys.readouterr().err


def test_an_interrupted_run_keeps_whole_deals_and_leaves_nobody_behind(tmp_path: Path) -> None:
    """The interrupt key ends both processes; what is kept is read again without a complaint."""
    arguments = f"--game {GAME} --candidate {PLAYER} --deals 100000 --jobs 2".split()
    command = [sys.executable, "-m", "bench.strength", "vs", *arguments, "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT, env=environment, text=True) as process:
        assert process.stderr is not None
        said = ""
        while " 1 of " not in said:
            letter = process.stderr.read(1)
            assert letter, said
            said += letter
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        said += process.stderr.read()

    assert process.returncode == INTERRUPTED
    assert "Traceback" not in said
    assert not psutil.wait_procs(children, timeout=10)[1]
    assert 0 in read_results(tmp_path / Course(GAME, (PLAYER,), "greedy", 1, tmp_path).spec(PLAYER).file_name)[1]

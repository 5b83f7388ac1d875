"""What `junto tournament run` refuses of its flags: before anything is started, and whatever the number is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from junto.cli.console import Failure
from junto.cli.main import application

NINES = "9" * 5000
ASKED = ["run", "--game", "whist", "--strategies", "greedy,random"]


def tournament(*arguments: str) -> None:
    """Run `junto tournament` in this process."""
    application("tournament")(["tournament", *arguments], prog_name="junto", standalone_mode=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deals", "99999999999"], "deals: there are 1 to 10000000 deals"),
        (["--seed", "-1"], "seed: it is from 0 to 2^63 - 1"),
        (["--at-a-table", "99"], "at_a_table: 2 entrants at a table with 4 places"),
        (["--stop-difference", "nan"], "stop.difference: it is from -1e+06 to 1e+06, not nan"),
        (["--stop-difference", "inf"], "stop.difference: it is from -1e+06 to 1e+06, not inf"),
        (["--stop-difference", "1", "--alpha", "nan"], "stop.alpha: it is at least 1e-09 and less than 0.5, not nan"),
        (["--stop-difference", "1", "--beta", "-1"], "stop.beta: it is at least 1e-09 and less than 0.5, not -1"),
        (["--alpha", "0.1"], "--alpha: it goes with --stop-difference"),
        (["--beta", "nan"], "--beta: it goes with --stop-difference"),
        (["--option", "target=nan"], "target must be a whole number from 0 to 50"),
        (["--option", f"target={NINES}"], "target must be a whole number from 0 to 50"),
        (["--strategies", "greedy,pimc:seconds=nan"], "seconds: it is more than 0 and at most 60 seconds, not nan"),
        (["--strategies", "greedy,pimc:seconds=1e400"], "seconds: it is more than 0 and at most 60 seconds, not inf"),
        (["--strategies", "greedy,pimc:iterations=0"], "iterations: it is from 1 to 10000000, not 0"),
        (["--strategies", f"greedy,pimc:iterations={NINES}"], "iterations: it is a whole number"),
        (["--strategies", "greedy,random:patience=-1"], "patience: it is more than 0 and at most 60 seconds, not -1"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments: list[str], message: str) -> None:
    """With the flag, and what it may be; exit code 2."""
    with pytest.raises(Failure, match=re.escape(message)) as refusal:
        tournament(*ASKED, *arguments)

    assert refusal.value.code == 2
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("flag", "values"),
    [("--deals", ["0", "-1", "nan", NINES]), ("--seed", ["nan", NINES]), ("--workers", ["-1", "4097"])],
)
def test_numbers_have_bounds(flag: str, values: list[str]) -> None:
    """None is too small, too large, or no number."""
    for value in values:
        with pytest.raises(typer.BadParameter) as refusal:
            tournament(*ASKED, f"{flag}={value}")
        assert flag in refusal.value.format_message()


@pytest.mark.parametrize("flag", ["--deals=5", "--seed=1", "--option=target=3", "--alpha=0.1", "--game=whist"])
def test_a_file_and_flags_do_not_mix(tmp_path: Path, flag: str) -> None:
    """A flag beside a file would be without effect, and nobody would notice."""
    with pytest.raises(Failure, match="by flags, not by both"):
        tournament("run", str(tmp_path / "spec.toml"), flag)

"""`junto loadtest`: what it refuses, and a whole run of the real thing."""

from __future__ import annotations

import json
import random
import re
import tempfile
from pathlib import Path

import pytest

from junto.cli.console import Failure
from junto.cli.main import application
from junto.load.arrivals import poisson

from ...ray_fixture import SharedRay  # noqa: TID252  # tests are no package
from ..cli.command import junto  # noqa: TID252


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--think", "fast"], "--think: 'fast' is no duration"),
        (["--duration", "60"], "--duration: '60' is no duration"),
        (["--bot-time", "0ms"], "--bot-time: '0ms' is no time at all"),
        (["--clients", "human:1,bot:3"], "--clients: napoleon-tw seats 5: human:1,bot:3 makes 4"),
        (["--clients", "human:1,bot:4", "--option", "players=4"], "--clients: napoleon-tw seats 4"),
        (["--clients", "bot:5"], "--clients: 'bot:5' has no human"),
        (["--game", "napoleon"], "did you mean napoleon-tw"),
        (["--option", "player=4"], "has no option 'player'; did you mean players"),
        (["--bot", "gredy"], "there is no strategy 'gredy' for napoleon-tw; did you mean greedy"),
        (["--compare", "greedy,pimk"], "there is no strategy 'pimk'"),
        (["--compare", "greedy"], "--compare: name two bots or more"),
        (["--ramp"], "--ramp: say with --rate where to begin"),
        (["--ramp", "--rate", "5", "--goal", "fast"], "--goal: 'fast' is no goal"),
        (["--server", "nowhere"], "--server: 'nowhere' is no HOST:PORT"),
        (["--metrics", "http://127.0.0.1:1/"], "--metrics: goes with --server alone"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments: list[str], message: str) -> None:
    """Before anything is started, with the flag or the nearest name; exit code 2."""
    with pytest.raises(Failure, match=re.escape(message)) as refusal:
        application("loadtest")(["loadtest", *arguments], prog_name="junto")

    assert refusal.value.code == 2
    assert "\n" not in str(refusal.value)


def test_a_server_that_is_not_there_is_told() -> None:
    """In one line; exit code 1."""
    with pytest.raises(Failure, match=r"--server: no Junto answers at 127\.0\.0\.1:1: .*UNAVAILABLE") as refusal:
        application("loadtest")(["loadtest", "--server", "127.0.0.1:1"], prog_name="junto")

    assert refusal.value.code == 1


@pytest.mark.xdist_group("cli")
def test_every_move_is_counted_once(shared_ray: SharedRay, tmp_path: Path) -> None:
    """What the seed meant to happen was measured, and what was accepted is what the server says it accepted."""
    ray = {**shared_ray.driver_env, "RAY_ADDRESS": shared_ray.address, "JUNTO_WORKERS": "1"}
    with tempfile.TemporaryDirectory(prefix="jl", dir="/tmp") as temporary:
        done = junto(
            *("loadtest", "--tables", "3", "--clients", "human:2,bot:3", "--spectators", "1", "--processes", "2"),
            *("--rate", "9", "--duration", "4s", "--warmup", "1s", "--seed", "5", "--json", "--out", tmp_path),
            within_s=280, extra={**ray, "TMPDIR": temporary},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert list(Path(temporary).iterdir()) == [], "it left something behind"
    case = json.loads(done.stdout)["cases"][0]
    counts, seconds = case["counts"], case["seconds"]
    meant = [
        moment
        for first_table, tables in ((0, 2), (2, 1))
        for moment in poisson(9.0 * tables / 3, 0.0, 5.0, random.Random(f"5 arrivals {first_table}"))
        if moment >= 1.0
    ]

    assert counts["accepted"] + counts.get("unanswered", 0) == len(meant)
    assert case["errors"] == case["errors_elsewhere"] == {}
    assert case["accepted_in_all"] == case["server_said"]["acts_accepted"]
    assert seconds["replied"]["count"] == seconds["seen_by_all"]["count"] == len(meant)
    if not counts.get("unanswered", 0) + counts.get("unseen", 0):
        assert seconds["seen"]["count"] == 3 * len(meant)  # two people and a spectator
    assert counts["bot"] > 0
    assert seconds["bot_turn"]["count"] <= counts["bot"]
    assert json.loads((tmp_path / "loadtest.json").read_text())["cases"][0]["counts"] == counts
    assert "<svg" in (tmp_path / "loadtest.html").read_text()

"""`junto loadtest` against a running server: what was meant to happen was measured, and nothing twice."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from junto.load.arrivals import poisson

from .command import junto
from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")


def test_every_move_is_counted_once(live: Live, tmp_path: Path) -> None:
    """The moves are those that the seed meant; what was accepted is what the server says it accepted."""
    metrics = re.findall(r"metrics\s+(\S+)", "\n".join(live.talk.heard))[0]
    done = junto(
        *("loadtest", "--server", live.grpc, "--metrics", metrics, "--tables", "3", "--clients", "human:2,bot:3"),
        *("--spectators", "1", "--processes", "2", "--rate", "9", "--duration", "3s", "--warmup", "1s", "--seed", "5"),
        *("--json", "--out", tmp_path),
    )
    assert done.returncode == 0, done.stderr
    case = json.loads(done.stdout)["cases"][0]
    counts, seconds = case["counts"], case["seconds"]
    meant = [
        moment
        for first_table, tables in ((0, 2), (2, 1))
        for moment in poisson(9.0 * tables / 3, 0.0, 4.0, random.Random(f"5 arrivals {first_table}"))
        if moment >= 1.0
    ]

    assert counts["accepted"] + counts.get("unanswered", 0) == len(meant)
    assert case["errors"] == {}
    assert case["accepted_in_all"] == case["server_said"]["acts_accepted"]
    assert seconds["replied"]["count"] == seconds["seen_by_all"]["count"] == len(meant)
    if not counts.get("unanswered", 0) + counts.get("unseen", 0):
        assert seconds["seen"]["count"] == 3 * len(meant)  # two people and a spectator
    assert 0 < seconds["bot_turn"]["count"] <= counts["bot"]
    assert case["server_used"]["parts"]["front"]["processes"] == 1
    assert json.loads((tmp_path / "loadtest.json").read_text())["cases"][0]["counts"] == counts
    assert "<svg" in (tmp_path / "loadtest.html").read_text()

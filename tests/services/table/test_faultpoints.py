"""Points at which a process dies if it was told to."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from junto.table import faultpoints
from junto.table.faultpoints import Death, Point
from junto.table.settings import Settings

DIES = """
from junto.table import faultpoints
from junto.table.faultpoints import Point
from junto.table.settings import Settings
faultpoints.arm(Settings().fault)
for turn in range(5):
    faultpoints.at(Point.TOLD)
    faultpoints.at(Point.COMMITTED)
    print(turn, flush=True)
"""


def test_a_process_dies_at_its_point_and_not_before() -> None:
    """At the point that was named, when it is reached for the time that was named, by SIGKILL."""
    done = subprocess.run(
        [sys.executable, "-c", DIES], capture_output=True, text=True, check=False, env={"JUNTO_FAULT": "committed:3"}
    )

    assert done.returncode == -signal.SIGKILL
    assert [line for line in done.stdout.splitlines() if line.isdigit()] == ["0", "1"]


def test_unset_nothing_happens() -> None:
    """No process dies of a point that nobody named."""
    faultpoints.arm(Settings().fault)
    for point in Point:
        faultpoints.at(point)


@pytest.mark.parametrize("text", ["", "committed", "committed:", "committed:0", "committed:-1", "nowhere:1", ":1"])
def test_nonsense_is_refused_with_the_points_there_are(text: str) -> None:
    """A fault that cannot happen is a mistake, and the message lists what can."""
    with pytest.raises(ValueError, match="accepted, committed, told, noticed, decided, done"):
        Death.parse(text)
    with pytest.raises(ValueError, match="fault"):
        Settings(fault=text)

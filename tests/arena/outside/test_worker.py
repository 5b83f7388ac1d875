"""A worker: it plays with the files that it was sent where the tournament's own are not."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from junto.arena.entrants import Entrant
from junto.arena.records import from_bytes
from junto.arena.spec import Spec
from junto.arena.worker import ArenaWorker

SOURCE = b"""
from junto.strategy import greedy


class It:
    def decide(self, view, budget):
        return greedy(view)
"""


def test_a_file_that_is_not_on_its_machine_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written to a folder of the worker's own, which is gone in the end."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = "/no/such/folder/bot.py"
    spec = Spec("whist", (Entrant("it", f"{path}:It"), Entrant("greedy", "greedy")), deals=1, seed=1)
    worker = ArenaWorker(spec, {path: SOURCE}, 0)

    assert worker.start() == ""
    try:
        records, _ = worker.play([(0, 0)])
        copies = [copy.name for copy in tmp_path.glob("junto-worker-*/*.py")]
    finally:
        worker.close()

    assert not any(seat.faults for seat in from_bytes(records[0]).seats)
    assert copies == ["bot.py"]
    assert not list(tmp_path.iterdir())

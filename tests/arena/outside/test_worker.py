"""A worker: it plays with the files that it was sent where the tournament's own are not."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from junto.arena.code import CODE
from junto.arena.entrants import Entrant
from junto.arena.errors import StrategyUnfit, TournamentFailed
from junto.arena.records import from_bytes
from junto.arena.spec import Spec
from junto.arena.worker import ArenaWorker, check_started

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

    check_started(worker.start())
    try:
        records, _ = worker.play([(0, 0)])
        copies = [copy.name for copy in tmp_path.glob("junto-worker-*/*.py")]
    finally:
        worker.close()

    assert not any(seat.faults for seat in from_bytes(records[0]).seats)
    assert copies == ["bot.py"]
    assert not list(tmp_path.iterdir())


def test_a_worker_with_other_code_or_without_a_strategy_does_not_play() -> None:
    """After an update in the middle, or on a machine with another version, results would be mixed."""
    unfit = ArenaWorker(Spec("whist", (Entrant("it", "json.no_such:It"),), deals=1, seed=1), {}, 0)

    with pytest.raises(StrategyUnfit, match=r"no module 'json\.no_such'"):
        check_started(unfit.start())
    with pytest.raises(TournamentFailed, match="other code"):
        check_started((CODE[::-1], ""))

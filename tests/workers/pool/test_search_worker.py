"""The actor, without Ray around it: what it makes of other people's functions."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

from junto.pool.bundles import Asked, read_told, write_asked
from junto.pool.errors import BadSeam
from junto.pool.frames import Outcome
from junto.pool.seam import check_path, load_decide
from junto.pool.search_worker import SearchWorker


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> SearchWorker:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.delitem(sys.modules, "odd_functions", raising=False)
    worker = SearchWorker(max_answer_bytes=100)
    assert not worker.start("odd_functions:decide", "")
    return worker


def ask(worker: SearchWorker, *jobs: Asked) -> list[tuple[Outcome, bytes]]:
    """Return what comes of jobs."""
    return [(told.outcome, told.payload) for told in read_told(worker.decide(write_asked(jobs)))]


def test_a_failure_is_its_own(worker: SearchWorker) -> None:
    """In a bundle, what raises, lies or babbles fails alone."""
    names = (b"echo", b"raise", b"lie", b"babble", b"echo")
    told = ask(worker, *(Asked(9.0, name.decode(), b"101" if name == b"babble" else name) for name in names))

    assert told == [
        (Outcome.DECIDED, b"echo"),
        (Outcome.FAILED, b"LookupError: there is no strategy of this name"),
        (Outcome.FAILED, b"it answered with str instead of bytes"),
        (Outcome.FAILED, b"its answer has 101 bytes, 100 may be"),
        (Outcome.DECIDED, b"echo"),
    ]


@pytest.mark.usefixtures("worker")
def test_what_is_loaded_is_no_garbage() -> None:
    """No decision waits while all that was loaded before is searched for garbage."""
    assert gc.get_freeze_count() > len(gc.get_objects())


def test_a_late_job_is_not_begun(worker: SearchWorker) -> None:
    """What nobody waits for any more costs no time."""
    ((outcome, _),) = ask(worker, Asked(0.0, "hang", b""))

    assert outcome is Outcome.LATE


def test_a_function_knows_its_time(worker: SearchWorker) -> None:
    """A function is told how much time is left to it, less what its bundle took before."""
    ((_, first), (_, second)) = ask(worker, Asked(9.0, "time-left", b""), Asked(9.0, "time-left", b""))

    assert 0 < float(second) < float(first) <= 9.0


@pytest.mark.parametrize(
    ("decide", "warmup", "sentence"),
    [
        ("odd_functions:nobody", "", "cannot load 'odd_functions:nobody'"),
        ("no_such_module:decide", "", "No module named 'no_such_module'"),
        ("odd_functions:__doc__", "", "is not a function"),
        ("odd_functions:decide", "odd_functions:refuse", "RuntimeError: the kernels do not compile"),
    ],
)
def test_a_bad_start_is_told(worker: SearchWorker, decide: str, warmup: str, sentence: str) -> None:
    """A worker that cannot start says why, in a sentence."""
    assert sentence in worker.start(decide, warmup)


@pytest.mark.parametrize("path", ["", "module", "module:", ":name", "mo dule:name", "module:name:more", "a..b:c"])
def test_a_malformed_path_is_refused(path: str) -> None:
    """An import path that cannot be one is refused before anything is imported."""
    with pytest.raises(BadSeam, match="is not an import path"):
        check_path(path)


def test_a_function_is_found() -> None:
    """An import path leads to the function."""
    assert load_decide("junto.pool.seam:load_decide") is load_decide  # type: ignore[comparison-overlap]

"""The actor that decides: one process, one decision at a time, any number of decisions in its life.

Only bytes and text cross to it and back. It never raises, so that no exception has to be pickled: what goes
wrong is an outcome and a sentence.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator
from typing import Final

from junto.pool.bundles import Asked, Told, read_asked, write_told
from junto.pool.errors import BadSeam
from junto.pool.frames import Outcome
from junto.pool.seam import Decide, load_decide, load_warmup

LIVES: Final = "lives"
"""The concurrency group of `live`, which must not keep the decisions waiting."""
SENTENCE: Final = 2000
"""How many characters of a failure are told."""


class SearchWorker:
    """What runs as a Ray actor. `start` comes first; `live` runs as long as the process."""

    def __init__(self, max_answer_bytes: int) -> None:
        self._max_answer_bytes = max_answer_bytes
        self._decide: Decide | None = None

    def hello(self) -> str:
        """Return the process id: the process is there."""
        return str(os.getpid())

    def start(self, decide: str, warmup: str) -> str:
        """Import the function that decides, warm up, and return what is wrong, or nothing.

        What is loaded by then stays: it is left out of the search for garbage, which would make a decision wait for
        a tenth of a second.
        """
        try:
            self._decide = load_decide(decide)
            if warmup:
                load_warmup(warmup)()
            gc.collect()
            gc.freeze()
        except BadSeam as problem:
            return str(problem)
        except Exception as problem:  # noqa: BLE001  # other people's code; the driver tells what it raised
            return f"starting {decide!r} failed: {_sentence(problem)}"
        return ""

    def live(self) -> None:
        """Never return: the caller learns from the broken call that the process has ended."""
        threading.Event().wait()

    live.__ray_concurrency_group__ = LIVES  # type: ignore[attr-defined]  # as `ray.method` would, without Ray

    def decide(self, bundle: bytes) -> bytes:
        """Return the answers to a bundle of jobs."""
        return write_told(list(self._answers(bundle)))

    def _answers(self, bundle: bytes) -> Iterator[Told]:
        began = time.monotonic()
        for job in read_asked(bundle):
            started = time.monotonic()
            time_left_s = job.time_left_s - (started - began)
            if time_left_s <= 0:
                yield Told(Outcome.LATE, 0.0, b"the time was up before it began")
                continue
            outcome, payload = self._answer(job, time_left_s)
            yield Told(outcome, time.monotonic() - started, payload)

    def _answer(self, job: Asked, time_left_s: float) -> tuple[Outcome, bytes]:
        assert self._decide is not None, "start comes first"
        try:
            answer: object = self._decide(job.strategy_id, job.request, time_left_s)
        except Exception as problem:  # noqa: BLE001  # other people's code; the caller is told what it raised
            return Outcome.FAILED, _sentence(problem).encode()
        if not isinstance(answer, bytes):
            return Outcome.FAILED, f"it answered with {type(answer).__name__} instead of bytes".encode()
        if len(answer) > self._max_answer_bytes:
            return Outcome.FAILED, f"its answer has {len(answer)} bytes, {self._max_answer_bytes} may be".encode()
        return Outcome.DECIDED, answer


def _sentence(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"[:SENTENCE]

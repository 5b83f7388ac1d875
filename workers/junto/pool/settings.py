"""What a pool can be told."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from junto.pool.seam import check_path


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """How a pool works; times in seconds, sizes in bytes.

    Raises:
        BadSeam: an import path is malformed.
        ValueError: a number makes no sense.
    """

    decide: str
    """Import path of the function that decides, for instance `junto.pool.decide:decide`."""
    warmup: str = ""
    """Import path of a function that each worker calls before it is given work; empty: none."""
    workers: int = 0
    """How many workers; 0: one for each CPU of the cluster."""
    waiting_per_worker: int = 32
    """So many decisions may wait for each worker; the next one is refused."""
    attempts: int = 3
    """So many workers may die of one decision; then it is given up."""
    hang_grace_s: float = 1.0
    """A worker that is silent for so long after the deadline of its decision is killed."""
    process_within_s: float = 60.0
    """How long a worker's process may take to appear."""
    start_within_s: float = 180.0
    """How long a worker may take to import and to warm up; the first time, that compiles kernels."""
    longest_pause_s: float = 10.0
    """The longest pause before a worker, or the connection to Ray, is tried again."""
    close_within_s: float = 5.0
    """How long closing waits for Ray."""
    max_request_bytes: int = 1024 * 1024
    """The longest request that is taken."""
    max_answer_bytes: int = 1024 * 1024
    """The longest answer that is taken."""

    def __post_init__(self) -> None:
        check_path(self.decide)
        if self.warmup:
            check_path(self.warmup)
        if self.workers < 0 or self.waiting_per_worker < 0 or self.attempts < 1:
            raise ValueError("workers and waiting_per_worker cannot be negative, attempts is at least 1")

    def as_text(self) -> str:
        """Return the settings as one line, for the driver process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> PoolSettings:
        """Return the settings that `as_text` wrote."""
        return cls(**json.loads(text))


def pause_s(failures: int, longest_s: float) -> float:
    """Return the pause before something is tried again after so many failures in a row: none, then doubling."""
    return 0.0 if failures <= 1 else float(min(longest_s, 0.25 * 2.0**failures))

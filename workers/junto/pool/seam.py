"""The seam between the pool and what it distributes: functions named by their import path.

A path such as `junto.pool.decide:decide` goes to the workers as text and is imported there, so neither
functions nor objects cross the border between processes.
"""

from __future__ import annotations

import importlib
from typing import Protocol, cast

from junto.pool.errors import BadSeam


class Decide(Protocol):
    """Turns a job into an answer, in a worker. Called by one thread at a time."""

    def __call__(self, strategy_id: str, request: bytes, time_left_s: float, /) -> bytes:
        """Decide.

        Args:
            strategy_id: which strategy, for instance `pimc`.
            request: a serialised `junto.v1.DecideRequest`.
            time_left_s: in how many seconds the answer is worth nothing any more. The function keeps to it by
                itself; a worker that is silent long after it is killed.

        Returns:
            A serialised `junto.v1.DecideResponse`. Whatever it raises reaches the caller as `WorkFailed`.
        """


class Warmup(Protocol):
    """Makes a worker ready before it is given work: imports, loads compiled kernels."""

    def __call__(self) -> None:
        """Warm up; what it raises keeps the worker from starting."""


def load_decide(path: str) -> Decide:
    """Import a function that decides.

    Raises:
        BadSeam: the path is malformed, or leads nowhere.
    """
    return cast("Decide", _load(path))


def load_warmup(path: str) -> Warmup:
    """Import a function that warms up.

    Raises:
        BadSeam: the path is malformed, or leads nowhere.
    """
    return cast("Warmup", _load(path))


def check_path(path: str) -> str:
    """Return an import path if it looks like one, without importing anything.

    Raises:
        BadSeam: it is not `package.module:function`.
    """
    module, _, name = path.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise BadSeam(f"{path!r} is not an import path like 'package.module:function'")
    return path


def _load(path: str) -> object:
    module_name, _, name = check_path(path).partition(":")
    try:
        found: object = getattr(importlib.import_module(module_name), name)
    except (ImportError, AttributeError) as problem:
        raise BadSeam(f"cannot load {path!r}: {problem}") from problem
    if not callable(found):
        raise BadSeam(f"{path!r} is not a function")
    return found

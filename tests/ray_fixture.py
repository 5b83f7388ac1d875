"""One local Ray for a whole test run, however many processes pytest-xdist makes of it.

The process that needs it first starts it; it stops it when nobody uses it any more. In a `conftest.py`:

    from ...ray_fixture import shared_ray  # with as many dots as it takes

The workers find the modules beside the tests of the pool (`odd_functions`) besides the installed ones.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from junto.pool import LocalRay

FUNCTIONS = Path(__file__).parent / "workers" / "pool"


@dataclass(frozen=True, slots=True)
class SharedRay:
    """Where the Ray of this test run listens, and what lets a driver in."""

    address: str
    driver_env: dict[str, str]
    pid: int


@pytest.fixture(scope="session")
def shared_ray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedRay]:
    """The Ray of this test run. Leave it running: others use it, too."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with ExitStack() as stack:
        with _locked(folder / "ray-start", fcntl.LOCK_EX):
            note = folder / "ray.json"
            if note.exists():
                ours, shared = None, SharedRay(**json.loads(note.read_text()))
            else:
                ours = LocalRay(cpus=2, env={"PYTHONPATH": str(FUNCTIONS)})
                stack.callback(ours.close)
                shared = SharedRay(ours.start(), ours.driver_env, ours.pid)
                note.write_text(json.dumps(asdict(shared)))
            in_use = ExitStack()
            in_use.enter_context(_locked(folder / "ray-use", fcntl.LOCK_SH))
        yield shared
        in_use.close()
        if ours is not None:
            with _locked(folder / "ray-start", fcntl.LOCK_EX):
                note.unlink()
            with _locked(folder / "ray-use", fcntl.LOCK_EX):  # until the last one has let go
                pass


@contextmanager
def _locked(file: Path, kind: int) -> Iterator[None]:
    descriptor = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, kind)
        yield
    finally:
        os.close(descriptor)

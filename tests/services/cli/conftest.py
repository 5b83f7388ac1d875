"""One `junto up` that the tests of the command share; it runs on the Ray of the test run."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ...ray_fixture import SharedRay, shared_ray  # noqa: TID252  # tests are no package
from .command import Talk

__all__ = ["SharedRay", "shared_ray"]


@dataclass(frozen=True)
class Live:
    """A running `junto up`."""

    talk: Talk
    folder: Path
    grpc: str
    http: str


@pytest.fixture(scope="session")
def ray_env(shared_ray: SharedRay) -> dict[str, str]:
    """What makes a command use the Ray of the test run."""
    return {**shared_ray.driver_env, "RAY_ADDRESS": shared_ray.address, "JUNTO_WORKERS": "1"}


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory, ray_env: dict[str, str]) -> Iterator[Live]:
    """A `junto up` whose bots play."""
    folder = tmp_path_factory.mktemp("up")
    ports = ("--grpc-port", "0", "--http-port", "0", "--metrics-port", "0")
    with Talk("up", "--data-dir", folder, *ports, extra=ray_env) as talk:
        said = "\n".join(talk.until("Bots play"))
        grpc, http = re.findall(r"(?:gRPC|Connect)\s+(?:http://)?(\S+)", said)[:2]
        yield Live(talk, folder, grpc, http)
        talk.process.send_signal(signal.SIGTERM)
        rest = talk.rest()
        assert talk.process.wait(60) == 0, rest
        assert rest[-1] == "Stopped."

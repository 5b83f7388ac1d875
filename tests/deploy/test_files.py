"""The image and the compose file, read as a linter would: no container engine is needed to find these mistakes."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from junto.cli.flags import variable
from junto.cli.main import COMMANDS
from junto.table.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
OTHERS = {"PATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR",
          "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "JUNTO_CACHE_DIR",
          "RAY_AUTH_MODE", "RAY_AUTH_TOKEN_PATH", "RAY_USAGE_STATS_ENABLED", "RAY_ADDRESS"}  # fmt: skip
"""Variables that are not settings: other programs read them, or Junto before it has settings."""


@dataclass(frozen=True)
class Instruction:
    """One instruction of a Dockerfile, its continuation lines joined."""

    word: str
    rest: str


def instructions() -> list[Instruction]:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [Instruction(*line.split(maxsplit=1)) for line in joined]


def stages() -> list[list[Instruction]]:
    found: list[list[Instruction]] = []
    for instruction in instructions():
        if instruction.word == "FROM":
            found.append([])
        if found:
            found[-1].append(instruction)
    return found


def rests(word: str, of: list[Instruction]) -> list[str]:
    return [instruction.rest for instruction in of if instruction.word == word]


def services() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    found: dict[str, Any] = compose["services"]
    return found


def environments() -> Iterator[tuple[str, str]]:
    """Yield who sets which variable."""
    for instruction in instructions():
        if instruction.word == "ENV":
            yield from (("Dockerfile", word.partition("=")[0]) for word in shlex.split(instruction.rest))
    for name, service in services().items():
        yield from ((name, key) for key in service.get("environment", {}))


def test_every_variable_is_a_setting() -> None:
    """A variable with a typing error would be ignored in silence; there is none."""
    settings = {variable(name) for name in Settings.model_fields}

    assert [(where, name) for where, name in environments() if name not in settings | OTHERS] == []


def test_the_image_is_built_in_stages_and_runs_as_nobody_special() -> None:
    """Compilers and pip's leavings stay behind; the process is not root; signals reach it."""
    build, run = stages()

    assert rests("FROM", build)[0].endswith("AS build")
    assert any("--from=build" in rest for rest in rests("COPY", run))
    user = rests("USER", run)[-1]
    assert user.partition(":")[0].isdecimal()
    assert int(user.partition(":")[0]) > 0
    assert all(isinstance(json.loads(rest), list) for word in ("ENTRYPOINT", "CMD") for rest in rests(word, run))
    assert "HEALTHCHECK" in {instruction.word for instruction in run}
    assert not rests("ADD", instructions())


def test_the_image_has_warm_kernels_that_its_user_can_read() -> None:
    """A worker finds everything compiled: for a CPU that is named, in a folder that is not root's alone."""
    _, run = stages()
    order = [instruction.word for instruction in run]
    warm = next(n for n, instruction in enumerate(run) if "junto warmup" in instruction.rest)

    assert "chmod -R a+rX /opt/junto/kernels" in run[warm].rest
    assert warm < order.index("USER")
    environment = " ".join(rests("ENV", run))
    assert "NUMBA_CPU_NAME=" in environment
    assert "NUMBA_CPU_FEATURES=" in environment
    assert "JUNTO_CACHE_DIR=/opt/junto/kernels" in environment


def test_every_file_that_is_copied_is_sent_to_the_builder() -> None:
    """What the Dockerfile copies exists and is not kept out by .dockerignore."""
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    sources = [name for rest in rests("COPY", instructions()) if "--from=" not in rest for name in rest.split()[:-1]]

    assert sources
    assert [name for name in sources if name not in kept or not (ROOT / name).exists()] == []


def test_base_images_are_pinned() -> None:
    """No `latest`: a build next year is a build of the same."""
    bases = [rest.split()[0] for rest in rests("FROM", instructions())]
    bases += [service["image"] for service in services().values() if service["image"] != "junto"]

    assert all(":" in base and not base.endswith(":latest") for base in bases)


def test_compose_has_the_whole_topology() -> None:
    """Redis, two fronts, a steward, a Ray head and a worker."""
    assert set(services()) == {"redis", "front-1", "front-2", "steward", "ray-head", "ray-worker"}


def test_commands_are_commands_of_ours() -> None:
    """What a container runs exists."""
    for name, service in services().items():
        if service["image"] == "junto" and "entrypoint" not in service:
            assert service["command"][0] in COMMANDS, name
        check = service.get("healthcheck", {}).get("test", ["CMD", "junto", "healthcheck"])
        if check[1] == "junto":
            assert check[2] in COMMANDS, name


def test_redis_keeps_everything_it_acknowledged() -> None:
    """An append-only file, forced to disk with every write."""
    command = " ".join(services()["redis"]["command"])

    assert "--appendonly yes" in command
    assert "--appendfsync always" in command


def test_nothing_is_published_beyond_this_machine() -> None:
    """The fronts speak without TLS here, so they are published on loopback alone."""
    ports = [port for service in services().values() for port in service.get("ports", [])]

    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("name", ["steward", "ray-head", "ray-worker"])
def test_ray_is_never_run_without_a_token(name: str) -> None:
    """Without one Ray runs anybody's code."""
    service = services()[name]

    assert service["environment"]["RAY_AUTH_MODE"] == "token"
    assert "ray_token" in service["secrets"]


def test_services_start_in_an_order_that_works() -> None:
    """Nobody depends on a service that has no health to wait for, or does not exist."""
    found = services()
    for name, service in found.items():
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}, name
            assert "test" in found[needed]["healthcheck"], name


def test_the_secrets_that_are_used_are_defined() -> None:
    """Every secret has a file, outside the repository."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    used = {secret for service in services().values() for secret in service.get("secrets", [])}

    assert used == set(compose["secrets"])
    assert "secrets/" in (DEPLOY / ".gitignore").read_text()

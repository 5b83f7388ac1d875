"""The arrows between the layers point one way only (docs/architecture.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOTS = ("proto", "games", "workers", "services")

ALLOWED = {
    "v1": set(),
    "internal": {"v1"},
    "games": set(),
    "wire": {"games", "v1", "internal"},
    "search": {"games"},
    "strategy": {"search", "games", "wire", "v1"},
    "pool": {"strategy", "search", "games", "wire", "v1", "internal"},
    "arena": {"strategy", "pool", "search", "games", "wire", "v1", "internal"},
    "table": {"games", "wire", "v1", "internal"},
    "client": {"v1"},
    "tournaments": {"table", "games", "wire", "v1", "internal"},
    "organiser": {"tournaments", "table", "arena", "pool", "search", "games", "wire", "v1", "internal"},
    "front": {"tournaments", "table", "search", "games", "wire", "v1", "internal"},
    "steward": {"tournaments", "table", "pool", "search", "games", "wire", "v1", "internal"},
    "load": {"client", "games", "wire", "v1"},
    "cli": {
        "load",
        "organiser",
        "tournaments",
        "arena",
        "strategy",
        "front",
        "steward",
        "client",
        "table",
        "pool",
        "search",
        "games",
        "wire",
        "v1",
        "internal",
    },
}
PURE = {"games": {"grpc", "redis", "ray", "asyncio", "google"}, "search": {"grpc", "redis", "ray", "asyncio", "google"},
        "front": {"ray"}, "tournaments": {"ray", "grpc"}, "table": {"ray", "grpc"},
        "client": {"ray", "redis"}}  # fmt: skip


def imports(path: Path) -> Iterator[str]:
    """Yield the full names of all that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules(layer: str) -> list[Path]:
    """Return the files of one layer that people write."""
    found = [path for root in ROOTS for path in (ROOT / root / "junto" / layer).glob("**/*.py")]
    return [path for path in found if "_pb2" not in path.name]


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_what_lies_below_it(layer: str) -> None:
    """No module imports from a layer beside or above its own."""
    forbidden = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(layer)
        for name in imports(path)
        if name.startswith("junto.") and name.split(".")[1] not in ALLOWED[layer] | {layer}
    ]

    assert not forbidden


@pytest.mark.parametrize("layer", PURE)
def test_a_pure_layer_does_no_input_or_output(layer: str) -> None:
    """The rules and the search know no network, and the front knows no Ray."""
    forbidden = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(layer)
        for name in imports(path)
        if name.split(".")[0] in PURE[layer]
    ]

    assert not forbidden


def test_every_layer_is_listed() -> None:
    """A new package is given its place before it is used."""
    layers = {path.name for root in ROOTS for path in (ROOT / root / "junto").iterdir() if path.is_dir()}

    assert layers - {"_buf", "__pycache__"} <= set(ALLOWED)


def test_junto_is_one_namespace() -> None:
    """No source root has a `junto/__init__.py`, which would hide the others."""
    assert not [root for root in ROOTS if (ROOT / root / "junto" / "__init__.py").exists()]

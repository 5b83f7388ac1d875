"""Benchmarks are run by hand, and seldom: what they take from Junto must be there all the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import junto

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "bench").rglob("*.py"))
ROOTS = {"junto": [Path(root) for root in junto.__path__], "bench": [ROOT / "bench"]}
GENERATED = ("junto.v1", "junto.internal")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_whatever_a_benchmark_imports_is_there(file: Path) -> None:
    """Each name is made in the module that it is imported from, or is a module in it; nothing is loaded for that."""
    missing = [
        f"{module}.{name}"
        for module, name in imported(file.read_text(encoding="utf-8"))
        if name not in names_in(module) and source_of(f"{module}.{name}") is None
    ]

    assert missing == []


def test_a_name_that_is_not_there_is_noticed() -> None:
    """One that was moved to another module, and a module that was never there."""
    moved = "from junto.search.tricks.playouts import deal_at_random, play_on\nfrom junto.nowhere import thing\n"

    assert [(module, name in names_in(module)) for module, name in imported(moved)] == [
        ("junto.search.tricks.playouts", False),
        ("junto.search.tricks.playouts", True),
        ("junto.nowhere", False),
    ]


def imported(text: str) -> Iterator[tuple[str, str]]:
    """Yield the modules and names that a file imports of Junto and the benchmarks; what is generated is left out."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or node.module is None or node.module.startswith(GENERATED):
            continue
        if node.module.partition(".")[0] in ROOTS:
            yield from ((node.module, alias.name) for alias in node.names)


@cache
def names_in(module: str) -> frozenset[str]:
    """Return what a module makes and imports, wherever in it."""
    source = source_of(module)
    found: set[str] = set()
    for node in ast.walk(ast.parse("" if source is None else source.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case ast.alias():
                found.add(node.asname or node.name)
    return frozenset(found)


def source_of(module: str) -> Path | None:
    """Return the file of a module or a package; None: there is none."""
    top, *parts = module.split(".")
    for root in ROOTS[top]:
        path = root.joinpath(*parts)
        for found in (path.with_suffix(".py"), path / "__init__.py"):
            if found.is_file():
                return found
    return None

"""Which modules a strategy's own files say they import, read without running any of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from junto.arena.outside.loading import Source
from junto.arena.outside.places import places_of, top_module

_MOST_FILES: Final = 200


def imported(source: Source) -> list[str]:
    """Return the full names of what is imported by a strategy's files, by those beside them that they import too."""
    return list(dict.fromkeys(name for _, names in _read(source) for name in names))


def own_files(source: Source) -> list[Path]:
    """Return a strategy's files: where it is, and those beside it that it imports, however indirectly."""
    return sorted(file for file, _ in _read(source))


def _read(source: Source) -> Iterator[tuple[Path, Sequence[str]]]:
    """Yield each file with the full names that it imports."""
    waiting = list(_first_files(source))
    read: set[Path] = set()
    while waiting and len(read) < _MOST_FILES:
        file = waiting.pop()
        if file in read:
            continue
        read.add(file)
        names = list(_imports(file))
        for name in names:
            waiting += _beside(source, name.partition(".")[0])
        yield file, names


def _first_files(source: Source) -> Iterator[Path]:
    if source.file:
        yield Path(source.file)
        return
    top = top_module(source)
    beside = list(_beside(source, top)) if top else []
    yield from beside
    for place in () if beside or not top else places_of(top):
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _beside(source: Source, top: str) -> Iterator[Path]:
    if not source.folder:
        return
    folder = Path(source.folder) / top
    if folder.is_dir():
        yield from sorted(folder.rglob("*.py"))
    elif (file := folder.with_suffix(".py")).is_file():
        yield file


def _imports(file: Path) -> Iterator[str]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):  # whoever loads it tells
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)

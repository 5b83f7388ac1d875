"""Which files of `junto` a file imports, by whatever way: what compiled code depends on."""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r"^\s*from (junto\.[\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")
COMPILER: Final = frozenset({"jit.py", "imported_files.py", "kept_kernels.py"})
"""The files that compile: how they do it is in the name of a kernel's folder by other means."""


def sources_of(source: Path) -> list[Path]:
    """Return a file and all files of `junto` that it imports, by whatever way, in the order of their names.

    Those that only compile are left out.
    """
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(path))
    return sorted(found, key=lambda path: (path.name, _digest(path)))


def digest_of(source: Path) -> bytes:
    """Return a hash of a file and of all that it imports from `junto`."""
    digest = hashlib.sha256()
    for path in sources_of(source):
        digest.update(path.name.encode())
        digest.update(_digest(path))
    return digest.digest()


@functools.cache
def files() -> Mapping[str, Path]:
    """Return all files of `junto` by their modules' names; a package's is its `__init__`."""
    return {name: path for root in importlib.import_module("junto").__path__ for name, path in _below(root, "junto")}


def _below(folder: str, package: str) -> Iterator[tuple[str, Path]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name, extension = os.path.splitext(entry.name)  # noqa: PTH122  # no `Path` for each of a thousand files
            if extension == ".py":
                yield package if name == "__init__" else f"{package}.{name}", Path(entry.path)
            elif not extension and name != "__pycache__" and entry.is_dir():
                yield from _below(entry.path, f"{package}.{name}")


@functools.cache
def _text(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(_text(path)).digest()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    known = files()
    names = (
        name
        for module, words in _IMPORT.findall(_text(path).decode())
        for name in (module, *(f"{module}.{word}" for word in _WORD.findall(words)))
    )
    return tuple(known[name] for name in names if name in known and known[name].name not in COMPILER)

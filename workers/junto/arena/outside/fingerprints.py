"""Which state of a strategy plays: a short text that changes when what is loaded changes."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path

from junto.arena.entrants import Entrant, Kind, installed
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.imports import own_files
from junto.arena.outside.loading import Source, source_of
from junto.arena.outside.reading import check_readable
from junto.arena.outside.services import describe, open_channel


def fingerprint(entrant: Entrant) -> str:
    """Return the state of an outside strategy, without running any of it.

    Of a file: a hash of it and of what it imports from beside it; of a module: a hash of its top package's files of
    Python. Of an installed strategy: its distribution and version besides. Of a service: the version that it tells.

    Raises:
        StrategyUnfit: there is no such file, module or service, or it can be seen that it is no strategy.
        ValueError: the strategy is a built-in one.
    """
    match entrant.kind:
        case Kind.FILE:
            return _of_source(source_of(entrant.strategy))
        case Kind.INSTALLED:
            entry = installed(entrant.strategy)
            assert entry is not None, "its kind says so"
            return _of_entry_point(entry)
        case Kind.SERVICE:
            return _of_service(entrant.strategy)
        case Kind.BUILT_IN:
            raise ValueError(f"{entrant.strategy} is built in: its state is the code's")


def _of_source(source: Source) -> str:
    check_readable(source)
    if source.file:
        return _hash(own_files(source))
    top = source.module.partition(".")[0]
    files = _files_in(Path(source.folder), top) or _files_of(top)
    if not files:
        raise StrategyUnfit(f"there is no module {top!r} for {source.title}")
    return _hash(files)


def _of_entry_point(entry: EntryPoint) -> str:
    top = entry.module.partition(".")[0]
    name = f"{entry.dist.name} {entry.dist.version}" if entry.dist else top
    return f"{name} {_hash(_files_of(top))}"


def _of_service(address: str) -> str:
    with open_channel(address) as channel:
        told = describe(channel, address)
        return f"{told.id} {told.version}".strip()


def _files_in(folder: Path, top: str) -> list[Path]:
    package = folder / top
    if package.is_dir():
        return sorted(package.rglob("*.py"))
    return [file] if (file := folder / f"{top}.py").is_file() else []


def _files_of(top: str) -> list[Path]:
    with suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(top)
        if spec and spec.submodule_search_locations:
            return sorted(file for place in spec.submodule_search_locations for file in Path(place).rglob("*.py"))
        if spec and spec.has_location and spec.origin:
            return [Path(spec.origin)]
    return []


def _hash(files: Iterable[Path]) -> str:
    digest = sha256()
    for file in files:
        try:
            digest.update(os.fsencode(file.name) + b"\0" + sha256(file.read_bytes()).digest())
        except OSError as problem:
            raise StrategyUnfit(f"{file} cannot be read: {problem.strerror}") from None
    return digest.hexdigest()

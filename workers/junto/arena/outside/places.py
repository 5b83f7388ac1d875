"""Which files a strategy's process may read, and which modules are installed rather than its author's."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from junto.arena.outside.loading import GROUP, Source
from junto.games.kept_kernels import cache_root

_SYSTEM: Final = (
    "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo", "/proc/meminfo",
    "/sys/devices/system/cpu", "/dev/urandom",
)  # fmt: skip
_RESULTS: Final = "spec.toml"
"""A folder that has this file, up to two folders down, holds a tournament, and so the seed of its deals."""
_NOT_READ: Final = frozenset({".toml", ".parquet", ".sqlite", ".db"})


def readable(source: Source) -> Iterator[Path]:
    """Yield what a strategy's process may read, with all that is in it: what is installed, and what is its own."""
    yield from map(Path, _SYSTEM)
    prefixes = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix)]
    yield from prefixes
    yield cache_root()
    for folder in _searched():
        if not any(folder.is_relative_to(prefix) for prefix in prefixes):
            yield from _beside(folder)
    if _is_in_its_folder(source):
        yield from _beside(Path(source.folder))
    elif top := top_module(source):
        yield from places_of(top)


def listed(source: Source) -> Iterator[Path]:
    """Yield the folders that modules are looked for in: it may see the names in them."""
    yield from _searched()
    if source.folder:
        yield Path(source.folder)


def _searched() -> list[Path]:
    return [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]


def _is_in_its_folder(source: Source) -> bool:
    folder, top = Path(source.folder), top_module(source)
    return bool(source.file or (source.folder and ((folder / top).is_dir() or (folder / f"{top}.py").is_file())))


@cache
def top_module(source: Source) -> str:
    """Return the first part of the name of a strategy's module; nothing, for a file or what is not installed."""
    module = source.module
    if source.entry_point:
        found = next(iter(entry_points(group=GROUP, name=source.entry_point)), None)
        module = found.module if found else ""
    return module.partition(".")[0]


def is_installed(name: str, source: Source) -> bool:
    """Tell whether a module is a part of Python or of something that is installed, and not the strategy's own."""
    top = name.partition(".")[0]
    if top in sys.builtin_module_names or top == top_module(source):
        return False
    return _is_installed(top)


@cache
def _is_installed(top: str) -> bool:
    return any(place.is_relative_to(root) for place in places_of(top) for root in _installed_roots())


def places_of(top: str) -> tuple[Path, ...]:
    """Return the folders or the file of a module, found without running it; none: there is no such module."""
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return ()
    if spec is None:
        return ()
    folders = tuple(map(Path, spec.submodule_search_locations or ()))
    return folders or ((Path(spec.origin),) if spec.has_location and spec.origin else ())


@cache
def _installed_roots() -> tuple[Path, ...]:
    """Return where things are installed: the standard library, site-packages, and what `sys.path` has besides."""
    paths = sysconfig.get_paths()
    return (*(Path(paths[key]) for key in ("stdlib", "platstdlib", "purelib", "platlib")), *map(Path, sys.path))


def _beside(folder: Path) -> Iterator[Path]:
    """Yield what is in a folder of modules and is neither hidden nor a tournament's."""
    for path in folder.iterdir():
        is_secret = path.name.startswith(".") or path.suffix in _NOT_READ
        if not is_secret and not (path.is_dir() and _has_results(path)):
            yield path


def _has_results(folder: Path) -> bool:
    return any(next(folder.glob(below + _RESULTS), None) for below in ("", "*/", "*/*/"))

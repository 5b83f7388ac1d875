"""Compile the inner loops: `njit` for every kernel of the project, and where compiled code is kept.

Numba's on-disk cache misses edits in a *callee's* file and would go on running an old rule. So each file's
folder is named by a hash of its source and of all that it imports from `junto`, of Numba's version and of
the CPU: after an edit everything that may call the edited file is compiled anew. A folder may be read-only or
missing; then what is not in it is compiled once per process.

`JUNTO_CACHE_DIR` names the root, else `$XDG_CACHE_HOME/junto`, else `~/.cache/junto`.
With `NUMBA_DISABLE_JIT=1` kernels are plain Python, to step through.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import llvmlite.binding
import numba
from numba.core import config, sigutils, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.registry import CPUDispatcher

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]
"""Called before each part of a warm-up: what it is, how many are done, how many there are."""

DISABLED: Final = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # set from the environment
"""Whether kernels run as plain Python."""
_WARM_UP: Final = "\ndef warm_up("
_IMPORT: Final = re.compile(r"^\s*from (junto\.[\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def njit(function: Function) -> Function:
    """Compile a module-level function on its first call: without the GIL, kept on disk, exact arithmetic.

    It may call only module-level functions by their names: the cache does not hit for closures or for
    functions that are passed as arguments.
    """
    return function if DISABLED else cast("Function", _Kernel(function, forceinline=False))


def inlined(function: Function) -> Function:
    """Compile like `njit`, into each of its callers: for the few small functions of the hottest loops."""
    return function if DISABLED else cast("Function", _Kernel(function, forceinline=True))


def cache_root() -> Path:
    """Return the folder under which compiled kernels are kept."""
    if chosen := os.environ.get("JUNTO_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "junto"


@functools.cache
def cache_folder(source: Path) -> Path:
    """Return the folder of a source file's kernels, as the file and what it imports are now."""
    digest = hashlib.sha256()
    for path in sources_of(source):
        digest.update(path.name.encode())
        digest.update(_digest(path))
    digest.update(numba.__version__.encode())
    digest.update(_cpu().encode())
    return cache_root() / f"{source.stem}-{digest.hexdigest()[:16]}"


@functools.cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _cpu() -> str:
    """Return which CPU is compiled for: this machine's, or the one that Numba's settings name, as an image's do."""
    name, features = config.CPU_NAME, config.CPU_FEATURES  # type: ignore[attr-defined]  # set from the environment
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return f"{name or llvmlite.binding.get_host_cpu_name()} {features}"


def sources_of(source: Path) -> list[Path]:
    """Return a file and all files of `junto` that it imports, by whatever way, sorted."""
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(path))
    return sorted(found)


def _files(part: str) -> Iterator[Path]:
    for root in importlib.import_module("junto").__path__:
        yield from (Path(root) / part).rglob("*.py")


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    found: list[Path] = []
    for module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        for name in (module, *(f"{module}.{word}" for word in re.findall(r"\w+", names))):
            for root in importlib.import_module("junto").__path__:
                path = Path(root).joinpath(*name.split(".")[1:])
                found += [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
    return tuple(found)


class _Locator(UserProvidedCacheLocator):
    """Point Numba to our folder, also to one that cannot be written."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        subfolder: str = self.get_suitable_cache_subpath(file)  # type: ignore[no-untyped-call]
        self._cache_path = str(cache_folder(Path(file)) / subfolder)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        return cls(function, file)


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  # as the base class has it


class _KernelCache(FunctionCache):
    _impl_class = _CacheImpl

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)  # type: ignore[no-untyped-call]
        except OSError:
            return None  # no folder there, and none can be: compile

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            Path(self.cache_path).mkdir(parents=True, exist_ok=True)
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]
        except OSError:
            return  # a folder that cannot be written: the next process compiles again


class _Kernel(CPUDispatcher):
    """A compiled function. Constants among its arguments do not make further versions of it."""

    def __init__(self, function: Callable[..., Any], *, forceinline: bool) -> None:
        super().__init__(function, targetoptions={"nopython": True, "nogil": True, "forceinline": forceinline})
        self._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
        functools.update_wrapper(self, function)

    def compile(self, signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        return super().compile(tuple(map(types.unliteral, arguments)))


def modules_to_warm(layer: str = "") -> list[str]:
    """Return the modules of the games and the search, or of one `layer` of the two, that have a function `warm_up`."""
    parts = (layer,) if layer else ("games", "search")
    paths = [path for part in parts for path in _files(part) if _WARM_UP in path.read_text("utf-8")]
    return [name for name in map(_module_name, sorted(paths)) if name is not None]


def warmup(progress: Progress | None = None, layer: str = "", modules: Sequence[str] = ()) -> None:
    """Compile every kernel, or load it from disk: seconds when nothing is there, else a moment.

    Each of the `modules_to_warm` of a `layer` is imported and warmed in turn, or only these `modules`.
    """
    names = modules or modules_to_warm(layer)
    for done, name in enumerate(names):
        if progress is not None:
            progress(name, done, len(names))
        importlib.import_module(name).warm_up()
    if progress is not None:
        progress("done", len(names), len(names))


def _module_name(path: Path) -> str | None:
    for root in importlib.import_module("junto").__path__:
        if path.is_relative_to(root):
            relative = path.relative_to(root).with_suffix("")
            return None if relative.name == "__init__" else ".".join(("junto", *relative.parts))
    return None

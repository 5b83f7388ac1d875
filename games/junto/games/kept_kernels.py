"""Where compiled kernels are kept, and how they are loaded: by what they are made of, and no more than is needed.

Numba's on-disk cache misses edits in a *callee's* file and would go on running an old rule. So each file's
folder is named by a hash of its source and of all that it imports from `junto`, of Numba's version, of the
settings and of the CPU: after an edit everything that may call the edited file is compiled anew. The hash is also
of the name that the file is imported by, which Numba writes into what it keeps: a file that is imported by two
names has two folders. A folder may be read-only or missing; then what is not in it is compiled once per process.

`JUNTO_CACHE_DIR` names the root, else `$XDG_CACHE_HOME/junto`, else `~/.cache/junto`.
"""

# ruff: noqa: SLF001  # what Numba does not offer, its own classes do for themselves
from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator, _Cache
from numba.core.codegen import JITCodeLibrary

from junto.games.imported_files import digest_of

OPTIONS: Final = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}
"""How every kernel is compiled: without the GIL, and without the entry for C, which costs a fifth of the compiling."""
_BLAS: Final = "scipy.linalg"


def cache_root() -> Path:
    """Return the folder under which compiled kernels are kept."""
    if chosen := os.environ.get("JUNTO_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "junto"


@functools.cache
def cache_folder(source: Path, module: str) -> Path:
    """Return the folder of the kernels of a source file, imported as `module`, as it and what it imports are now."""
    digest = hashlib.sha256(digest_of(source))
    digest.update(f"{module} {numba.__version__} {OPTIONS} {_cpu()}".encode())
    return cache_root() / f"{source.stem}-{digest.hexdigest()[:16]}"


@functools.cache
def _cpu() -> str:
    """Return which CPU is compiled for: this machine's, or the one that Numba's settings name, as an image's do."""
    name, features = config.CPU_NAME, config.CPU_FEATURES  # type: ignore[attr-defined]  # set from the environment
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return f"{name or llvmlite.binding.get_host_cpu_name()} {features}"


class KernelCache(_Cache):
    """The kept versions of one kernel. Nothing is looked for before a version is asked for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _files(self) -> FunctionCache:
        return _Files(self._function)  # type: ignore[no-untyped-call]

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._files.cache_path)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the version of these types, or `None`: there is none, or no folder to look in."""
        _make_ready(target_context)
        try:
            return self._files._load_overload(signature, target_context)  # type: ignore[no-untyped-call]
        except OSError:
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a version, if the folder can be written; else the next process compiles it again."""
        try:
            Path(self.cache_path).mkdir(parents=True, exist_ok=True)
            self._files.save_overload(signature, data)  # type: ignore[no-untyped-call]
        except OSError:
            return

    def enable(self) -> None:
        """Do nothing: kernels are always kept."""

    def disable(self) -> None:
        """Do nothing: kernels are always kept."""

    def flush(self) -> None:
        """Forget the kept versions."""
        self._files.flush()  # type: ignore[no-untyped-call]


class _Locator(UserProvidedCacheLocator):
    """Point Numba to our folder, also to one that cannot be written."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(cache_folder(Path(file), function.__module__))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        return cls(function, file)

    def get_source_stamp(self) -> str:
        """Return what never changes: the folder's name stands for the source."""
        return ""


class _Format(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  # as the base class has it


class _Files(FunctionCache):
    _impl_class = _Format


class _Library(JITCodeLibrary):
    """Machine code that is loaded. What its callers are linked from is read only if one of them is compiled."""

    _for_callers: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, (machine_code, for_callers) = state
        assert kind == "object", "kernels are kept as machine code"
        library = codegen.create_library(name)
        library._for_callers = for_callers
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        return library

    def get_pointer_to_function(self, name: str) -> int:
        if self._for_callers is None:
            return int(super().get_pointer_to_function(name))  # type: ignore[no-untyped-call]
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None and self._for_callers is not None:
            self._shared_module = llvmlite.binding.parse_bitcode(self._for_callers)
            self._codegen._engine._load_defined_symbols(self._shared_module)  # type: ignore[no-untyped-call]
        return super()._get_module_for_linking()  # type: ignore[no-untyped-call]


@functools.cache
def _make_ready(target_context: Any) -> None:
    """Let Numba load what it compiles with: once, not before each kernel."""
    with _without(_BLAS):
        target_context.refresh()
    target_context.codegen()._library_class = _Library


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Let a module be missing that is slow to import: Numba looks for linear algebra, of which we have none."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # so the import system wants it
    try:
        yield
    finally:
        del sys.modules[module]

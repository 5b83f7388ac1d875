"""Compile the inner loops: `njit` for every kernel of the project, and `warmup`, so that none is compiled in play.

Compiled code is kept on disk: `junto.games.kept_kernels`.
With `NUMBA_DISABLE_JIT=1` kernels are plain Python, to step through.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

from numba.core import config, sigutils, types
from numba.core.registry import CPUDispatcher

from junto.games.imported_files import files
from junto.games.kept_kernels import OPTIONS, KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])
Progress = Callable[[str, int, int], None]
"""Called before each part of a warm-up: what it is, how many are done, how many there are."""

DISABLED: Final = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # set from the environment
"""Whether kernels run as plain Python."""
_WARM_UP: Final = "\ndef warm_up("


def njit(function: Function) -> Function:
    """Compile a module-level function on its first call: without the GIL, kept on disk, exact arithmetic.

    It may call only module-level functions by their names: the cache does not hit for closures or for
    functions that are passed as arguments.
    """
    return function if DISABLED else cast("Function", _Kernel(function, forceinline=False))


def inlined(function: Function) -> Function:
    """Compile like `njit`, into each of its callers: for the few small functions of the hottest loops."""
    return function if DISABLED else cast("Function", _Kernel(function, forceinline=True))


class _Kernel(CPUDispatcher):
    """A compiled function. Constants among its arguments do not make further versions of it."""

    def __init__(self, function: Callable[..., Any], *, forceinline: bool) -> None:
        super().__init__(function, targetoptions={**OPTIONS, "forceinline": forceinline})
        self._cache = KernelCache(function)
        functools.update_wrapper(self, function)

    def compile(self, signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        return super().compile(tuple(map(types.unliteral, arguments)))


def modules_to_warm(layer: str = "") -> list[str]:
    """Return the modules of the games and the search, or of one `layer` of the two, that have a function `warm_up`."""
    parts = tuple(f"junto.{part}." for part in ((layer,) if layer else ("games", "search")))
    paths = ((name, path) for name, path in files().items() if name.startswith(parts))
    return sorted(name for name, path in paths if _WARM_UP in path.read_text("utf-8"))


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

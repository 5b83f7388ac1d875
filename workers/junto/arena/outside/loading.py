"""What a strategy's text names, and how that is loaded: in the process that it is to run in, never in a worker."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

GROUP: Final = "junto.strategies"
_MODULE: Final = "junto_strategy_file"
"""What the module of a file is called, whatever the file's name."""


class NotLoaded(Exception):
    """A strategy cannot be loaded; the message says why, for its author."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a strategy is: in a file, in a module, or behind an entry point's name. One of the three is not empty.

    `attribute` names it there; an entry point has that itself.
    """

    file: str = ""
    module: str = ""
    entry_point: str = ""
    attribute: str = ""

    @property
    def values(self) -> dict[str, str]:
        """What it is made of, for `Source(**values)` in another process."""
        return asdict(self)

    @property
    def folder(self) -> str:
        """The folder that its imports begin in."""
        return str(Path(self.file).parent) if self.file else str(Path.cwd())

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        return self.entry_point or f"{self.file or self.module}:{self.attribute}"


def source_of(strategy: str) -> Source:
    """Return what a strategy's text names: `bots/careful.py:Careful`, `my_bots.careful:Careful`, or an entry point."""
    place, colon, attribute = strategy.rpartition(":")
    if not colon:
        return Source(entry_point=strategy)
    if place.endswith(".py") or "/" in place:
        return Source(file=str(Path(place).expanduser().absolute()), attribute=attribute)
    return Source(module=place, attribute=attribute)


def load(source: Source) -> Any:
    """Return the class, the function or the object that a source names.

    Raises:
        NotLoaded: there is no such thing, or its module fails to be imported.
    """
    try:
        if source.entry_point:
            return _entry_point(source.entry_point)
        return _attribute(_file(source.file) if source.file else importlib.import_module(source.module), source)
    except NotLoaded:
        raise
    except SyntaxError as problem:
        where = f"{Path(problem.filename or source.title).name}:{problem.lineno}"
        raise NotLoaded(f"{source.title} is not Python: {problem.msg} ({where})") from None
    except ModuleNotFoundError as problem:
        if source.module and problem.name and (source.module + ".").startswith(problem.name + "."):
            raise NotLoaded(f"there is no module {problem.name!r} for {source.title}") from None
        raise NotLoaded(f"{source.title} cannot be imported: {told(problem, source)}") from None
    except BaseException as problem:  # noqa: BLE001  # other people's code, up to SystemExit: told, not survived
        raise NotLoaded(f"{source.title} cannot be imported: {told(problem, source)}") from None


def maker_of(target: Any, source: Source) -> Callable[[], Any]:
    """Return what makes a fresh strategy of a loaded target: a class, a function, or an object as it is.

    Raises:
        NotLoaded: it is nothing that decides.
    """
    if isinstance(target, type):
        if not callable(getattr(target, "decide", None)):
            raise NotLoaded(f"{source.title} has no method decide(view, budget)")
        return target
    if callable(getattr(target, "decide", None)):
        return lambda: target
    if callable(target):
        return target  # type: ignore[no-any-return]  # what it makes is looked at when it has made it
    raise NotLoaded(f"{source.title} is no class with a method decide(view, budget)")


def made(maker: Callable[[], Any], source: Source) -> Any:
    """Return a fresh strategy.

    Raises:
        NotLoaded: it cannot be made, or does not decide.
    """
    try:
        strategy = maker()
    except BaseException as problem:  # noqa: BLE001  # other people's code
        raise NotLoaded(f"{source.title} cannot be made: {told(problem, source)}") from None
    if not callable(getattr(strategy, "decide", None)):
        raise NotLoaded(f"{source.title} makes nothing that has a method decide(view, budget)")
    return strategy


def told(problem: BaseException, source: Source) -> str:
    """Return an exception in one sentence, with the last line of its author's files that it passed through."""
    words = " ".join(f"{type(problem).__name__}: {problem}".split()).removesuffix(":")
    own = source.folder if not source.entry_point else ""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if _is_own(frame.filename, own)]
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return words[:400] + where


def _is_own(file: str, folder: str) -> bool:
    if f"{Path('/junto/arena/outside')}" in file or file.startswith("<"):
        return False
    return not folder or file.startswith(folder)


def _entry_point(name: str) -> Any:
    found = next(iter(entry_points(group=GROUP, name=name)), None)
    if found is None:
        raise NotLoaded(f"no strategy {name!r} is installed")
    return found.load()


def _file(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise NotLoaded(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if spec is None or spec.loader is None:
        raise NotLoaded(f"{path} is no file of Python: its name does not end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    spec.loader.exec_module(module)
    return module


def _attribute(module: ModuleType, source: Source) -> Any:
    found: Any = module
    for name in source.attribute.split("."):
        if not hasattr(found, name):
            raise NotLoaded(f"{source.file or source.module} has no {source.attribute!r}")
        found = getattr(found, name)
    return found

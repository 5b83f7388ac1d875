"""What a strategy's text names, and how that is loaded: in the process that it is to run in, never in a worker."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

GROUP: Final = "junto.strategies"
_MODULE: Final = "junto_strategy_file"
"""What the module of a file is called, whatever the file's name."""
_SENTENCE: Final = 400
_HERE: Final = str(Path(__file__).parent)


class NotLoaded(Exception):
    """A strategy cannot be loaded; the message says why, for its author."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a strategy is: in a file, in a module, or behind an entry point's name. One of the three is not empty.

    `attribute` names it there; an entry point has that itself. Imports of a file or a module begin in `folder`.
    """

    file: str = ""
    module: str = ""
    entry_point: str = ""
    attribute: str = ""
    folder: str = ""

    @property
    def values(self) -> dict[str, str]:
        """What it is made of, for `Source(**values)` in another process."""
        return asdict(self)

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        return self.entry_point or f"{self.file or self.module}:{self.attribute}"


def source_of(strategy: str) -> Source:
    """Return what a strategy's text names: `bots/careful.py:Careful`, `my_bots.careful:Careful`, or an entry point.

    A file is looked for from the current folder on, and a module in it first.
    """
    place, colon, attribute = strategy.rpartition(":")
    if not colon:
        return Source(entry_point=strategy)
    if place.endswith(".py") or "/" in place:
        path = Path(place).expanduser().absolute()
        return Source(file=str(path), attribute=attribute, folder=str(path.parent))
    return Source(module=place, attribute=attribute, folder=str(Path.cwd()))


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


def made(target: Any, source: Source) -> Any:
    """Return a fresh strategy of a loaded target: of a class, of what a function makes, or an object as it is.

    Raises:
        NotLoaded: it cannot be made, or does not decide.
    """
    if isinstance(target, type) and not callable(getattr(target, "decide", None)):
        raise NotLoaded(f"{source.title} has no method decide(view, budget)")
    if not isinstance(target, type) and callable(getattr(target, "decide", None)):
        return target
    if not callable(target):
        raise NotLoaded(f"{source.title} is no class with a method decide(view, budget)")
    try:
        strategy = target()
    except BaseException as problem:  # noqa: BLE001  # other people's code
        raise NotLoaded(f"{source.title} cannot be made: {told(problem, source)}") from None
    if not callable(getattr(strategy, "decide", None)):
        raise NotLoaded(f"{source.title} makes nothing that has a method decide(view, budget)")
    return strategy


def told(problem: BaseException, source: Source) -> str:
    """Return an exception in one sentence, with the last line of its author's files that it passed through."""
    words = " ".join(f"{type(problem).__name__}: {problem}".split()).removesuffix(":")
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if _is_own(frame.filename, source)]
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return words[:_SENTENCE] + where


def _is_own(file: str, source: Source) -> bool:
    if source.folder:
        return file.startswith(source.folder)
    return not file.startswith(("<", _HERE))


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

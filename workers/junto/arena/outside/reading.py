"""What can be told of a strategy's file without running any of it: that it is there, is Python, and has the name.

Whoever wants a tournament learns so at once, before Ray and the workers start. That a file passes says little: it is
run where it may be, in a seat's process, and what fails there is told from there.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from junto.arena.errors import StrategyUnfit
from junto.arena.outside.loading import Source

_WRITERS: Final = frozenset({"globals", "locals", "vars", "exec", "eval", "setattr", "modules", "__dict__"})
"""Who uses one of these may have names that cannot be read."""
_SUFFIXES: Final = (".py", ".so", ".pyd", ".pyc")
_MOST_TOLD: Final = 5


def check_readable(source: Source) -> None:
    """Check what can be checked of a strategy's file.

    Nothing is said of an installed module, nor of an entry point.

    Raises:
        StrategyUnfit: there is no such file or module, it is not Python, or has no such name.
    """
    file = _file_of(source)
    if file is None:
        return
    tree = _parsed(file, source)
    wanted = source.attribute.partition(".")[0]
    if wanted not in set(_bound(tree)) and not _may_have_more(tree):
        raise StrategyUnfit(f"{source.file or source.module} has no {source.attribute!r}{_what_else(tree)}")


def _file_of(source: Source) -> Path | None:
    """Return the file that a source names; None: it is not its author's, or cannot be told without running it."""
    if source.file:
        if not Path(source.file).is_file():
            raise StrategyUnfit(f"there is no file {source.file}")
        return Path(source.file) if source.file.endswith(".py") else None
    if not source.module:
        return None
    place = Path(source.folder, *source.module.split("."))
    for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
        if file.is_file():
            return file
    if "." in source.module and place.parent.is_dir() and not place.is_dir() and not _is_compiled(place):
        raise StrategyUnfit(f"there is no module {source.module!r} for {source.title}")
    return None


def _is_compiled(place: Path) -> bool:
    return any(file.suffix in _SUFFIXES for file in place.parent.glob(f"{place.name}.*"))


def _parsed(file: Path, source: Source) -> ast.Module:
    try:
        text = file.read_bytes()
        with warnings.catch_warnings(action="ignore"):  # what its author is to mind is told where it runs
            compile(text, file, "exec", dont_inherit=True)
            return ast.parse(text, file)
    except OSError as problem:
        raise StrategyUnfit(f"{source.title} cannot be read: {problem.strerror}") from None
    except SyntaxError as problem:
        where = f"{file.name}:{problem.lineno}" if problem.lineno else file.name
        raise StrategyUnfit(f"{source.title} is not Python: {problem.msg} ({where})") from None
    except ValueError as problem:
        raise StrategyUnfit(f"{source.title} is not Python: {problem}") from None
    except (RecursionError, MemoryError):
        raise StrategyUnfit(f"{source.title} is not Python: it is nested too deep") from None


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module's own statements bind, and those that its functions say are the module's."""
    for statement in tree.body:
        match statement:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield statement.name
            case _:
                yield from _bound_within(statement)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names


def _bound_within(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
            case ast.Name(ctx=ast.Store()):
                yield node.id


def _may_have_more(tree: ast.Module) -> bool:
    """Tell whether a module may have names that cannot be read in it."""
    for node in ast.walk(tree):
        match node:
            case ast.alias(name="*") | ast.FunctionDef(name="__getattr__"):
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _WRITERS:
                return True
    return False


def _what_else(tree: ast.Module) -> str:
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return f"; it has {', '.join(names[:_MOST_TOLD])}" if names else ""

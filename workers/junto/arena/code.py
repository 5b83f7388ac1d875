"""Which state of the code plays: a short name of the rules and the search, found before any of it is imported.

It is a digest of what the files compile to without docstrings and assertions, so comments and layout make no
difference; another version of Python does.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Final

import junto

_WITHOUT_DOCSTRINGS: Final = 2


def parts_of(text: str) -> Iterator[bytes]:
    """Yield all that makes a difference to what a file does.

    Raises:
        SyntaxError: it is no Python.
    """
    return _parts(compile(text, "", "exec", dont_inherit=True, optimize=_WITHOUT_DOCSTRINGS))


def _parts(code: CodeType) -> Iterator[bytes]:
    yield code.co_code + code.co_exceptiontable
    yield repr((code.co_name, code.co_names, code.co_varnames, code.co_freevars)).encode()
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _parts(value)
        else:
            yield repr(sorted(value, key=repr) if isinstance(value, frozenset) else value).encode()


def _digest() -> str:
    digest = sha256()
    for root in (Path(root) / part for root in junto.__path__ for part in ("games", "search")):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            for part in parts_of(path.read_text(encoding="utf-8")):
                digest.update(part)
    return digest.hexdigest()[:12]


CODE: Final = _digest()
"""The state that this process plays with."""

"""The text of a PBN file: tags with what follows them, grouped into games; comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

_TAG: Final = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_AMBIGUOUS: Final = re.compile(r'\\(?=["\\]|$)')
"""A backslash that would be read as the beginning of an escaped sign."""
_FIRST: Final = {"Event", "Board", "Deal"}
"""Tags that begin another game when they come a second time."""


class PbnError(ValueError):
    """A text that is no PBN, or tells of a game that cannot be; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a section, without comments; rows are equal wherever they stand."""

    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag pair, and the rows of its section."""

    name: str
    value: str
    rows: tuple[Row, ...] = ()
    line: int = field(default=0, compare=False)


def games_of(text: str) -> list[list[Tag]]:
    """Return the tags of each game of a file, with `#` replaced by the value of the game before.

    Raises:
        PbnError: something is neither a tag nor part of a section.
    """
    games: list[list[Tag]] = []
    parted = False
    for tag in _tags(text):
        if tag is None:
            parted = True
            continue
        known = {earlier.name for earlier in games[-1]} if games else set()
        again = tag.name in known and tag.name != "Note"
        if not games or (again and (parted or tag.name in _FIRST)) or (parted and tag.name == "Event"):
            games.append([])
        games[-1].append(_inherited(tag, games))
        parted = False
    return games


def tag_text(name: str, value: str) -> str:
    """Return a tag pair as PBN writes it."""
    escaped = _AMBIGUOUS.sub(r"\\\\", value).replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _inherited(tag: Tag, games: list[list[Tag]]) -> Tag:
    """Return the tag with the value that `#` stands for, or that follows `##`."""
    if tag.value.startswith("##"):
        return replace(tag, value=tag.value[2:])
    if tag.value != "#":
        return tag
    before = (earlier.value for game in reversed(games[:-1]) for earlier in game if earlier.name == tag.name)
    return replace(tag, value=next(before, "?"))


def _tags(text: str) -> Iterator[Tag | None]:
    """Yield the tags, each with its section, and None for empty lines between them."""
    open_tag: Tag | None = None
    for line, piece in _pieces(text):
        found = _TAG.match(piece)
        if found is not None:
            if open_tag is not None:
                yield open_tag
            open_tag = Tag(found[1], _ESCAPED.sub(r"\1", found[2]), (), line)
        elif not piece:
            if open_tag is not None:
                yield open_tag
            open_tag = None
            yield None
        elif piece.startswith("["):
            raise PbnError(line, f"{piece[:40]!r} is no tag: a tag is a name and a value in quotation marks")
        elif open_tag is None:
            raise PbnError(line, f"{piece[:40]!r} belongs to no tag")
        else:
            open_tag = replace(open_tag, rows=(*open_tag.rows, Row(piece, line)))
    if open_tag is not None:
        yield open_tag


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield tags and rows without comments and escaped lines, with their lines; empty for an empty line."""
    for line, row in _without_comments(text):
        rest = row.strip()
        if not rest:
            yield line, ""
        while rest:
            found = _TAG.match(rest)
            end = found.end() if found is not None else rest.find("[", 1) if "[" in rest[1:] else len(rest)
            yield line, rest[:end].strip()
            rest = rest[end:].strip()


def _without_comments(text: str) -> list[tuple[int, str]]:
    """Return the lines without comments, those that are nothing else left out.

    Braces in a comment are taken for pairs; where that leaves it open to the end, the first closing one ends it.
    """
    try:
        return list(_uncommented(text, nested=True))
    except PbnError:
        return list(_uncommented(text, nested=False))


def _uncommented(text: str, *, nested: bool) -> Iterator[tuple[int, str]]:
    depth, opened = 0, 0
    for line, row in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not depth and row.startswith("%"):
            continue
        kept, quoted, commented = [], False, bool(depth)
        for place, sign in enumerate(row):
            if not depth and sign == '"' and row[place - 1 : place] != "\\":
                quoted = not quoted
            if quoted:
                kept.append(sign)
            elif sign == "{":
                opened = opened if depth else line
                depth, commented = depth + 1 if nested else 1, True
            elif sign == "}" and depth:
                depth -= 1
            elif not depth and sign == ";":
                commented = True
                break
            elif not depth:
                kept.append(sign)
        if not commented or "".join(kept).strip():
            yield line, "".join(kept)
    if depth:
        raise PbnError(opened, "this comment is not closed")

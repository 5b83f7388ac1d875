"""Names that players show each other."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 40
_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_VARIANTS: Final = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
_STYLES: Final = frozenset("\ufe0e\ufe0f")
"""Ask for the plain or the coloured picture of the sign before them; phones write them by themselves."""
_MARKS: Final = frozenset({"Mn", "Me"})
_MOST_MARKS: Final = 3
"""Marks on one letter, composed ones apart: as many as any script needs, too few to paint over the lines beside."""


class NameRefused(ValueError):
    """A name that will not be shown; the message completes "display_name: "."""


def display_name(text: str) -> str:
    """Return a name as it will be shown: in Unicode's NFC, without spaces around it.

    Refused are control and format characters (among them those that turn the writing direction), characters
    that Unicode does not define, letters that show as nothing, and marks in heaps or on nothing.

    Raises:
        NameRefused: it is empty, longer than 40 characters, or has a character that is refused.
    """
    if len(text) > 4 * LONGEST:
        raise NameRefused(f"must be at most {LONGEST} characters")
    for character in text:
        if unicodedata.category(character) in _REFUSED or character in _BLANK or character in _VARIANTS:
            raise NameRefused(f"must not contain the character U+{ord(character):04X}")
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise NameRefused("must show something: it has no visible character")
    if len(name) > LONGEST:
        raise NameRefused(f"must be at most {LONGEST} characters")
    _check_marks(name)
    return name


def _check_marks(name: str) -> None:
    """Check that each mark stands on something, and a style on a sign that has one."""
    base, marks = "", 0
    for character in name:
        if character in _STYLES:
            if not base or unicodedata.category(base) not in {"So", "Sm", "Po", "Nd"}:
                raise NameRefused(f"must not contain the character U+{ord(character):04X} there")
        elif unicodedata.category(character) in _MARKS:
            marks += 1
            if not base or base.isspace() or marks > _MOST_MARKS:
                raise NameRefused(f"must not contain the mark U+{ord(character):04X} there")
        else:
            base, marks = character, 0


def shown_name(text: object, otherwise: str = "player") -> str:
    """Return a name that somebody else vouches for, or the other one where it cannot be shown."""
    try:
        return display_name(text[:LONGEST]) if isinstance(text, str) else otherwise
    except NameRefused:
        return otherwise

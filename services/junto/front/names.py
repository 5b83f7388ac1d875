"""Names that players show each other."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 40
_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")


class NameRefused(ValueError):
    """A name that will not be shown; the message completes "display_name: "."""


def display_name(text: str) -> str:
    """Return a name as it will be shown: in Unicode's NFC, without spaces around it.

    Refused are control and format characters (among them those that turn the writing direction), characters
    that Unicode does not define, and letters that show as nothing.

    Raises:
        NameRefused: it is empty, longer than 40 characters, or has a character that is refused.
    """
    if len(text) > 4 * LONGEST:
        raise NameRefused(f"must be at most {LONGEST} characters")
    for character in text:
        if unicodedata.category(character) in _REFUSED or character in _BLANK:
            raise NameRefused(f"must not contain the character U+{ord(character):04X}")
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise NameRefused("must show something: it has no visible character")
    if len(name) > LONGEST:
        raise NameRefused(f"must be at most {LONGEST} characters")
    return name


def shown_name(text: object, otherwise: str = "player") -> str:
    """Return a name that somebody else vouches for, or the other one where it cannot be shown."""
    try:
        return display_name(text[:LONGEST]) if isinstance(text, str) else otherwise
    except NameRefused:
        return otherwise

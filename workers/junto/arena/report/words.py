"""Figures and names as people read them, in the terminal and in the report."""

from __future__ import annotations


def duration(milliseconds: float) -> str:
    """Return a time with the unit that suits it."""
    if milliseconds < 1.0:
        return f"{1000 * milliseconds:.0f} µs"
    return f"{milliseconds:.3g} ms" if milliseconds < 1000.0 else f"{milliseconds / 1000:.3g} s"


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{100 * share:.0f} %"


def short(name: str, most: int) -> str:
    """Return a name cut to what there is room for."""
    return name if len(name) <= most else name[: most - 1] + "…"


def plain(text: str, also: str = "") -> str:
    """Return what others wrote without signs that cannot be seen: these could turn a line around, or be obeyed.

    `also` are signs that stay all the same; others become a sign that says so, blanks a space.
    """
    return "".join(sign if sign.isprintable() or sign in also else " " if sign.isspace() else "�" for sign in text)

"""Strategies that cannot play."""

from __future__ import annotations

from typing import Any


class Unmakeable:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no weights")

    def decide(self, view: Any, budget: Any) -> str:
        return "pass"


class Undecided:
    """Has nothing to decide with."""


class BridgeOnly:
    """Plays bridge only."""

    games = ("bridge",)

    def decide(self, view: Any, budget: Any) -> str:
        return "pass"


NUMBER = 7

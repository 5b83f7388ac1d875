"""What a conformance case is, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Fields = Mapping[str, Any]
"""A part of a case as JSON gave it."""
Answer = Mapping[str, Any]
"""What the rules say, in the words of the case's `then`; it may say more."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: a situation, what happens, and the required answer."""

    name: str
    kind: str
    given: Fields
    when: Fields
    then: Fields

    @property
    def options(self) -> Fields:
        """Options that differ from the game's defaults."""
        options: Fields = self.given.get("options") or {}
        return options


Adapter = Mapping[str, Callable[[Case], Answer]]
"""For each kind of case: what the rules of a game answer."""

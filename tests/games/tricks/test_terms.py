"""The constants of a game as the kernels read them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from junto.games.tricks.terms import Terms


def test_each_term_has_a_place_of_its_own() -> None:
    """Every term stands once in the vector, and no place of it is without one."""
    given: dict[str, Any] = {field.name: number for number, field in enumerate(fields(Terms), 1)}

    assert sorted(Terms(**given).vector.tolist()) == sorted(given.values())

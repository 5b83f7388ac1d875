"""Whole deals as texts that people can read: what everybody is told and each seat knows, step by step."""

from __future__ import annotations

import pytest

from junto.games.catalog import GAMES

from .playthrough import GOLDEN, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_the_golden_playthrough_is_unchanged(name: str) -> None:
    """Every event, view, prompt and default of a scripted deal is as written down by `playthrough`."""
    assert playthrough(name).splitlines() == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()

"""Baohuang (保皇): an emperor, his secret guard, and who is first out. Rules for players: `docs/games/baohuang.md`."""

from __future__ import annotations

from typing import Final

STREET: Final = "shandong_street"

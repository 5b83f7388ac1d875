"""A strategy that answers what it was not asked, or nothing that can be read."""

from __future__ import annotations

import os
import struct
from typing import Any

from ways import Ways

from junto.games.actions import Pass, Play, text
from junto.search.decisions import Decision, Evaluation

SOCKET = 3
DECIDED = 3


def frame(number: int, body: bytes, length: int | None = None) -> bytes:
    """Return an answer as it is sent, or what looks like one."""
    return struct.pack("<IBQ", 9 + (len(body) if length is None else length), DECIDED, number) + body


class Lying(Ways):
    ways = (
        *("foreign", "wordy", "nothing", "no_card", "no_number"),
        *("other_decision", "garbage", "unreadable", "huge", "long"),
        *("boasting", "doubting"),
    )

    def foreign(self, view: Any) -> str:
        return text(Play(next(card for card in range(52) if card not in view.own.hand)))

    def wordy(self, view: Any) -> str:
        return "I would rather not"

    def nothing(self, view: Any) -> None:
        return None

    def no_card(self, view: Any) -> Any:
        return Play(4_711)

    def no_number(self, view: Any) -> Any:
        return Decision(Pass(), (Evaluation(Pass(), "much"),))  # type: ignore[arg-type]

    def boasting(self, view: Any) -> Any:
        return Decision(Pass(), worlds=1 << 62)

    def doubting(self, view: Any) -> Any:
        return Decision(Pass(), (Evaluation(Pass(), float("nan")),))

    def other_decision(self, view: Any) -> str:
        os.write(SOCKET, frame(77, b""))
        return "pass"

    def garbage(self, view: Any) -> str:
        os.write(SOCKET, bytes(64))
        return "pass"

    def unreadable(self, view: Any) -> str:
        os.write(SOCKET, frame(1, b"\xff\xff\xff\xff"))
        return "pass"

    def huge(self, view: Any) -> str:
        os.write(SOCKET, frame(1, bytes(4096), length=1 << 30))
        return "pass"

    def long(self, view: Any) -> str:
        return "pass " * 10_000_000

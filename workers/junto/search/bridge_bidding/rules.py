"""A rule of the system: a call, what it means, and which hands it is chosen with.

The meaning is the condition; `when` narrows it further to the hands that a player would choose it with
(a good suit, the longer of two), and so never contradicts what is announced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from junto.search.bridge_bidding.calls import read_call
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import (
    ANY_LENGTH,
    ANY_POINTS,
    ANY_SHAPE,
    BALANCED_LENGTH,
    Forcing,
    Meaning,
    Range,
)

Condition = Callable[[Holding], bool]
_SHAPE_POINTS: Final = 6
"""So many of a hand's points may be for its shape."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One call of the system in one position, with its meaning and the further condition on the hand."""

    call: int
    meaning: Meaning
    when: Condition | None = None

    def fits(self, held: Holding) -> bool:
        """Tell whether the bots make this call with a hand, if no earlier rule of the position fits it."""
        return self.meaning.admits(held) and (self.when is None or self.when(held))


Rules = list[Rule]
"""The rules of one position, the first that fits is taken."""


def rule(
    call: int | str,
    name: str,
    *,
    hcp: Range = ANY_POINTS,
    points: Range | None = None,
    trump: int | None = None,
    has: Mapping[int, int] | None = None,
    most: Mapping[int, int] | None = None,
    balanced: bool = False,
    stopped: tuple[int, ...] = (),
    keycards: tuple[int, ...] = (),
    queen: bool | None = None,
    kings: int | None = None,
    any_shape_from: int | None = None,
    artificial: bool = False,
    forcing: Forcing = Forcing.NONE,
    note: str = "",
    when: Condition | None = None,
) -> Rule:
    """Return a rule; `has` and `most` give the least and the most cards of suits, `note` ends the sentence."""
    if points is not None and hcp == ANY_POINTS:
        hcp = (max(0, points[0] - _SHAPE_POINTS), min(37, points[1]))
    lengths = _lengths(has or {}, most or {}, balanced=balanced and any_shape_from is None)
    meaning = Meaning(
        name, hcp, lengths, points, trump, balanced, stopped, keycards, queen, kings, any_shape_from, artificial,
        forcing, note,
    )  # fmt: skip
    return Rule(read_call(call) if isinstance(call, str) else call, meaning, when)


def _lengths(has: Mapping[int, int], most: Mapping[int, int], *, balanced: bool) -> tuple[Range, ...]:
    if not (has or most or balanced):
        return ANY_SHAPE
    low, high = BALANCED_LENGTH if balanced else ANY_LENGTH
    return tuple((max(has.get(suit, low), low), min(most.get(suit, high), high)) for suit in range(4))


def longest_is(suit: int) -> Condition:
    """Return the condition that a suit is the longest, or the highest of the longest."""
    return lambda held: held.longest() == suit

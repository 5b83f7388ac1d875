"""A rule of the system: a call, what it means, and which hands it is chosen with.

The meaning is the condition; `when` narrows it further to the hands that a player would choose it with
(a good suit, the longer of two), and so never contradicts what is announced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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
    """One call of the system in one position, with its meaning and the further condition on the hand.

    `needs` is a narrower meaning that the hand must satisfy where several reasons for a call share one meaning.
    """

    call: int
    meaning: Meaning
    when: Condition | None = None
    needs: Meaning | None = None

    def fits(self, held: Holding) -> bool:
        """Tell whether the bots make this call with a hand, if no earlier rule of the position fits it."""
        needs = self.meaning if self.needs is None else self.needs
        return needs.admits(held) and (self.when is None or self.when(held))


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


def shared(rules: Rules) -> Rules:
    """Return the rules with one meaning for each call: the widest of all that the call is made for.

    Where conventional and natural reasons, or forcing and other ones, meet in a call, the first kind holds and
    the others are left out.
    """
    meanings: dict[int, Meaning] = {}
    kept = []
    for one in rules:
        first = meanings.setdefault(one.call, one.meaning)
        if of_a_kind(first, one.meaning):
            meanings[one.call] = _widest(first, one.meaning)
            kept.append(one)
    return [replace(one, meaning=meanings[one.call], needs=one.meaning) for one in kept]


def of_a_kind(first: Meaning, other: Meaning) -> bool:
    """Tell whether two meanings can be one: they are equal, or both natural and as forcing."""
    natural = not (first.artificial or other.artificial)
    return first == other or (natural and first.forcing is other.forcing)


def _widest(first: Meaning, other: Meaning) -> Meaning:
    if first == other:
        return first
    same_measure = first.points is not None and other.points is not None and first.trump == other.trump
    return Meaning(
        first.name,
        _hull(first.hcp, other.hcp),
        tuple(map(_hull, first.lengths, other.lengths)),
        _hull(first.points, other.points) if same_measure and first.points and other.points else None,
        first.trump if same_measure else None,
        first.balanced and other.balanced,
        tuple(suit for suit in first.stopped if suit in other.stopped),
        forcing=first.forcing,
        note=first.note,
    )


def _hull(first: Range, other: Range) -> Range:
    return min(first[0], other[0]), max(first[1], other[1])

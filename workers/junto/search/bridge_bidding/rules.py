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
    SUIT_NAMES,
    Forcing,
    Meaning,
    Range,
    range_words,
)

Condition = Callable[[Holding], bool]
_SHAPE_POINTS: Final = 6
"""So many of a hand's points may be for its shape."""
_BALANCED_LENGTH: Final = (2, 5)
_WIDE: Final = 33


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
    meaning = Meaning(
        name, "", hcp, _lengths(has or {}, most or {}), points, trump, balanced, stopped, keycards, queen, kings,
        any_shape_from, artificial, forcing,
    )  # fmt: skip
    if balanced and any_shape_from is None:
        meaning = replace(meaning, lengths=tuple((max(low, 2), min(high, 5)) for low, high in meaning.lengths))
    code = read_call(call) if isinstance(call, str) else call
    return Rule(code, _with_sentence(meaning, note), when)


def _lengths(has: Mapping[int, int], most: Mapping[int, int]) -> tuple[Range, ...]:
    if not has and not most:
        return ANY_SHAPE
    return tuple((has.get(suit, 0), most.get(suit, 13)) for suit in range(4))


def _with_sentence(meaning: Meaning, note: str) -> Meaning:
    said = [*_strength_words(meaning), *_shape_words(meaning), *_top_words(meaning)]
    if note:
        said.append(note)
    if meaning.forcing is not Forcing.NONE:
        said.append(meaning.forcing.value)
    sentence = f"{meaning.name[0].upper()}{meaning.name[1:]}{': ' if said else ''}{'; '.join(said)}."
    return replace(meaning, sentence=sentence)


def _strength_words(meaning: Meaning) -> list[str]:
    ends = meaning.strength
    if ends == ANY_POINTS:
        return []
    words = range_words(ends, _WIDE) + " points"
    if meaning.points is not None:
        words += " with shape" if meaning.trump is None else f" in support of {SUIT_NAMES[meaning.trump]}"
    return [words]


def _shape_words(meaning: Meaning) -> list[str]:
    words = ["a balanced hand"] if meaning.balanced else []
    usual = (ANY_LENGTH, _BALANCED_LENGTH) if meaning.balanced else (ANY_LENGTH,)
    words += [
        f"{range_words(ends, 13)} {SUIT_NAMES[suit]}" for suit, ends in enumerate(meaning.lengths) if ends not in usual
    ]
    if meaning.any_shape_from is not None:
        words.append(f"or any shape with {meaning.any_shape_from} or more points")
    return words


def _top_words(meaning: Meaning) -> list[str]:
    words = [f"{SUIT_NAMES[suit]} stopped" for suit in meaning.stopped]
    if meaning.keycards:
        words.append(" or ".join(map(str, meaning.keycards)) + " keycards")
    if meaning.queen is not None:
        words.append("the queen of trumps" if meaning.queen else "no queen of trumps")
    if meaning.kings is not None:
        words.append(f"{meaning.kings} kings outside trumps")
    return words


def longest_is(suit: int) -> Condition:
    """Return the condition that a suit is the longest, or the highest of the longest."""
    return lambda held: held.longest() == suit

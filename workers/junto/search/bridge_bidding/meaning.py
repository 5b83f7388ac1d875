"""What a call says about the hand of its caller.

A meaning is both: the condition that a hand must satisfy before the bots make the call, and what everybody
at the table may read in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from junto.search.bridge_bidding.holding import Holding

Range = tuple[int, int]
"""The least and the most, both included."""

ANY_POINTS: Final[Range] = (0, 37)
ANY_LENGTH: Final[Range] = (0, 13)
ANY_SHAPE: Final[tuple[Range, ...]] = (ANY_LENGTH,) * 4
BALANCED_LENGTH: Final[Range] = (2, 5)
"""What a suit of a balanced hand can be."""
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
_KEYCARD_COST: Final = 4
_UNLIMITED: Final = 33
"""A range of points to here or higher has no upper end in words."""


class Forcing(Enum):
    """How long the partner must keep the bidding open."""

    NONE = "not forcing"
    ROUND = "forcing for one round"
    GAME = "forcing to game"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a call means.

    `hcp` are high-card points. `points`, if there, is the range of the points that the call is reckoned in: in
    support of `trump`, or with long suits counted if that is None. `lengths` go by suit S H D C. A hand of
    `any_shape_from` high-card points or more may have any shape. `stopped` suits are stopped.
    `keycards` are the numbers of keycards of `trump` that the call allows; `queen` tells of the trump queen,
    and `kings` of the kings of other suits. `note` is what else there is to say, for the sentence.
    """

    name: str
    hcp: Range = ANY_POINTS
    lengths: tuple[Range, ...] = ANY_SHAPE
    points: Range | None = None
    trump: int | None = None
    balanced: bool = False
    stopped: tuple[int, ...] = ()
    keycards: tuple[int, ...] = ()
    queen: bool | None = None
    kings: int | None = None
    any_shape_from: int | None = None
    artificial: bool = False
    forcing: Forcing = Forcing.NONE
    note: str = ""

    @property
    def strength(self) -> Range:
        """The points that the call promises, in the measure that it is reckoned in."""
        return self.points or self.hcp

    @property
    def sentence(self) -> str:
        """All of it in a plain sentence, for players."""
        said = [*_strength_words(self), *_shape_words(self), *_top_words(self)]
        if self.note:
            said.append(self.note)
        if self.forcing is not Forcing.NONE:
            said.append(self.forcing.value)
        return f"{self.name[0].upper()}{self.name[1:]}{': ' if said else ''}{'; '.join(said)}."

    def admits(self, held: Holding) -> bool:
        """Tell whether a hand is one that the call describes."""
        low, high = self.hcp
        if not low <= held.hcp <= high:
            return False
        if self.points is not None:
            low, high = self.points
            counted = held.points if self.trump is None else held.support(self.trump)
            if not low <= counted <= high:
                return False
        return self._shaped(held) and self._tops(held)

    def misfit(self, held: Holding) -> int:
        """Return how far a hand is from what the call describes: 0 if it is one, else about a point a step."""
        far = _outside(held.hcp, self.hcp)
        if self.points is not None:
            far += _outside(held.points if self.trump is None else held.support(self.trump), self.points)
        if self._shape_told(held):
            far += 2 * sum(_outside(held.lengths[suit], self.lengths[suit]) for suit in range(4))
            far += self.balanced and not held.balanced
        far += sum(not held.stopped[suit] for suit in self.stopped)
        return far if self._tops(held) else far + _KEYCARD_COST

    def _shape_told(self, held: Holding) -> bool:
        return self.any_shape_from is None or held.hcp < self.any_shape_from

    def _shaped(self, held: Holding) -> bool:
        if self._shape_told(held):
            if self.balanced and not held.balanced:
                return False
            if self.lengths is not ANY_SHAPE:
                for length, (low, high) in zip(held.lengths, self.lengths, strict=True):
                    if not low <= length <= high:
                        return False
        return not self.stopped or all(held.stopped[suit] for suit in self.stopped)

    def _tops(self, held: Holding) -> bool:
        if self.trump is None:
            return True
        if self.keycards and held.keycards(self.trump) not in self.keycards:
            return False
        if self.queen is not None and held.has_queen(self.trump) != self.queen:
            return False
        return self.kings is None or held.kings(self.trump) == self.kings


def _outside(value: int, ends: Range) -> int:
    return max(ends[0] - value, value - ends[1], 0)


def _range_words(ends: Range, top: int) -> str:
    """Return a range as a player says it: `12-14`, `6 or more`, `at most 9`, `exactly 4`; `top` is no limit."""
    low, high = ends
    if low == high:
        return f"exactly {low}"
    if low == 0:
        return f"at most {high}"
    return f"{low} or more" if high >= top else f"{low}-{high}"


def _strength_words(meaning: Meaning) -> list[str]:
    if meaning.points is None:
        return [] if meaning.hcp == ANY_POINTS else [_range_words(meaning.hcp, _UNLIMITED) + " points"]
    measure = "with shape" if meaning.trump is None else f"in support of {SUIT_NAMES[meaning.trump]}"
    return [f"{_range_words(meaning.hcp, _UNLIMITED)} points, {_range_words(meaning.points, _UNLIMITED)} {measure}"]


def _shape_words(meaning: Meaning) -> list[str]:
    words = ["a balanced hand"] if meaning.balanced else []
    usual = (ANY_LENGTH, BALANCED_LENGTH) if meaning.balanced else (ANY_LENGTH,)
    words += [
        f"{_range_words(ends, 13)} {SUIT_NAMES[suit]}" for suit, ends in enumerate(meaning.lengths) if ends not in usual
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

"""What a play is, in words: the combination that the server says it took the cards for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from junto.games.climbing import kernel


class Kind(IntEnum):
    """A kind of combination, by its number in the kernel."""

    SINGLE = kernel.SINGLE
    PAIR = kernel.PAIR
    TRIO = kernel.TRIO
    STRAIGHT = kernel.STRAIGHT
    PAIR_STRAIGHT = kernel.PAIR_STRAIGHT
    TRIO_STRAIGHT = kernel.TRIO_STRAIGHT
    PLANE_SINGLE = kernel.PLANE_SINGLE
    """A run of trios, each with a single card."""
    PLANE_PAIR = kernel.PLANE_PAIR
    TRIO_SINGLE = kernel.TRIO_SINGLE
    TRIO_PAIR = kernel.TRIO_PAIR
    FOUR_TWO_SINGLE = kernel.FOUR_TWO_SINGLE
    """Four equal cards with two single ones: no bomb."""
    FOUR_TWO_PAIR = kernel.FOUR_TWO_PAIR
    BOMB = kernel.BOMB
    JOKER_BOMB = kernel.JOKER_BOMB
    """All jokers: the rocket (火箭) of one pack, the four kings (天王炸) of two."""
    SET = kernel.SET
    """Baohuang's only kind: cards of one rank, with jokers."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination: the kernel's play, which says both what it is and which ranks it takes.

    `key` is a rank 0..14 and `length` as the rule pages define them; `size` is the number of cards. Of a set:
    `small` and `big` jokers, and `twos` that fill it up.
    """

    play: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "play", kernel.without_named(self.play))

    @property
    def kind(self) -> Kind:
        """What kind it is of."""
        return Kind(kernel.kind_of(self.play))

    @property
    def key(self) -> int:
        """The highest rank of its main group; a set's base."""
        return int(kernel.key_of(self.play))

    @property
    def length(self) -> int:
        """The ranks of its run, 1 without one; for bombs that grow the number of cards; for a set those of its base."""
        return int(kernel.length_of(self.play))

    @property
    def size(self) -> int:
        """The number of its cards."""
        return int(kernel.size_of(self.play))

    @property
    def small(self) -> int:
        """The small jokers of a set or a joker bomb."""
        return int(kernel.small_of(self.play))

    @property
    def big(self) -> int:
        """The big jokers of a set or a joker bomb."""
        return int(kernel.big_of(self.play))

    @property
    def twos(self) -> int:
        """The twos that fill up a set of another rank."""
        return int(kernel.twos_of(self.play))

    @property
    def is_bomb(self) -> bool:
        """Whether it beats combinations of other kinds."""
        return self.kind in {Kind.BOMB, Kind.JOKER_BOMB}

    @property
    def ranks(self) -> tuple[int, ...]:
        """Every card's rank, those of the main group first, each part low to high; all jokers are one group."""
        first, key, kickers = kernel.first_of(self.play), self.key, kernel.kickers_of(self.play)
        rest = [rank for rank in range(kernel.RANKS) for _ in range((kickers >> 2 * rank) & 3)] if kickers else []
        rest += [kernel.TWO] * self.twos + [kernel.SMALL] * self.small + [kernel.BIG] * self.big
        width = (self.size - len(rest)) // (key - first + 1)
        return (*(rank for rank in range(first, key + 1) for _ in range(width)), *rest)


def made_of(kind: Kind, key: int, length: int, ranks: Sequence[int]) -> Combination:
    """Return the combination of a kind that has these cards; `length` as in `Combination`. Nothing is checked."""
    play = kernel.made(int(kind), key, length, len(ranks))
    first = int(kernel.first_of(play))
    if kind in {Kind.SET, Kind.JOKER_BOMB}:
        twos = ranks.count(kernel.TWO) if key != kernel.TWO else 0
        small, big = ranks.count(kernel.SMALL), ranks.count(kernel.BIG)
        return Combination(int(kernel.with_joined(play, small, big, twos)))
    kickers = sum(1 << 2 * rank for rank in ranks if not first <= rank <= key)
    return Combination(int(kernel.with_kickers(play, kickers)))

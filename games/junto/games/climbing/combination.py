"""What a play is, in words: the combination that the server says it took the cards for."""

from __future__ import annotations

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
    """A play's combination: its kind, key (a rank 0..14) and length as the rule pages define them.

    `size` is the number of its cards. Of a set: `small` and `big` jokers, and `twos` that fill it up.
    """

    kind: Kind
    key: int
    length: int
    size: int
    small: int = 0
    big: int = 0
    twos: int = 0


def combination_of(play: int) -> Combination:
    """Return what a play is."""
    return Combination(
        Kind(kernel.kind_of(play)),
        kernel.key_of(play),
        kernel.length_of(play),
        kernel.size_of(play),
        kernel.small_of(play),
        kernel.big_of(play),
        kernel.twos_of(play),
    )

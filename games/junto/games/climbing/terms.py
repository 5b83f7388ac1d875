"""What the rules of a climbing game leave open: constants that its kernels read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing import course, kernel, scoring

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """Which combinations one game with chosen options has, and what beats what.

    The pack is `packs` times 54 cards; no combination has more than `largest` cards.

    Runs, of single cards, pairs or trios, have at least `straight_from`, `pair_straight_from`,
    `trio_straight_from` ranks; 0: there are none. Bombs have four to `largest_bomb` equal cards, beat all else and
    each other by size, then rank; 0: there are none. All jokers together may be the highest bomb (`joker_bomb`), two
    equal jokers a pair (`joker_pairs`).

    `kickers`: trios, runs of two and more trios, and fours carry single cards or pairs; single ones all of
    different ranks (`distinct_kickers`), or both jokers among them (`rocket_as_kickers`).

    `sets`: instead of all these a play is cards of one rank with jokers attached. `twos_fill`: and with twos.
    `one_big_beatable`: a set with one big joker is beaten by two, and one more for each small one. Only as the
    whole remaining hand are played: jokers alone (`jokers_last`), sets of threes (`threes_last`).

    Of `seats`, when the deal is over (`ending`) and who leads after a round whose owner is out (`heir`): see
    `junto.games.climbing.course`. How a deal scores (`scoring`, see that module): Dou Dizhu's `unit` for each point
    of the bid, bombs by their number instead of by doubling (`bombs_count`), a multiplier of at most
    `most_multiplier` (0: any); whether the losing team of Shuangkou loses what the other gets (`zero_sum`); whether
    each of a court's seats gets his share, so that it sums to zero (`shares`).
    """

    packs: int = 1
    largest: int = 54
    straight_from: int = 0
    pair_straight_from: int = 0
    trio_straight_from: int = 0
    largest_bomb: int = 0
    joker_bomb: bool = False
    joker_pairs: bool = False
    kickers: bool = False
    distinct_kickers: bool = False
    rocket_as_kickers: bool = False
    sets: bool = False
    twos_fill: bool = False
    one_big_beatable: bool = False
    jokers_last: bool = False
    threes_last: bool = False
    seats: int = 3
    ending: int = course.FIRST_OUT
    heir: int = course.NEXT
    scoring: int = scoring.LANDLORD
    unit: int = 1
    bombs_count: bool = False
    most_multiplier: int = 0
    zero_sum: bool = False
    shares: bool = False

    @cached_property
    def vector(self) -> Vector:
        """The constants as the kernels read them; nobody writes to it."""
        return np.array([getattr(self, name) for name in kernel.TERM_NAMES], np.int64)

    @cached_property
    def pack(self) -> Vector:
        """The whole pack as counts of ranks; nobody writes to it."""
        return np.array([4 * self.packs] * (kernel.TWO + 1) + [self.packs] * 2, np.int64)


DOU_DIZHU: Final = Terms(
    largest=20,
    straight_from=5,
    pair_straight_from=3,
    trio_straight_from=2,
    largest_bomb=4,
    joker_bomb=True,
    kickers=True,
)
"""Dou Dizhu (鬥地主): the landlord's twenty cards are the most that can be played."""
SHUANGKOU: Final = Terms(
    packs=2,
    largest=27,
    straight_from=5,
    pair_straight_from=3,
    trio_straight_from=3,
    largest_bomb=8,
    joker_bomb=True,
    seats=4,
    ending=course.ONE_LEFT,
    heir=course.PARTNER,
    scoring=scoring.TEAMS,
)
"""Shuangkou (雙扣)."""
BAOHUANG: Final = Terms(
    packs=4,
    largest=216,
    sets=True,
    seats=5,
    ending=course.ONE_LEFT,
    heir=course.APPLICANT,
    scoring=scoring.COURT,
)
"""Baohuang (保皇), classic."""
BAOHUANG_STREET: Final = replace(
    BAOHUANG, twos_fill=True, one_big_beatable=True, threes_last=True, scoring=scoring.STREET
)
"""Baohuang as on the street in Shandong (街頭), with its clearing of threes."""

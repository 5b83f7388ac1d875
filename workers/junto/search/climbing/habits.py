"""How a seat plays a climbing game: the numbers that the rules of thumb weigh a play by.

A *habit* has a name; all of them together, with tables made of them, are the vector that the kernels read. Values
are in eighths of the step from one rank to the next. `bench/fit_climbing.py` finds them by play against themselves.

The last two say how a playout ends: once so many cards are left in all hands it is solved, if so many positions are
enough for it (`endings`). Where `ending_cards` are 0 it is not done: it gained nothing in Shuangkou, and playouts of
Baohuang seldom come so far. `docs/search.md` tells what it is worth, and by which command that is measured.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.climbing import kernel, scoring
from junto.games.climbing.terms import Terms
from junto.games.jit import inlined

Vector = npt.NDArray[np.int64]
Habits = Mapping[str, int]

ROW: Final = 16
WIDEST: Final = 16
"""The most cards of one rank."""
CERTAIN: Final = 1024
SHARES: Final = 16
_WIDE: Final = 10
"""Chances are told for up to so many equal cards; of more there are none to speak of."""
ODDS: Final = ROW * (WIDEST + 1)
WEIGHTS: Final = ODDS + _WIDE * (WIDEST + 1) * (SHARES + 1)
WEIGHT_NAMES: Final = (
    "bomb_step", "lead", "lead_last", "lead_two", "danger", "danger_near", "help", "friend", "friend_near",
    "friend_holds", "friend_blocks", "probable", "myself", "foe", "foe_near", "foe_last", "closing", "reveal",
    "ending_cards", "ending_positions",
)  # fmt: skip
(
    BOMB_STEP, LEAD, LEAD_LAST, LEAD_TWO, DANGER, DANGER_NEAR, HELP, FRIEND, FRIEND_NEAR,
    FRIEND_HOLDS, FRIEND_BLOCKS, PROBABLE, MYSELF, FOE, FOE_NEAR, FOE_LAST, CLOSING, REVEAL,
    ENDING_CARDS, ENDING_POSITIONS, HABITS,
) = range(WEIGHTS, WEIGHTS + len(WEIGHT_NAMES) + 1)  # fmt: skip

DOU_DIZHU: Final[Habits] = {
    "single": -112, "single_rise": 8, "pair": -112, "pair_rise": 9, "trio": -112, "trio_rise": 9, "run": -80,
    "run_rise": 4, "two": 13, "small": 20, "big": 30, "bomb": 55, "bomb_rise": 2, "joker_bomb": 110, "bomb_step": 30,
    "lead": 18, "lead_last": 121, "lead_two": 103, "danger": 201, "danger_near": -40, "help": 51, "friend": -60,
    "friend_near": -46, "friend_holds": -60, "friend_blocks": 40, "probable": -30, "myself": -80, "foe": 22,
    "foe_near": 40, "foe_last": 246, "closing": 400, "reveal": -40, "ending_cards": 20, "ending_positions": 500,
}  # fmt: skip
SHUANGKOU: Final[Habits] = {
    "single": -160, "single_rise": 8, "pair": -112, "pair_rise": 8, "trio": -112, "trio_rise": 11, "run": -95,
    "run_rise": 4, "two": 34, "small": 45, "big": 60, "bomb": 30, "bomb_rise": 3, "joker_bomb": 100, "bomb_step": 30,
    "lead": 60, "lead_last": 110, "lead_two": 80, "danger": 90, "danger_near": -40, "help": 40, "friend": -110,
    "friend_near": -80, "friend_holds": -60, "friend_blocks": 0, "probable": -30, "myself": -104, "foe": 0,
    "foe_near": 40, "foe_last": 100, "closing": 400, "reveal": -40, "ending_cards": 0, "ending_positions": 500,
}  # fmt: skip
BAOHUANG: Final[Habits] = {
    "set": -175, "set_rise": 10, "set_size": 12, "two": 40, "small": 60, "big": 60, "bomb_step": 30, "lead": 32,
    "lead_last": 60, "lead_two": 52, "danger": 150, "danger_near": -12, "help": 43, "friend": -130,
    "friend_near": -151, "friend_holds": -60, "friend_blocks": 0, "probable": -30, "myself": -34, "foe": 0,
    "foe_near": 40, "foe_last": 100, "closing": 400, "reveal": -60, "ending_cards": 0, "ending_positions": 1000,
}  # fmt: skip


@functools.cache
def habits_of(terms: Terms) -> Vector:
    """Return the habits of a game as the kernels read them; nobody writes to it."""
    if terms.sets:
        return habits_vector(terms, BAOHUANG)
    return habits_vector(terms, SHUANGKOU if terms.scoring == scoring.TEAMS else DOU_DIZHU)


def habits_vector(terms: Terms, habits: Habits) -> Vector:
    """Return habits as the kernels read them: values of groups, chances, then the weights."""
    vector = np.zeros(HABITS, np.int64)
    for place, value in _values(terms, habits):
        vector[place] = value
    vector[ODDS:WEIGHTS] = _odds().ravel()
    vector[WEIGHTS:] = [habits[name] for name in WEIGHT_NAMES]
    return vector


def _values(terms: Terms, habits: Habits) -> list[tuple[int, int]]:
    """Return the value of each group at its place: rows by kind, or for sets by the number of equal cards."""
    extra = {kernel.TWO: habits["two"], kernel.SMALL: habits["small"], kernel.BIG: habits["big"]}
    found = []
    if terms.sets:
        for count in range(1, WIDEST + 1):
            for rank in range(kernel.TWO + 1):
                value = habits["set"] + habits["set_rise"] * rank + habits["set_size"] * (count - 1)
                found.append((ROW * count + rank, value + extra.get(rank, 0)))
            found += [(ROW * count + rank, count * extra[rank]) for rank in (kernel.SMALL, kernel.BIG)]
        return found
    for rank in range(kernel.RANKS):
        for kind, name in ((kernel.SINGLE, "single"), (kernel.PAIR, "pair"), (kernel.TRIO, "trio")):
            pieces = 1 if rank <= kernel.TWO or kind == kernel.SINGLE else kind
            width = kind // pieces
            value = habits[name if width == kind else "single"] + habits[f"{name}_rise"] * rank
            found.append((ROW * kind + rank, pieces * (value + extra.get(rank, 0))))
        for kind in (kernel.STRAIGHT, kernel.PAIR_STRAIGHT, kernel.TRIO_STRAIGHT):
            found.append((ROW * kind + rank, habits["run"] + habits["run_rise"] * rank))
        found.append((ROW * kernel.BOMB + rank, habits["bomb"] + habits["bomb_rise"] * rank))
    return [*found, (ROW * kernel.JOKER_BOMB + kernel.BIG, habits["joker_bomb"])]


@functools.cache
def _odds() -> Vector:
    """Return the chances, of `CERTAIN`, that of so many cards so many or more are in a share of the cards unseen."""
    odds = np.zeros((_WIDE, WIDEST + 1, SHARES + 1), np.int64)
    for width in range(_WIDE):
        for cards in range(WIDEST + 1):
            for share in range(SHARES + 1):
                chance = share / SHARES
                odds[width, cards, share] = round(
                    CERTAIN
                    * sum(
                        math.comb(cards, count) * chance**count * (1 - chance) ** (cards - count)
                        for count in range(width, cards + 1)
                    )
                )
    return odds


@inlined
def odds_of(habits: Vector, width: int, cards: int, share: int) -> int:
    """Return the chance, of `CERTAIN`, that so many sixteenths of the unseen cards have `width` of these `cards`."""
    if width >= _WIDE:
        return 0
    return int(habits[ODDS + (width * (WIDEST + 1) + cards) * (SHARES + 1) + share])

"""Deals of the climbing games at the first lead, and as the search's kernels read them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action, ApplyForLead, Pass, PlayCards
from junto.games.catalog import open_game
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.pick import cards_of
from junto.games.climbing.ranks import parse_ranks
from junto.games.climbing.scoring import DECLARER
from junto.games.climbing.terms import Terms
from junto.games.options import OptionValue
from junto.games.view import Phase
from junto.search.climbing.state import APPLY, PASS, STAKES_AT, STATE, begin

from ....games.playing import first_deal, random_action  # noqa: TID252  # tests are no package

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

GAMES: list[tuple[str, dict[str, OptionValue]]] = [
    ("dou-dizhu", {}),
    ("dou-dizhu", {"kicker_rule": "distinct", "bomb_factor": "count", "multiplier_cap": 4}),
    ("shuangkou", {}),
    ("shuangkou", {"joker_pairs": True, "early_end": True, "zero_sum": True}),
    ("baohuang", {}),
    ("baohuang", {"jiefeng": "auto_next", "payout": "shares", "pure_jokers": "last_only"}),
    ("baohuang", {"preset": "shandong_street"}),
]


def deal_to_play(game_id: str, options: Mapping[str, OptionValue], seed: int) -> ClimbingDeal:
    """Return a deal at its first lead, after random decisions."""
    game, random = open_game(game_id, options), Random(seed)
    while True:
        deal = first_deal(game, random).deal
        while not deal.is_over and deal.phase is not Phase.PLAY:
            deal = deal.apply(random_action(deal, random)).deal
        if not deal.is_over:
            assert isinstance(deal, ClimbingDeal)
            return deal


def as_action(deal: ClimbingDeal, action: int) -> Action:
    """Return an action of the kernels as the deal has it."""
    if action == PASS:
        return Pass()
    return ApplyForLead() if action == APPLY else PlayCards(cards_of(action, deal.hand, deal.named))


def position(terms: Terms, hands: list[str], leader: int, declarer: int = NOBODY) -> tuple[Vector, Matrix]:
    """Return the state and the hands of a deal in which these cards are left, written by rank."""
    state, counts = np.zeros(STATE, np.int64), np.array([parse_ranks(hand) for hand in hands])
    begin(terms.vector, state, counts, leader)
    state[STAKES_AT + DECLARER] = declarer
    return state, counts

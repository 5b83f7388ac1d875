"""Deals of the climbing games at their first lead, as the search's kernels read them: to measure and to test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.standing import stakes_of as court_stakes
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame, round_of
from junto.games.climbing.ranks import counts_of, rank_of_card
from junto.games.climbing.scoring import DECLARER, PARTNER, STAKES
from junto.games.core import Deal
from junto.games.dou_dizhu import stakes_of as landlord_stakes
from junto.games.shuffle import DealSeed
from junto.games.view import Alliance, Phase
from junto.search.climbing.state import ALL_KNOW, COPIES, NAMED_RANK, STAKES_AT, STATE, begin
from junto.search.climbing.strategy import GreedyClimbing
from junto.search.decisions import Budget

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Decide = Callable[[Deal], Action]


def by_rule_of_thumb(deal: Deal) -> Action:
    """Return what `greedy` does."""
    assert deal.to_act is not None
    return GreedyClimbing().decide(deal.view(deal.to_act), Budget(iterations=1)).action


def deals_to_play(game: ClimbingGame, number: int, first: int, decide: Decide = by_rule_of_thumb) -> list[ClimbingDeal]:
    """Return so many deals at their first lead, from the deal of number `first` on; void ones are left out."""
    found: list[ClimbingDeal] = []
    while len(found) < number:
        seed = DealSeed(np.random.default_rng(first).bytes(32), (b"",) * game.seats)
        first += 1
        deal = game.deal(game.new_match().opened(), seed).deal
        while not deal.is_over and deal.phase is not Phase.PLAY:
            deal = deal.apply(decide(deal)).deal
        if not deal.is_over:
            assert isinstance(deal, ClimbingDeal)
            found.append(deal)
    return found


def as_numbers(deal: ClimbingDeal) -> tuple[Vector, Matrix]:
    """Return the state and the hands of a deal at its first lead."""
    game = deal.game
    assert isinstance(game, ClimbingGame)
    state, hands = np.zeros(STATE, np.int64), np.array([counts_of(hand) for hand in deal.hands])
    begin(game.terms.vector, state, hands, round_of(deal.shared).leader)
    stakes = np.zeros(STAKES, np.int64)
    stakes[DECLARER] = stakes[PARTNER] = NOBODY
    if deal.shared.contract is not None:
        stakes = landlord_stakes(deal.climbing, deal.shared.contract)
    if isinstance(deal, BaohuangDeal):
        assert deal.alliance is not None
        assert deal.named is not None
        stakes = court_stakes(deal.emperor, deal.guard, deal.alliance)
        state[NAMED_RANK] = rank_of_card(deal.named)
        state[ALL_KNOW] = deal.alliance is Alliance.OPEN_SOLO
        for seat, hand in enumerate(deal.hands):
            state[COPIES + seat] = hand.count(deal.named)
    state[STAKES_AT : STAKES_AT + STAKES] = stakes
    return state, hands


def tables(deals: list[ClimbingDeal]) -> tuple[Matrix, Matrix]:
    """Return the states and the hands of deals."""
    pairs = [as_numbers(deal) for deal in deals]
    return np.array([state for state, _ in pairs]), np.array([hands for _, hands in pairs])

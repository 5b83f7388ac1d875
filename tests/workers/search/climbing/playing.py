"""Deals that the rules of thumb have played for a while."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import counts_of
from junto.games.options import OptionValue
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.openings import by_rule_of_thumb
from junto.search.climbing.worlds import COPIES_AT, ROW, Table

from .begun import deal_to_play


def after_rules_of_thumb(game_id: str, options: Mapping[str, OptionValue], seed: int, plays: int) -> ClimbingDeal:
    """Return a deal that is not over after so many decisions by the rules of thumb, from a random start."""
    while True:
        deal, left = deal_to_play(game_id, options, seed), plays
        while left and not deal.is_over:
            deal, left = deal.apply(by_rule_of_thumb(deal)).deal, left - 1  # type: ignore[assignment]
        if not deal.is_over:
            return deal
        seed += 1000


def true_world(deal: ClimbingDeal, known: Knowledge) -> Table:
    """Return a table of one world: the deal's own."""
    table = np.zeros((1, len(known.sizes), ROW), np.int8)
    for seat, hand in enumerate(deal.hands):
        table[0, seat, :COPIES_AT] = counts_of(hand)
        table[0, seat, COPIES_AT] = 0 if known.named is None else hand.count(known.named)
    return table

"""People who play anything that is legal."""

from __future__ import annotations

import random

import pytest

from junto.games.catalog import GAMES
from junto.games.core import DealSeed
from junto.load.human import choose
from junto.wire.actions import read_action
from junto.wire.cards import write_cards
from junto.wire.prompts import write_prompt


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_prompt_has_a_legal_answer(name: str) -> None:
    """In every game whole deals are played by the prompts alone, and the rules refuse nothing."""
    game, draw = GAMES[name](), random.Random(name)
    for number in range(3):
        match = game.new_match().opened()
        deal = game.deal(match, DealSeed(bytes([number]) * 32, (b"",) * game.seats)).deal
        while (prompt := deal.prompt) is not None:
            hand = write_cards(deal.view(prompt.seat).own.hand)
            action = choose(write_prompt(prompt, 1, None, deal.default_action()), hand, draw)
            deal = deal.apply(read_action(action)).deal
        assert deal.shared.result is not None

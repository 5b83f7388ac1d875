"""Combinations of climbing games as messages."""

from __future__ import annotations

import pytest

from junto.games.climbing import moves
from junto.games.climbing.combination import Combination
from junto.games.climbing.ranks import parse_ranks
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms
from junto.wire.combinations import read_combination, write_combination

HANDS = [
    (DOU_DIZHU, "3334445566777799TJQKA22BR"),
    (SHUANGKOU, "33334445556677778899TJQKA2BBRR"),
    (BAOHUANG, "33334445556677778899TJQKA2BBRR"),
    (BAOHUANG_STREET, "33334445556677778899TJQKA22BBRR"),
]


@pytest.mark.parametrize(("terms", "hand"), HANDS, ids=["dou-dizhu", "shuangkou", "baohuang", "street"])
def test_a_combination_comes_back_as_it_was(terms: Terms, hand: str) -> None:
    """Every play of a rich hand, jokers alone too, is the same combination after it was a message."""
    plays = [Combination(play) for play in moves.plays_of(terms.vector, parse_ranks(hand)).tolist()]

    assert plays
    assert [read_combination(write_combination(play)) for play in plays] == plays

"""What a combination says of the play that it is."""

from __future__ import annotations

import pytest

from junto.games.climbing import moves
from junto.games.climbing.combination import Combination
from junto.games.climbing.ranks import RANKS, parse_ranks

from .hands import RULES, counts_of_play


@pytest.mark.parametrize("rules", RULES)
def test_its_ranks_are_those_of_its_cards(rules: str) -> None:
    """Every play of a rich hand says as many of each rank as the kernel takes out of the hand for it."""
    plays = moves.plays_of(RULES[rules].vector, parse_ranks("33334445556677778899TJQKA22BBRR")).tolist()

    assert plays
    for play in plays:
        ranks = Combination(play).ranks
        assert tuple(map(ranks.count, range(len(RANKS)))) == counts_of_play(play)


@pytest.mark.parametrize(
    ("rules", "cards"),
    [
        ("dou-dizhu", "44455537"),
        ("dou-dizhu", "66663399"),
        ("dou-dizhu", "7774"),
        ("dou-dizhu", "777B"),
        ("dou-dizhu", "BR"),
        ("shuangkou", "BBRR"),
        ("baohuang", "999BR"),
        ("baohuang", "BBR"),
    ],
)
def test_its_main_group_comes_first(rules: str, cards: str) -> None:
    """Then what it carries, low to high; jokers among themselves are the main group."""
    terms = RULES[rules]
    counts = parse_ranks(cards)
    play = next(one for one in moves.plays_of(terms.vector, counts).tolist() if counts_of_play(one) == tuple(counts))

    assert "".join(RANKS[rank] for rank in Combination(play).ranks) == cards

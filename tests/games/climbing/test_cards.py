"""Ranks and cards of the climbing games: their texts, and which cards go with a play."""

from __future__ import annotations

import pytest

from junto.games.cards import PACK, card_text, parse_card, parse_cards
from junto.games.climbing import kernel, moves
from junto.games.climbing.pick import CardsMissing, cards_of
from junto.games.climbing.ranks import RANKS, RankError, counts_of, parse_ranks, rank_of_card, ranks_text
from junto.games.climbing.terms import BAOHUANG


def test_ranks_go_from_the_three_to_the_big_joker() -> None:
    """Each card has the rank that its text says, in the climbing games' order."""
    for card in range(PACK):
        text = card_text(card)
        assert RANKS[rank_of_card(card)] == (text[0] if text in {"BJ", "RJ"} else text[1])


def test_counts_are_written_low_to_high() -> None:
    """A text of ranks in any order is counted, and written in order."""
    assert ranks_text(parse_ranks("R2A33B3T")) == "333TA2BR"
    assert ranks_text(counts_of(parse_cards("S3 S3 RJ H2"))) == "332R"


def test_a_text_that_names_no_rank_is_refused() -> None:
    """The letter that is no rank is named."""
    with pytest.raises(RankError, match="'1' is not a rank"):
        parse_ranks("10")


def test_the_lowest_suits_go_first() -> None:
    """Clubs before diamonds, hearts and spades, where the rules leave it free."""
    hand = parse_cards("S9 H9 D9 C9 RJ S3")
    play = kernel.classify(BAOHUANG.vector, parse_ranks("999R"))
    assert cards_of(play, hand) == parse_cards("C9 D9 H9 RJ")


def test_named_cards_go_as_many_as_the_play_says() -> None:
    """The same ranks with none, one or two of the named card; the hand's other cards make up the rest."""
    hand, named = parse_cards("C9 C9 H9 S9"), parse_card("C9")
    plays = moves.named_plays_of(BAOHUANG.vector, counts_of(hand), rank_of_card(named), 2)
    pairs = {
        kernel.named_of(play): cards_of(play, hand, named)
        for play in plays.tolist()
        if play & 15 and kernel.size_of(play) == 2
    }
    assert pairs == {0: parse_cards("H9 S9"), 1: parse_cards("C9 H9"), 2: parse_cards("C9 C9")}


@pytest.mark.parametrize(("hand", "named"), [("S9 H3", None), ("S9 H9", "C9")])
def test_cards_that_a_hand_has_not_are_missed(hand: str, named: str | None) -> None:
    """A hand short of a rank, or of the named card, is refused."""
    play = kernel.classify(BAOHUANG.vector, parse_ranks("99"))
    chosen = None if named is None else parse_card(named)
    with pytest.raises(CardsMissing):
        cards_of(kernel.with_named(play, 1 if named else 0), parse_cards(hand), chosen)

"""Sets of cards as bits."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from junto.games.tricks.bits import count_cards, highest_card, lowest_card, nth_card

HANDS = st.sets(st.integers(0, 53), min_size=1)


@settings(deadline=None)  # the first call compiles
@given(HANDS)
def test_the_compiled_operations_say_what_sets_of_cards_say(cards: set[int]) -> None:
    """Counting, and the lowest, the highest and the n-th card of any set."""
    mask = sum(1 << card for card in cards)
    assert len(cards) == count_cards(mask)
    assert min(cards) == lowest_card(mask)
    assert max(cards) == highest_card(mask)
    assert sorted(cards) == [nth_card(mask, number) for number in range(len(cards))]

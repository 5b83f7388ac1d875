"""The offer of Baohuang: who is asked, and what those who decline put into the pot."""

from __future__ import annotations

import pytest

from junto.games.baohuang.offer import Offering, must_accept
from junto.games.cards import Card, card_text

from .hands import hand


def given_by(offering: Offering, declined: int, *cards: str) -> str | None:
    card = offering.contribution(declined, hand(*cards))
    return None if card is None else card_text(card)


@pytest.mark.parametrize("first", range(5))
def test_it_goes_clockwise_and_the_first_is_asked_again(first: int) -> None:
    """Each seat is asked once, from a number to the one before it, then the first again, and nobody after that."""
    offering = Offering(first)
    asked = [offering.candidate(declined) for declined in range(7)]
    assert asked == [first, (first - 1) % 5, (first - 2) % 5, (first - 3) % 5, (first - 4) % 5, first, None]


def test_who_declines_adds_a_two_of_the_lowest_suit() -> None:
    """Clubs are the lowest, spades the highest; a seat without a two adds nothing, however many jokers it has."""
    assert given_by(Offering(0), 1, "S2", "D2", "H2", "S9") == "D2"
    assert given_by(Offering(0), 4, "S2", "D2", "C2", "C2") == "C2"
    assert given_by(Offering(0), 2, "B", "R", "S9", "SA") is None


def test_the_first_passes_the_pot_on_as_it_is() -> None:
    """He adds nothing, neither at first nor when he is asked again."""
    assert given_by(Offering(3), 0, "S2", "D2") is None
    assert given_by(Offering(3), 5, "S2", "D2") is None


@pytest.mark.parametrize(
    ("cards", "best"), [(["C2", "B", "R"], "RJ"), (["C2", "B"], "BJ"), (["C2", "S2"], "C2"), (["S9"], None)]
)
def test_on_the_street_the_previous_emperor_adds_his_best(cards: list[str], best: str | None) -> None:
    """The big joker before the small one before a two; and only once."""
    assert given_by(Offering(2, street=True, previous_emperor=2), 0, *cards) == best
    assert given_by(Offering(2, street=True, previous_emperor=2), 5, *cards) is None


@pytest.mark.parametrize("declined", range(5))
@pytest.mark.parametrize(
    ("cards", "least"), [(["S2", "B", "R"], "S2"), (["B", "R"], "BJ"), (["R", "SA"], "RJ"), (["S9"], None)]
)
def test_on_the_street_others_add_their_least(declined: int, cards: list[str], least: str | None) -> None:
    """A two before a small joker before a big one; so does who is asked first in a match's first deal."""
    assert given_by(Offering(2, street=True), declined, *cards) == least
    if declined:
        assert given_by(Offering(2, street=True, previous_emperor=2), declined, *cards) == least


def test_twos_are_chosen_whatever_the_order_of_the_hand() -> None:
    """What is given does not depend on how the cards lie in the hand."""
    cards: list[Card] = hand("H2", "S2", "D2", "D2", "B")
    assert {Offering(0).contribution(1, order) for order in (cards, cards[::-1], sorted(cards))} == set(hand("D2"))


def test_after_so_many_void_deals_somebody_must_accept() -> None:
    """With three at most, the fourth deal cannot be declined by who qualifies."""
    assert [must_accept(voids, 3) for voids in range(5)] == [False, False, False, True, True]

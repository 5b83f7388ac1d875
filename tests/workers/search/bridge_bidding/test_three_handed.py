"""Bidding for three: what the pile tells, and calls that are worth the most."""

from __future__ import annotations

import pytest

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid
from junto.games.cards import Card, parse_card
from junto.search.bridge_bidding.holding import holding_of
from junto.search.bridge_bidding.three_handed import expected_tricks, propose, see_pile

from .writing import read_hand


def row_of(text: str) -> list[Card | None]:
    """Return a row from its cards, `-` for one that lies face down."""
    return [None if word == "-" else parse_card(word) for word in text.split()]


ROW = row_of("SQ - S4 - H7 - - D9 - - - C8 C3")
"""Known are SQ (open), S4, H7, D9, C8, C3."""
OPEN = parse_card("SQ")
STRONG = read_hand("AK9752.A3.KQ4.Q2")
WEAK = read_hand("T9732.J83.T4.964")


def test_all_points_of_the_pile_are_known() -> None:
    """The three reports and the open card make the pile's points."""
    assert see_pile(STRONG, ROW, OPEN, [3, 0, 5]).points == 10


def test_the_row_tells_of_lengths() -> None:
    """A blank between two spades is a spade; one between hearts and diamonds may be either, and all are thirteen."""
    lengths = see_pile(STRONG, ROW, OPEN, [3, 0, 5]).lengths

    assert lengths[0] >= 3
    assert lengths[3] >= 2
    assert sum(lengths) == pytest.approx(13)


def test_more_points_and_trumps_take_more_tricks() -> None:
    """A point, a trump here and a trump in the pile each raise what is expected."""
    pile, better = see_pile(STRONG, ROW, OPEN, [3, 0, 5]), see_pile(STRONG, ROW, OPEN, [3, 3, 5])
    strong, weak = holding_of(STRONG), holding_of(WEAK)

    assert expected_tricks(strong, better, 4) > expected_tricks(strong, pile, 4) > expected_tricks(weak, pile, 4)
    assert expected_tricks(strong, pile, 0) > expected_tricks(strong, pile, 3)


@pytest.mark.parametrize(
    ("hand", "reports", "calls", "call"),
    [
        (STRONG, [2, 0, 1], [], Bid(4, 0)),
        (WEAK, [1, 0, 1], [], Pass()),
        (STRONG, [2, 0, 1], [Bid(2, 1), Pass()], Bid(4, 0)),
        (STRONG, [0, 0, 0], [Bid(6, 1), Pass()], DoubleBid()),
        (STRONG, [3, 0, 5], [Bid(4, 0), DoubleBid(), Pass()], RedoubleBid()),
        (WEAK, [1, 0, 1], [Bid(4, 0), DoubleBid(), Pass()], Pass()),
    ],
)
def test_a_hand_is_bid_for_what_it_is_worth(hand: int, reports: list[int], calls: list[Action], call: Action) -> None:
    """Games with the values, nothing without, doubles of what cannot be made, redoubles of what can."""
    assert propose(hand, ROW, OPEN, reports, calls).call == call


def test_without_doubles_nobody_doubles() -> None:
    """Under the option without doubles the call is a bid or a pass."""
    made = propose(STRONG, ROW, OPEN, [0, 0, 0], [Bid(6, 1), Pass()], doubles=False)

    assert isinstance(made.call, Bid | Pass)
    assert made.meaning.sentence

"""Tribute: who pays how much to whom, by the last deal's result."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random

import pytest

from junto.games.baohuang.tribute import Owed, hands_after, tributes_of
from junto.games.cards import card_text
from junto.games.view import Alliance, Clearing, Tribute

from .hands import hand, ranked, ranks_of

PARTNER, HIDDEN, OPEN = Alliance.PARTNER, Alliance.HIDDEN_SOLO, Alliance.OPEN_SOLO


def moves(owed: Owed, *hands: str) -> list[tuple[int, int, str]]:
    tributes = tributes_of(owed, [ranked(cards) for cards in hands])
    return [(tribute.from_seat, tribute.to_seat, ranks_of([tribute.card])) for tribute in tributes]


def test_rebels_who_lost_pay_one_each() -> None:
    """The guard takes the middle card, the emperor the highest and the lowest."""
    owed = Owed(0, 3, PARTNER, (0, 3, 1, 2, 4), 1)
    assert moves(owed, "359", "35A2", "4R7", "48", "6B2") == [(2, 0, "R"), (4, 3, "B"), (1, 0, "2")]


def test_an_emperor_who_lost_pays_two_and_his_guard_one() -> None:
    """Rebels take in the order in which they went out, the highest card first."""
    owed = Owed(0, 3, PARTNER, (4, 2, 1, 3, 0), -1)
    assert moves(owed, "35R2", "35A", "47", "48K", "6J") == [(0, 4, "R"), (0, 2, "2"), (3, 1, "K")]


@pytest.mark.parametrize(("alliance", "each"), [(HIDDEN, 1), (OPEN, 2)])
def test_a_solo_takes_or_pays_all(alliance: Alliance, each: int) -> None:
    """One card of each rebel, two in an open solo, to the emperor; or as many from him, in turn."""
    hands = ["34567892JQ", "3A", "3K", "3Q", "3J"]
    won = moves(Owed(0, None, alliance, (0, 1, 2, 3, 4), 1), *hands)
    assert Counter(payer for payer, _, _ in won) == dict.fromkeys((1, 2, 3, 4), each)
    assert {taker for _, taker, _ in won} == {0}
    lost = moves(Owed(0, None, alliance, (3, 2, 1, 0, 4), -1), *hands)
    assert [taker for _, taker, _ in lost] == [3, 2, 1, 4] * each
    assert "".join(rank for _, _, rank in lost) == "2QJ98765"[: 4 * each]


def test_a_draw_owes_nothing() -> None:
    """Nobody won."""
    assert moves(Owed(2, 4, PARTNER, (2, 0, 1, 3, 4), 0), "3", "4", "5", "6", "7") == []


def test_among_equal_ranks_the_earlier_out_pays_first() -> None:
    """And of one hand the lowest suit goes first."""
    owed = Owed(0, 3, PARTNER, (0, 3, 4, 2, 1), 1)
    assert moves(owed, "3", "52", "62", "4", "72") == [(4, 0, "2"), (2, 3, "2"), (1, 0, "2")]
    paid = tributes_of(Owed(0, None, OPEN, (0, 1, 2, 3, 4), 1), [[], hand("S2", "D2", "H2"), [], [], []])
    assert [card_text(tribute.card) for tribute in paid] == ["D2", "H2"]


def test_all_is_computed_from_the_fresh_hands() -> None:
    """What a seat takes it cannot pay on in the same deal."""
    owed = Owed(0, 3, PARTNER, (1, 2, 4, 3, 0), -1)
    assert moves(owed, "R4", "3", "3", "5", "3") == [(0, 1, "R"), (3, 2, "5"), (0, 4, "4")]


def test_cleared_seats_pay_after_the_rest_in_order() -> None:
    """Each its best card then, also one that it has just taken; also after a draw."""
    cleared = (Clearing(1, 4), Clearing(4, 2))
    drawn = Owed(0, 3, PARTNER, (0, 1, 2, 4, 3), 0, cleared)
    assert moves(drawn, "35", "47R2", "8", "9", "A") == [(1, 4, "R"), (4, 2, "R")]
    won = Owed(0, 3, PARTNER, (0, 3, 1, 2, 4), 1, (Clearing(3, 1),))
    assert moves(won, "3", "4Q", "4K", "45", "4A") == [(4, 0, "A"), (2, 3, "K"), (1, 0, "Q"), (3, 1, "K")]


def test_no_card_is_lost() -> None:
    """Whoever won, the hands afterwards have the same cards as before, moved as the tributes say."""
    for number in range(200):
        rng = Random(number)
        order = tuple(rng.sample(range(5), 5))
        emperor, guard = rng.sample(range(5), 2)
        alliance = rng.choice((PARTNER, HIDDEN, OPEN))
        cleared = tuple(Clearing(*rng.sample(range(5), 2)) for _ in range(rng.randrange(3)))
        owed = Owed(emperor, guard if alliance is PARTNER else None, alliance, order, rng.randint(-1, 1), cleared)
        pack = [card for card in range(54) for _ in range(4)]
        rng.shuffle(pack)
        hands = [pack[seat * 43 : seat * 43 + 43] for seat in range(5)]
        tributes = tributes_of(owed, hands)
        after = hands_after(hands, tributes)
        assert Counter(chain(*after)) == Counter(chain(*hands))
        regular = len(tributes) - len(cleared)
        assert regular == (0 if not owed.won else {PARTNER: 3, HIDDEN: 4, OPEN: 8}[alliance])
        assert all(isinstance(tribute, Tribute) for tribute in tributes)

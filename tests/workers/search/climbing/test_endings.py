"""Endings of climbing games solved exactly: as by looking at everything, and as players know them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from junto.games.climbing.course import NEXT, NOBODY, PARTNERS_OUT
from junto.games.climbing.moves import plays_of
from junto.games.climbing.scoring import BID, DECLARER, DECLARER_PLAYS, LANDLORD, OTHER_PLAYS, PARTNER, TEAMS
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms
from junto.search.climbing.endings import UNSOLVED, side_of, solve, worth_to
from junto.search.climbing.habits import DOU_DIZHU as HABITS_OF_DOU_DIZHU
from junto.search.climbing.habits import ENDING_POSITIONS, habits_of, habits_vector
from junto.search.climbing.playouts import play_on
from junto.search.climbing.state import (
    APPLY,
    MOST_SEATS,
    PASS,
    STAKES_AT,
    STATE,
    TOP,
    TURN,
    act,
    begin,
    may_ask,
)
from junto.search.climbing.trials import new_desk

from .begun import Matrix, Vector, position

PLENTY = 1_000_000
GAMES = [
    DOU_DIZHU,
    replace(DOU_DIZHU, distinct_kickers=True, rocket_as_kickers=True),
    SHUANGKOU,
    replace(SHUANGKOU, ending=PARTNERS_OUT, joker_pairs=True, zero_sum=True),
    replace(SHUANGKOU, heir=NEXT),
    BAOHUANG,
    replace(BAOHUANG, heir=NEXT, shares=True, jokers_last=True),
    BAOHUANG_STREET,
]
NAMES = [
    "landlord", "landlord, other kickers", "teams", "teams, ending early", "teams, no heir", "court", "court, shares",
    "street",
]  # fmt: skip


def by_looking_at_all(terms: Terms, state: Vector, hands: Matrix, seat: int) -> int:
    """Return what a world is worth to a seat by minimax: no bounds, no memory, no order."""
    if state[TURN] == NOBODY:
        return int(worth_to(terms.vector, state, seat, np.zeros(MOST_SEATS, np.int64)))
    actions = plays_of(terms.vector, hands[state[TURN]], state[TOP]).tolist()
    actions += [PASS] if state[TOP] else []
    actions += [APPLY] if may_ask(terms.vector, state) else []
    values = []
    for action in actions:
        after, left = state.copy(), hands.copy()
        act(terms.vector, after, left, action)
        values.append(by_looking_at_all(terms, after, left, seat))
    ours = side_of(terms.vector, state, seat) >> int(state[TURN]) & 1
    return max(values) if ours else min(values)


def dealt(terms: Terms, random: Random, cards: int) -> tuple[Vector, Matrix]:
    """Return the state and the hands of a position with so many cards of few ranks, reached by a few random actions."""
    ranks = random.sample(range(15), random.randint(2, 6))
    pack = [rank for rank in ranks for _ in range(min(terms.pack[rank], 5))]
    random.shuffle(pack)
    hands = np.zeros((terms.seats, 15), np.int64)
    for number, rank in enumerate(pack[: max(cards, terms.seats)]):
        hands[number if number < terms.seats else random.randrange(terms.seats), rank] += 1
    state = np.zeros(STATE, np.int64)
    begin(terms.vector, state, hands, random.randrange(terms.seats))
    if terms.scoring != TEAMS:
        state[STAKES_AT + DECLARER], state[STAKES_AT + BID] = random.randrange(terms.seats), 1
    if terms.scoring not in {TEAMS, LANDLORD} and random.random() < 0.8:
        others = [seat for seat in range(terms.seats) if seat != state[STAKES_AT + DECLARER]]
        state[STAKES_AT + PARTNER] = random.choice(others)
    for _ in range(random.randint(0, 4)):
        if state[TURN] != NOBODY:
            actions = [*plays_of(terms.vector, hands[state[TURN]], state[TOP]).tolist(), *[PASS] * bool(state[TOP])]
            act(terms.vector, state, hands, random.choice(actions))
    return state, hands


@pytest.mark.parametrize("terms", GAMES, ids=NAMES)
def test_an_ending_is_worth_what_looking_at_everything_says(terms: Terms) -> None:
    """With all rules: bombs, kickers, who leads when a seat is out, who asks for the lead, places; nothing is changed.

    In Dou Dizhu it is only whether the landlord wins, at the stake that has been reached.
    """
    random, desk = Random(f"endings {terms}"), new_desk()
    for _ in range(12):
        state, hands = dealt(terms, random, 7)
        if state[TURN] == NOBODY:
            continue
        seat, before = random.randrange(terms.seats), (state.copy(), hands.copy())
        found = int(solve(terms.vector, state, hands, seat, PLENTY, desk))
        expected = by_looking_at_all(terms, state, hands, seat)
        assert (state == before[0]).all()
        assert (hands == before[1]).all()
        if terms.scoring == LANDLORD:
            assert (found > 0) == (expected > 0)
        else:
            assert found == expected


def test_a_playout_of_dou_dizhu_ends_in_what_the_ending_is_worth() -> None:
    """Once few cards are left it is not played on by the rules of thumb, which now and then lose what can be won."""
    random, desk, solved, otherwise = Random("playouts"), new_desk(), 0, 0
    solving, scores = habits_of(DOU_DIZHU), np.zeros(MOST_SEATS, np.int64)
    thumb = habits_vector(DOU_DIZHU, {**HABITS_OF_DOU_DIZHU, "ending_cards": 0})
    for _ in range(60):
        cards = random.sample([rank for rank in range(15) for _ in range(DOU_DIZHU.pack[rank])], 11)
        hands, state = np.zeros((3, 15), np.int64), np.zeros(STATE, np.int64)
        for number, rank in enumerate(cards):
            hands[number % 3, rank] += 1
        begin(DOU_DIZHU.vector, state, hands, random.randrange(3))
        state[STAKES_AT + DECLARER], state[STAKES_AT + BID] = random.randrange(3), 1
        seat = random.randrange(3)
        found = int(solve(DOU_DIZHU.vector, state, hands, seat, int(solving[ENDING_POSITIONS]), desk))
        if found == UNSOLVED:
            continue
        how = seat, 0, desk, np.ones(2, np.int64), scores
        assert play_on(DOU_DIZHU.vector, solving, state.copy(), hands.copy(), *how) == found
        by_thumb = play_on(DOU_DIZHU.vector, thumb, state, hands, *how)
        solved, otherwise = solved + 1, otherwise + ((by_thumb > 0) != (found > 0))
    assert solved > 20
    assert otherwise


def test_whoever_can_win_does() -> None:
    """The landlord with a three and the highest pair wins by leading the pair; the three first, and he loses."""
    state, hands = position(DOU_DIZHU, ["3QQ", "AK", "4566"], 0, 0)
    state[STAKES_AT + BID], state[STAKES_AT + OTHER_PLAYS], state[STAKES_AT + DECLARER_PLAYS] = 3, 2, 2
    assert solve(DOU_DIZHU.vector, state, hands, 0, PLENTY, new_desk()) == 6
    act(DOU_DIZHU.vector, state, hands, int(plays_of(DOU_DIZHU.vector, hands[0])[0]))
    assert solve(DOU_DIZHU.vector, state, hands, 0, PLENTY, new_desk()) == -6


def test_an_ending_that_takes_too_long_is_left() -> None:
    """After so many positions the search says so, and state and hands are as before."""
    state, hands = position(DOU_DIZHU, ["33445566789TJ", "33445566789", "77889TJQ"], 0, 0)
    before = state.copy(), hands.copy()
    assert solve(DOU_DIZHU.vector, state, hands, 0, 20, new_desk()) == UNSOLVED
    assert (state == before[0]).all()
    assert (hands == before[1]).all()

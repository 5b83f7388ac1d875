"""Who sits where: every strategy holds every place of every deal equally often."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.arena.entrants import Entrant
from junto.arena.plan import FIELD, Plan, places_of
from junto.arena.spec import Format, Spec
from junto.games.catalog import GAMES, open_game


def spec_of(game: str, entrants: int, at_a_table: int = 2, form: Format = Format.ROUND_ROBIN, seed: int = 1) -> Spec:
    names = tuple(Entrant(f"e{number}", "greedy") for number in range(entrants))
    return Spec(game, names, deals=10, seed=seed, format=form, at_a_table=at_a_table)


@given(
    game=st.sampled_from(sorted(GAMES)), entrants=st.integers(2, 6), together=st.integers(2, 5), deal=st.integers(0, 99)
)
def test_every_entrant_holds_every_seat_equally_often(game: str, entrants: int, together: int, deal: int) -> None:
    """Over the sittings of one deal each entrant sits in each seat the same number of times."""
    places = len(places_of(open_game(game, {})))
    plan = Plan(spec_of(game, entrants, min(together, entrants, places)))

    held = Counter((seat, entrant) for sitting in plan.of_deal(deal) for seat, entrant in enumerate(sitting.entrants))

    assert set(held.values()) == {plan.sittings_per_deal // entrants} if plan.spec.at_a_table == entrants else True
    assert len(set(held.values())) == 1
    assert len(held) == plan.game.seats * entrants
    assert len(plan.of_deal(deal)) == plan.sittings_per_deal
    assert tuple(plan.sitting(deal, number) for number in range(plan.sittings_per_deal)) == plan.of_deal(deal)


@given(entrants=st.integers(2, 5), deal=st.integers(0, 99))
def test_partners_for_good_play_the_same_strategy(entrants: int, deal: int) -> None:
    """In games of fixed partnerships both seats of a side are one entrant's, and the two sides are two entrants'."""
    for sitting in Plan(spec_of("bridge", entrants)).of_deal(deal):
        north, east, south, west = sitting.entrants
        assert north == south
        assert east == west
        assert north != east


@pytest.mark.parametrize("form", [Format.GAUNTLET, Format.LADDER])
def test_a_challenger_holds_each_place_once_among_the_field(form: Format) -> None:
    """The field plays the deal alone first; then each challenger is alone among it, once in each seat."""
    sittings = Plan(spec_of("napoleon-tw", 3, form=form)).of_deal(4)

    assert sittings[0].entrants == (FIELD,) * 5
    alone = Counter(
        (entrant, seat) for sitting in sittings[1:] for seat, entrant in enumerate(sitting.entrants) if entrant != FIELD
    )
    assert alone == Counter({(entrant, seat): 1 for entrant in (1, 2) for seat in range(5)})
    assert all(sitting.entrants.count(FIELD) == 4 for sitting in sittings[1:])


def test_neighbours_change_from_deal_to_deal_and_not_from_run_to_run() -> None:
    """Which entrants sit together is another thing in another deal, and the same in the same."""
    plan, again = (Plan(spec_of("napoleon-tw", 3, 3)) for _ in range(2))

    seatings = [plan.of_deal(deal) for deal in range(20)]

    assert seatings == [again.of_deal(deal) for deal in range(20)]
    assert len({sittings[0].entrants for sittings in seatings}) > 5

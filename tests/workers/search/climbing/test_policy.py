"""The rules of thumb of the climbing games: legal, blind to what a seat cannot know, and not foolish."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from junto.games.climbing.combination import Combination
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.kernel import classify, without_named
from junto.games.climbing.ranks import parse_ranks, ranks_text
from junto.games.climbing.scoring import PARTNER
from junto.games.climbing.terms import BAOHUANG, DOU_DIZHU, SHUANGKOU, Terms
from junto.games.options import OptionValue
from junto.search.climbing.habits import habits_of
from junto.search.climbing.openings import as_numbers
from junto.search.climbing.policy import choose
from junto.search.climbing.state import ALL_KNOW, APPLY, COPIES, NAMED_RANK, PASS, STAKES_AT, TURN, act
from junto.search.climbing.trials import new_desk

from .begun import GAMES, Matrix, Vector, as_action, deal_to_play, position

LANDLORD, AFTER_LANDLORD = 0, 1


def chosen(terms: Terms, state: Vector, hands: Matrix) -> str:
    """Return what the seat to act does: the ranks of its play, `pass` or `apply`."""
    action = int(choose(terms.vector, habits_of(terms), state, hands[state[TURN]], new_desk()))
    if action == PASS:
        return "pass"
    return "apply" if action == APPLY else ranks_text(np.bincount(Combination(action).ranks, minlength=15))


def play(terms: Terms, state: Vector, hands: Matrix, *plays: str) -> None:
    """Let the seats in turn play these cards, `pass` or `apply`."""
    for cards in plays:
        action = {"pass": PASS, "apply": APPLY}.get(cards)
        if action is None:
            action = int(classify(terms.vector, parse_ranks(cards)))
        act(terms.vector, state, hands, action)


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_the_rules_of_thumb_play_by_the_rules_and_on_what_a_seat_knows(
    game_id: str, options: Mapping[str, OptionValue]
) -> None:
    """Every action is legal, and the same when what its seat does not know is taken away: guard and others' copies."""
    for seed in range(3):
        deal = deal_to_play(game_id, options, seed)
        assert isinstance(deal.game, ClimbingGame)
        terms, (state, hands), desk = deal.game.terms, as_numbers(deal), new_desk()
        while state[TURN] != NOBODY:
            seat = int(state[TURN])
            action = int(choose(terms.vector, habits_of(terms), state, hands[seat], desk))
            known = state.copy()
            known[COPIES : COPIES + deal.game.seats] = 0
            known[COPIES + seat] = state[COPIES + seat]
            if not state[ALL_KNOW] and state[STAKES_AT + PARTNER] != seat:
                known[STAKES_AT + PARTNER] = NOBODY
            assert int(choose(terms.vector, habits_of(terms), known, hands[seat], new_desk())) == int(
                choose(terms.vector, habits_of(terms), state, hands[seat], new_desk())
            )
            done = as_action(deal, action)
            deal.check(done)
            deal = deal.apply(done).deal  # type: ignore[assignment]
            act(terms.vector, state, hands, action)


@pytest.mark.parametrize(
    ("terms", "hand"),
    [(DOU_DIZHU, "33344456"), (DOU_DIZHU, "444455"), (DOU_DIZHU, "BR"), (SHUANGKOU, "334455"), (BAOHUANG, "33BR")],
    ids=["plane", "four with two", "rocket", "run of pairs", "set"],
)
def test_a_hand_that_is_one_play_goes_out_at_once(terms: Terms, hand: str) -> None:
    """Whatever else could be led."""
    state, hands = position(terms, [hand, *["34567"] * (terms.seats - 1)], 0, 0)
    assert chosen(terms, state, hands) == hand


def test_a_hand_that_is_one_play_goes_out_over_a_friend() -> None:
    """To win is a reason to beat one's partner."""
    state, hands = position(DOU_DIZHU, ["34567", "389", "A"], AFTER_LANDLORD, LANDLORD)
    play(DOU_DIZHU, state, hands, "3")
    assert chosen(DOU_DIZHU, state, hands) == "A"


def test_a_peasant_leaves_his_partner_the_lead() -> None:
    """The other peasant's ace, which the landlord has passed on, is not beaten with a two."""
    state, hands = position(DOU_DIZHU, ["3456789TJQ", "AA3", "2356789JJ"], AFTER_LANDLORD, LANDLORD)
    play(DOU_DIZHU, state, hands, "A")
    assert chosen(DOU_DIZHU, state, hands) == "pass"


def test_a_peasant_beats_the_landlord_who_is_about_to_go_out() -> None:
    """With one card left the landlord would win with the lead."""
    state, hands = position(DOU_DIZHU, ["93", "A4567", "Q578"], LANDLORD, LANDLORD)
    play(DOU_DIZHU, state, hands, "9")
    assert chosen(DOU_DIZHU, state, hands) == "A"


def test_nothing_is_led_that_a_foe_with_one_card_could_go_out_on() -> None:
    """A pair is led rather than a lower single card."""
    state, hands = position(DOU_DIZHU, ["K", "3558", "46789"], AFTER_LANDLORD, LANDLORD)
    assert chosen(DOU_DIZHU, state, hands) == "55"


def test_with_nothing_but_single_cards_the_highest_is_led_to_a_foe_with_one_card() -> None:
    """The lowest would lose for sure."""
    state, hands = position(DOU_DIZHU, ["K", "358A", "46789"], AFTER_LANDLORD, LANDLORD)
    assert chosen(DOU_DIZHU, state, hands) == "A"


def test_low_cards_go_first_and_many_at_once() -> None:
    """A low straight is led before a pair of aces, and not one card of it."""
    state, hands = position(DOU_DIZHU, ["3456799QAA", "89TJQK45679TJQ22", "4455667788"], LANDLORD, LANDLORD)
    assert chosen(DOU_DIZHU, state, hands) == "34567"


def test_partners_of_shuangkou_do_not_beat_each_other() -> None:
    """A partner's pair of kings, which a foe has passed on, is left alone."""
    low = "34568TTJQ34568"
    state, hands = position(SHUANGKOU, ["KK" + low, low, "AA" + low, low], 0)
    play(SHUANGKOU, state, hands, "KK", "pass")
    assert chosen(SHUANGKOU, state, hands) == "pass"


def test_all_winners_are_led_before_the_last_loser() -> None:
    """With the rocket, a two that nothing unseen beats and a three, the three is the last to go."""
    state, hands = position(DOU_DIZHU, ["BR23", "456789TJQ", "456789TJQ"], LANDLORD, LANDLORD)
    assert chosen(DOU_DIZHU, state, hands) in {"2", "BR"}


def court(hands: list[str], leader: int, guard: int, copies: tuple[int, ...]) -> tuple[Vector, Matrix]:
    """Return a position of Baohuang in which seat 0 is emperor and has named a nine."""
    state, counts = position(BAOHUANG, hands, leader, 0)
    state[STAKES_AT + PARTNER], state[NAMED_RANK], state[ALL_KNOW] = guard, 6, 0
    state[COPIES : COPIES + 5] = copies
    return state, counts


def test_the_guard_keeps_the_named_card_as_long_as_he_can() -> None:
    """Of his three nines he plays the two that do not tell who he is."""
    state, hands = court(["99934567", "34567", "3456", "88", "9993TTJJQQKK"], 3, 4, (3, 0, 0, 0, 1))
    play(BAOHUANG, state, hands, "88")
    action = int(choose(BAOHUANG.vector, habits_of(BAOHUANG), state, hands[4], new_desk()))
    assert without_named(action) == action


def test_the_guard_leaves_his_emperor_the_lead() -> None:
    """He knows whose guard he is, though nobody else does; a rebel who has the same cards beats the emperor."""
    hands = ["99934KK", "AA334455667", "3456789", "3456789", "3456789"]
    for guard, expected in ((1, "pass"), (2, "AA")):
        state, counts = court(hands, 0, guard, (3, guard == 1, guard == 2, 0, 0))
        play(BAOHUANG, state, counts, "KK")
        assert chosen(BAOHUANG, state, counts) == expected


def test_who_needs_the_lead_asks_for_it() -> None:
    """When a foe has gone out with what nobody beats, the rebel who answers asks for the lead."""
    state, hands = court(["A", "3344", "3355667788", "4455667788", "3355667788"], 0, 3, (0, 0, 0, 0, 0))
    play(BAOHUANG, state, hands, "A")
    assert chosen(BAOHUANG, state, hands) == "apply"

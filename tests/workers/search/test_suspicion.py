"""Beliefs of every seat after every move, and the timeline that is made of them."""

from __future__ import annotations

from functools import cache
from math import log
from random import Random

import pytest
from tests.noninterference import pairs, steps_of

from junto.games.actions import Action, Play, PlayCards
from junto.games.catalog import GAMES, open_game
from junto.games.core import Deal
from junto.games.view import Outcome, Phase, Role
from junto.search.beliefs import beliefs_of, view_of
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.suspicion import Beliefs, NoSuspicion, Suspicion, Timeline, timeline

from ...games.playing import first_deal, random_action, random_game  # noqa: TID252 (tests are no package)

WORLDS = 32
ONCE = Budget(iterations=1, seed=1)
HIDDEN = ("napoleon-tw", "napoleon-4p", "napoleon-jp", "hundred", "baohuang")
"""Games in which a partner is hidden."""


def ask(deal: Deal, seat: int) -> Beliefs:
    return beliefs_of(view_of(deal, seat), WORLDS, 1)


@cache
def played(name: str, number: int = 1, players: int | None = None) -> tuple[list[Deal], list[Action]]:
    """Play a deal by the rules of thumb, the first from a number on that has a partner who is called."""
    while True:
        rng = Random(number)
        game = open_game(name, {} if players is None else {"players": players})
        deals, actions = [first_deal(game, rng).deal], list[Action]()
        while not deals[-1].is_over:
            seat = deals[-1].to_act
            assert seat is not None
            actions.append(greedy_strategy.decide(deals[-1].view(seat), ONCE).action)
            deals.append(deals[-1].apply(actions[-1]).deal)
        result = deals[-1].shared.result
        assert result is not None
        if any(share.role is Role.PARTNER for share in result.seats):
            return deals, actions
        number += 100


@cache
def line_of(name: str, players: int | None = None) -> Timeline:
    return timeline(*played(name, players=players), {}, ask)


every_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(f"suspicion in {name}")) for name in HIDDEN]
)
"""What is asked of a game's timeline stays in one process, which makes it once."""


@every_game
def test_chances_of_one_partner_add_up_to_one(name: str) -> None:
    """What a seat that has to guess gives to the others and to the declarer's being alone is 1 in all, at any time."""
    line = line_of(name)
    for moment in line.moments:
        for believed in moment.believed:
            assert believed is not None
            assert sum(believed.partner) + believed.alone == pytest.approx(1.0, abs=1e-6)
            assert believed.partner[line.declarer] == 0.0


def test_chances_of_two_secretaries_add_up_to_between_one_and_two() -> None:
    """With seven players two cards are called: one may have both, Napoleon may have one, or both."""
    line = line_of("napoleon-tw", 7)
    for moment in line.moments:
        for believed in moment.believed:
            assert believed is not None
            assert sum(believed.partner) <= 2.0 + 1e-6
            assert sum(believed.partner) + 2 * believed.alone >= 1.0 - 1e-6


@every_game
def test_who_holds_the_card_is_certain_from_the_start(name: str) -> None:
    """The partner knows himself and what he is not told; all the others have to guess, the declarer too."""
    line = line_of(name)
    (partner,) = line.partners
    assert set(line.guessing) == set(range(len(line.moments[0].believed))) - {partner}
    for moment in line.moments:
        own = moment.believed[partner]
        assert own is not None
        assert own.partner[partner] == 1.0
        assert sum(own.partner) == 1.0
        assert own.alone == 0.0


@every_game
def test_all_are_certain_once_the_card_is_shown(name: str) -> None:
    """From the play of the called card on, nobody has anything to guess."""
    deals, actions = played(name)
    line = line_of(name)
    assert line.certain is not None
    shared = deals[-1].shared
    telling = {called.card for called in shared.called} or {shared.details.named.card}  # type: ignore[union-attr]
    first = line.moments[0].number
    shown = next(
        number
        for number in range(first, len(actions))
        if isinstance(action := actions[number], Play | PlayCards)
        and telling & set(action.cards if isinstance(action, PlayCards) else (action.card,))
        and deals[number].to_act in line.partners
    )
    assert line.moments[line.certain].number <= shown + 1
    for moment in line.moments:
        if moment.number > shown:
            assert all(
                sorted(believed.partner) == [0.0] * (len(believed.partner) - 1) + [1.0]
                for believed in moment.believed
                if believed is not None
            )


@every_game
def test_the_move_that_gave_it_away_is_that_of_the_largest_rise(name: str) -> None:
    """Of the moves before it was certain, by which the odds doubled and the chance rose by a tenth, none rose more."""
    line = line_of(name)
    truth = [line.given_to_truth(moment) or 0.0 for moment in line.moments]
    telling = {
        number: moment.rise
        for number, moment in enumerate(line.moments[: line.certain])
        if moment.rise is not None and moment.rise >= log(2) and truth[number] - truth[number - 1] >= 0.1
    }
    assert line.gave_away == max(telling, key=lambda number: telling[number], default=None)


def test_a_timeline_is_repeatable() -> None:
    """The same deal, worlds and seed give the very same numbers."""
    again = timeline(*played("napoleon-tw"), {}, ask)
    assert line_of("napoleon-tw") == again


def test_what_a_bot_reported_is_taken_as_it_is() -> None:
    """A report stands for the moment at which its seat decided, in the place of what would be asked for."""
    deals, actions = played("napoleon-tw")
    first = next(number for number, deal in enumerate(deals) if deal.phase is Phase.PLAY)
    line = line_of("napoleon-tw")
    number = next(n for n in range(first, len(deals)) if deals[n].to_act in line.guessing)
    seat = deals[number].to_act
    assert seat is not None
    others = [other for other in range(5) if other not in (seat, line.declarer)]
    chances = {other: {Role.PARTNER: 0.25, Role.OPPONENT: 0.75} for other in others}
    told = timeline(deals, actions, {number: (chances, {})}, ask).moments[number - first].believed[seat]
    assert told is not None
    assert told.recorded
    assert [told.partner[other] for other in others] == [0.25] * 3


def test_without_asking_a_seat_believes_what_it_reported_last() -> None:
    """A client that only has the replay goes by the last report of each seat, and by what the table shows."""
    deals, actions = played("napoleon-tw")
    line = line_of("napoleon-tw")
    reported = {
        number: ask(deal, deal.to_act)
        for number, deal in enumerate(deals)
        if deal.phase is Phase.PLAY and deal.to_act is not None and number % 2
    }
    known = timeline(deals, actions, reported, None)
    assert known.certain is not None
    assert known.moments[known.certain].number == line.moments[line.certain or 0].number
    before: list[Suspicion | None] = [None] * 5
    for moment in known.moments[: known.certain]:
        for seat in known.guessing:
            if deals[moment.number].to_act == seat and moment.number in reported:
                assert moment.believed[seat] is not None
            else:
                one, last = moment.believed[seat], before[seat]
                assert (one is None) == (last is None)
                assert one is None or last is None or one.partner == last.partner
            before[seat] = moment.believed[seat]


@every_game
def test_beliefs_depend_on_the_own_view_alone(name: str) -> None:
    """Twin deals that differ only in cards that a seat cannot see give it the same numbers."""
    rng = Random(f"beliefs {name}")
    found = pairs(lambda rng: random_game(GAMES[name], rng), random_action, Phase.PLAY, 6, rng)
    others = 0
    for pair in found:
        one, other = (steps_of(pair, twin)[-1].deal for twin in (pair.first, pair.second))
        assert ask(one, pair.watcher) == ask(other, pair.watcher)
        others += pair.other_partner
    assert others or name != "napoleon-tw", "some twins have another partner"


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("bridge", {}, "no partner is hidden"),
        ("dou-dizhu", {}, "no partner is hidden"),
        ("napoleon-tw", {"players": 3}, "always plays alone"),
    ],
)
def test_a_game_without_a_hidden_partner_has_no_timeline(name: str, options: dict[str, int], why: str) -> None:
    """It is said why: partners are fixed, or the declarer always plays alone."""
    deal = first_deal(open_game(name, options), Random(1)).deal
    with pytest.raises(NoSuspicion, match=why):
        timeline([deal], [], {}, None)


def test_a_void_deal_has_no_timeline() -> None:
    """Everybody passed: nobody was called."""
    deals, actions = [first_deal(open_game("napoleon-tw"), Random(1)).deal], list[Action]()
    while not deals[-1].is_over:
        actions.append(deals[-1].default_action())
        deals.append(deals[-1].apply(actions[-1]).deal)
    result = deals[-1].shared.result
    assert result is not None
    assert result.outcome is Outcome.VOID
    with pytest.raises(NoSuspicion, match="ended before a partner was called"):
        timeline(deals, actions, {}, None)


def test_a_declarer_who_is_alone_can_be_found_out() -> None:
    """The truth is then that nobody is a partner: all but the declarer guess, and are certain at the end."""
    game = open_game("napoleon-tw")
    deals, actions = [first_deal(game, Random(3)).deal], list[Action]()
    while not deals[-1].is_over:
        deal = deals[-1]
        seat = deal.to_act
        assert seat is not None
        action = greedy_strategy.decide(deal.view(seat), ONCE).action
        if deal.phase is Phase.CALL:
            action = next(one for one in deal.legal_actions() if one.card in deal.owns[seat].hand)  # type: ignore[union-attr]
        actions.append(action)
        deals.append(deal.apply(action).deal)
    line = timeline(deals, actions, {}, ask)
    assert line.partners == ()
    assert line.declarer not in line.guessing
    assert len(line.guessing) == 4
    assert line.certain is not None
    assert line.given_to_truth(line.moments[line.certain]) == pytest.approx(1.0)
    assert all(0.0 <= (line.suspected(moment, None) or 0.0) <= 1.0 + 1e-6 for moment in line.moments)

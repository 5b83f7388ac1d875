"""A view that no seat has who has to decide is refused in words, before the search relies on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from junto.games.actions import Bid, Discard
from junto.games.catalog import GAMES, open_game
from junto.games.core import Deal, View
from junto.games.napoleon_jp import NapoleonJp
from junto.games.view import Choices, Phase, Role
from junto.search.beliefs import beliefs_of, view_of
from junto.search.checking import ImpossibleView, check_view
from junto.search.decisions import Budget, StrategyError
from junto.search.strategies import greedy_strategy, pimc_strategy

from ...games.playing import first_deal  # noqa: TID252 (tests are no package)

ONCE = Budget(iterations=1, seed=1)


def seen(deal: Deal) -> View:
    """Return the view of the seat that is to act."""
    assert deal.to_act is not None
    return deal.view(deal.to_act)


def after(game_id: str, decisions: int) -> View:
    """Return the view of who is to act after so many decisions by the rules of thumb."""
    deal = first_deal(open_game(game_id), Random(3)).deal
    for _ in range(decisions):
        deal = deal.apply(greedy_strategy.decide(seen(deal), ONCE).action).deal
    return seen(deal)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_view_of_a_deal_is_sound(game_id: str) -> None:
    """From the first decision to the last, whatever the phase."""
    deal = first_deal(open_game(game_id), Random(5)).deal
    while deal.to_act is not None:
        view = seen(deal)
        check_view(view)
        deal = deal.apply(greedy_strategy.decide(view, ONCE).action).deal


WRONG: dict[str, tuple[Callable[[View], View], str]] = {
    "over": (lambda view: replace(view, shared=replace(view.shared, phase=Phase.OVER)), "the deal is over"),
    "another seat": (lambda view: replace(view, prompt=replace(view.prompt, seat=20)), "seat 20 is asked"),
    "another view": (lambda view: replace(view, own=replace(view.own, seat=view.own.seat ^ 1)), "with the view of"),
    "no choice": (lambda view: replace(view, prompt=replace(view.prompt, choices=Choices())), "nothing that the seat"),
    "an empty hand": (lambda view: replace(view, own=replace(view.own, hand=())), "another number of cards"),
    "a hand less": (lambda view: replace(view, shared=replace(view.shared, hands=view.shared.hands[:-1])), "the hands"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("game_id", ["whist", "dou-dizhu", "napoleon-tw", "baohuang"])
def test_what_contradicts_itself_is_refused(game_id: str, name: str) -> None:
    """By every strategy, with what is wrong."""
    spoil, words = WRONG[name]
    view = spoil(after(game_id, 3))
    for strategy in (greedy_strategy, pimc_strategy):
        with pytest.raises(ImpossibleView, match=words):
            strategy.decide(view, ONCE)


def test_bids_that_do_not_rise_are_refused() -> None:
    """A bid of nothing among them would have an auction go on for ever."""
    view = after("hundred", 3)
    calls = tuple(replace(call, action=Bid(0)) for call in view.shared.calls)
    with pytest.raises(StrategyError, match="do not rise"):
        pimc_strategy.decide(replace(view, shared=replace(view.shared, calls=calls)), ONCE)


@pytest.mark.parametrize("time_s", [math.nan, math.inf, 1e300, 0.0, -1.0])
def test_a_budget_is_a_time_that_a_clock_can_count(time_s: float) -> None:
    """Nothing else is taken."""
    with pytest.raises(ValueError, match="time must be positive"):
        Budget(time_s=time_s)


def test_a_declarer_may_put_back_the_card_that_he_called() -> None:
    """In Japanese Napoleon it is called before the exchange: he knows where it is, and that he plays alone."""
    found = 0
    for seed in range(60):
        deal = first_deal(NapoleonJp({"players": 4}), Random(seed)).deal
        while not deal.is_over and deal.phase is not Phase.PLAY:
            view = seen(deal)
            action = greedy_strategy.decide(view, ONCE).action
            own = {called.card for called in view.shared.called} & set(view.own.hand)
            if isinstance(action, Discard) and own:
                action = Discard((*own, *[card for card in action.cards if card not in own][: len(action.cards) - 1]))
                found += 1
            deal = deal.apply(action).deal
        declarer = next((known.seat for known in deal.shared.roles if known.role is Role.DECLARER), None)
        put_back = deal.owns[declarer].put_back if declarer is not None else ()
        if not {called.card for called in deal.shared.called} & set(put_back):
            continue
        while not deal.is_over:
            view = seen(deal)
            decision = pimc_strategy.decide(view, Budget(iterations=2, seed=1))
            if deal.to_act == declarer:
                assert not decision.roles
                assert not decision.cards
                beliefs_of(view_of(deal, declarer), 8, 1)
            deal = deal.apply(decision.action).deal
        if found > 1:
            return
    pytest.fail("nobody could put it back")

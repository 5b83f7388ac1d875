"""A seat's events, views, prompts and refusals do not depend on cards that it cannot see."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.noninterference import Interference, Pair, Sees, compare, pairs, steps_of

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play
from junto.games.core import Step
from junto.games.events import CardsMoved, CardsShown, Seen, seen_by
from junto.games.napoleon import NapoleonDeal, NapoleonGame, call, exchange
from junto.games.napoleon_tw import NapoleonTw
from junto.games.tricks import play
from junto.games.tricks.phase import KITTY
from junto.games.view import NapoleonDetails, Phase

from .laws import refusal
from .playing import random_action, random_options

PAIRS = 50
PHASES = (Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.CALL, Phase.PLAY, Phase.OVER)
PROBES: tuple[Action, ...] = (
    Pass(),
    Bid(8),
    Bid(17),
    ChooseTrump(0),
    ChooseTrump(9),
    Discard(()),
    Discard(tuple(range(5))),
    *(CallCard(card) for card in range(0, 54, 7)),
    *(Play(card) for card in range(54)),
    *(Play(card, calls=(53,)) for card in (1, 14, 27, 40)),
    Play(53, 1, (12,)),
)
"""Actions that are legal only here and there: asking for them may tell no secret either."""


def sees(step: Step, seat: int) -> object:
    """What the rules let a seat see of a step, and what a log would show of the deal."""
    deal = step.deal
    decision = None
    if deal.to_act == seat:
        decision = (deal.prompt, deal.default_action(), [refusal(deal, action) for action in PROBES])
    return seen_by(step.events, seat), deal.shared, deal.owns[seat], deal.scores, decision, repr(deal)


def random_table(rng: Random) -> NapoleonGame:
    return NapoleonTw(random_options(NapoleonTw, rng))


def pairs_in(phase: Phase, count: int = PAIRS) -> list[Pair]:
    return list(pairs(random_table, random_action, phase, count, Random(phase.name)))


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.name.lower())
def test_a_seat_sees_the_same_in_both_twins(phase: Phase) -> None:
    """Fifty pairs in every phase, watched by any seat, and the watcher can never tell which twin it is in."""
    found = pairs_in(phase)
    assert len(found) == PAIRS
    assert all(pair.first != pair.second for pair in found)
    compare_all(found, sees)


def test_twins_differ_in_what_matters() -> None:
    """Among the pairs are some with another secretary, and Napoleon watches as well as the others."""
    found = pairs_in(Phase.PLAY, 3 * PAIRS)
    assert sum(pair.other_partner for pair in found) >= 10
    assert {declarer(pair) == pair.watcher for pair in found} == {True, False}


def declarer(pair: Pair) -> int:
    contract = steps_of(pair, pair.first)[-1].deal.shared.contract
    assert contract is not None
    return contract.declarer


def test_a_leaked_kitty_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kitty were shown when the cards are dealt, the harness would notice."""
    honest = NapoleonGame.deal_hands

    def leak(game: NapoleonGame, *dealt: Any) -> Step:
        step = honest(game, *dealt)
        assert isinstance(step.deal, NapoleonDeal)
        return Step(step.deal, (*step.events, Seen(CardsShown(KITTY, step.deal.kitty))))

    assert_found(monkeypatch, Phase.AUCTION, NapoleonGame, "deal_hands", leak)


def test_leaked_put_back_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody saw what Napoleon puts back, the harness would notice."""

    def leak(_: NapoleonDeal, moved: CardsMoved) -> Seen:
        return Seen(moved)

    assert_found(monkeypatch, Phase.PLAY, exchange, "_for_declarer", leak)


def test_a_leaked_role_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody were told what a seat alone is told of its role, the harness would notice."""

    def leak(_: int, event: Any) -> Seen:
        return Seen(event)

    assert_found(monkeypatch, Phase.PLAY, call, "only", leak)


def test_details_made_from_hidden_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the shared details counted court cards that lie hidden, the harness would notice."""
    honest = NapoleonDeal.after

    def leak(deal: NapoleonDeal, *events: Any, **hidden: Any) -> Step:
        step = honest(deal, *events, **hidden)
        assert isinstance(step.deal, NapoleonDeal)
        courts = len(deal.house.courts_among(step.deal.owns[0].hand))
        shared = replace(step.deal.shared, details=NapoleonDetails(courts, jokers_strong=True))
        return Step(replace(step.deal, shared=shared), step.events)

    assert_found(monkeypatch, Phase.AUCTION, NapoleonDeal, "after", leak)


def test_a_refusal_that_tells_of_other_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the reason for a refusal depended on another seat's cards, the harness would notice."""

    def leak(deal: NapoleonDeal, _: object) -> str:
        return f"seat 0 has {deal.hands[0].bit_count() and deal.owns[0].hand}"

    assert_found(monkeypatch, Phase.PLAY, play, "_why_not", leak)


def test_the_prompt_of_another_seat_is_found() -> None:
    """If a seat were given the prompt of the seat to act, the harness would notice."""
    with pytest.raises(Interference, match="can tell"):
        compare_all(pairs_in(Phase.PLAY), lambda step, _: step.deal.prompt)


def assert_found(monkeypatch: pytest.MonkeyPatch, phase: Phase, owner: object, name: str, leak: object) -> None:
    """Plant a leak in the rules, and see the comparison fail that passes without it."""
    found = pairs_in(phase)
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises(Interference, match="can tell"):
        compare_all(found, sees)


def compare_all(found: list[Pair], sees: Sees) -> None:
    for pair in found:
        compare(pair, sees)

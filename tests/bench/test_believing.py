"""How good beliefs are said to be: the truth is the deal's, and what tells nothing makes nothing likelier."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from bench.strength import truth
from bench.strength.believing import FLOOR, Beliefs
from bench.strength.playing import fresh_deal
from bench.strength.truth import climbing_log_ratio, holder_of, places_of, tricks_log_ratio

from junto.games.baohuang.deal import BaohuangDeal
from junto.games.cards import Card
from junto.games.catalog import open_game
from junto.games.climbing.deal import ClimbingDeal
from junto.games.core import Deal
from junto.games.events import Location, Zone
from junto.games.view import Phase
from junto.search import beliefs
from junto.search.climbing.inference import Evidence
from junto.search.decisions import Budget, Cards, Roles
from junto.search.strategies import greedy_strategy
from junto.search.tricks.weighing import EVIDENCE

ONCE = Budget(iterations=1)
EVERY = {"napoleon-tw": 5, "napoleon-jp": 5, "baohuang": 15, "whist": 9, "dou-dizhu": 9, "shuangkou": 25}
"""Of so many decisions of a deal one is looked at."""


@cache
def decisions(game_id: str) -> tuple[Deal, ...]:
    """Return some decisions in the play of a deal by the rules of thumb."""
    return tuple(_decisions(game_id))


def _decisions(game_id: str) -> Iterator[Deal]:
    deal, step = fresh_deal(open_game(game_id), 3), 0
    while (seat := deal.to_act) is not None:
        step += 1
        if deal.phase is Phase.PLAY and step % EVERY[game_id] == 0:
            yield deal
        deal = deal.apply(greedy_strategy.decide(deal.view(seat), ONCE).action).deal


@pytest.mark.parametrize("game_id", ["napoleon-tw", "baohuang"])
def test_the_holder_is_who_holds_the_card(game_id: str) -> None:
    """He is among those that may hold it by the plain count, whose chances add up to one."""
    asked = 0
    for deal in decisions(game_id):
        assert deal.to_act is not None
        view = beliefs.view_of(deal, deal.to_act)
        for card in beliefs.beliefs_of(view, 64, 1)[1]:
            holder, places = holder_of(deal, view, card), places_of(view, card)
            assert holder == Location(Zone.HAND, partner_in(deal, card))
            assert holder in places
            assert sum(places.values()) == pytest.approx(1.0)
            asked += 1
    assert asked


def partner_in(deal: Deal, card: Card) -> int:
    """Return the seat that has the card that makes a partner: in Baohuang the guard's, of which others have copies."""
    if isinstance(deal, BaohuangDeal):
        return deal.emperor if deal.guard is None else deal.guard
    (seat,) = (own.seat for own in deal.owns if card in own.hand)
    return seat


@pytest.mark.parametrize(
    ("chance", "loss"), [(1.0, 0.0), (0.25, math.log(4)), (0.0, -math.log(FLOOR))], ids=["sure", "likely", "ruled out"]
)
def test_a_guess_is_scored_by_the_chance_of_the_true_holder(
    chance: float, loss: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside what the plain count and a guess among all possible holders would have scored."""
    asked = 0
    for deal in decisions("napoleon-tw"):
        assert deal.to_act is not None
        view = beliefs.view_of(deal, deal.to_act)
        for card in beliefs.beliefs_of(view, 64, 1)[1]:
            holder, places = holder_of(deal, view, card), places_of(view, card)
            told: tuple[Roles, Cards] = ({}, {card: {holder: chance}})
            monkeypatch.setattr("bench.strength.believing.beliefs_of", lambda *_, told=told: told)
            monkeypatch.setattr("bench.strength.believing.tricks_log_ratio", lambda *_: None)
            found = Beliefs()
            found.note(deal, 1)

            ((number, believed, counted, uniform),) = found.losses.values()
            assert number == 1
            assert (believed, counted) == pytest.approx((loss, -math.log(places[holder])))
            assert uniform == pytest.approx(math.log(len(places)))
            assert not found.ratios
            asked += 1
    assert asked


@pytest.mark.parametrize("game_id", ["napoleon-tw", "napoleon-jp", "whist"])
def test_without_evidence_the_true_world_is_as_likely_as_any(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing costs anything the ratio is one, whoever may hold a called card; with what is fitted it is not."""
    told = [ratio for deal in decisions(game_id) if (ratio := tricks_log_ratio(deal, 1)) is not None]
    monkeypatch.setattr(truth, "costs_of", lambda _: np.zeros(EVIDENCE, np.int64))
    plain = [ratio for deal in decisions(game_id) if (ratio := tricks_log_ratio(deal, 1)) is not None]

    assert plain == pytest.approx([0.0] * len(told), abs=1e-12)
    assert sum(told) > 0.0
    assert max(told) <= math.log(truth.WORLDS + 1)


@pytest.mark.parametrize("game_id", ["dou-dizhu", "shuangkou"])
def test_without_evidence_a_climbing_world_is_as_likely_as_any(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same by what others have done in the play."""
    deals = [deal for deal in decisions(game_id) if isinstance(deal, ClimbingDeal)]
    told = [ratio for deal in deals if (ratio := climbing_log_ratio(deal, 1)) is not None]
    monkeypatch.setattr(Evidence, "weigh", lambda evidence, table: np.zeros((len(table), evidence.seats)))
    monkeypatch.setattr(Evidence, "stir", lambda *_: None)
    plain = [ratio for deal in deals if (ratio := climbing_log_ratio(deal, 1)) is not None]

    assert plain == pytest.approx([0.0] * len(told), abs=1e-12)
    assert sum(told) > 0.0
    assert max(told) <= math.log(truth.FEWER_WORLDS + 1)

"""Whole deals of the climbing games on the wire: what is known, what is asked, what is told, what a bot is sent."""

from __future__ import annotations

from random import Random

import protovalidate
import pytest
from tests.games.playing import first_deal, play_out, random_game

from junto.games.baohuang.game import Baohuang
from junto.games.core import Deal, Game, Step
from junto.games.dou_dizhu import DouDizhu
from junto.games.events import seen_by
from junto.games.shuangkou import Shuangkou
from junto.v1.strategies_pb2 import Budget, DecideRequest
from junto.wire.actions import read_action, write_action
from junto.wire.events import write_event
from junto.wire.prompts import read_prompt, write_prompt
from junto.wire.reading import read_own, read_shared
from junto.wire.requests import read_request, request_bytes
from junto.wire.views import shared_bytes, write_own, write_shared

from .walks import domain_cards, wire_cards

DECISION = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"
EVERY = 5
"""Of the steps of a deal, which grow long, so many are looked at."""
games = pytest.mark.parametrize("game_type", [DouDizhu, Shuangkou, Baohuang], ids=lambda game_type: game_type.id)


def steps_of(game_type: type[Game], number: int) -> list[Step]:
    """Return the steps of a random deal that are looked at: the first ones, the last one, and some between."""
    rng = Random(number)
    steps, _ = play_out(first_deal(random_game(game_type, rng), rng), rng)
    return [*steps[:8], *steps[8:-1:EVERY], *steps[8:][-1:]]


def decisions_of(game_type: type[Game], number: int) -> list[Deal]:
    """Return the deals that are looked at in which somebody decides."""
    return [step.deal for step in steps_of(game_type, number) if not step.deal.is_over]


@games
def test_what_is_known_comes_back(game_type: type[Game]) -> None:
    """Everybody's view and each seat's own, at each step; no card gets in or is lost."""
    for step in steps_of(game_type, 1):
        message = write_shared(step.deal.shared)
        assert read_shared(message) == step.deal.shared
        assert wire_cards(message) == domain_cards(step.deal.shared)
        assert shared_bytes(read_shared(message)) == shared_bytes(step.deal.shared)
        for own in step.deal.owns:
            assert read_own(write_own(own)) == own


@games
def test_what_is_asked_and_answered_comes_back(game_type: type[Game]) -> None:
    """A prompt with its combinations, the default, and every one of the first legal actions."""
    for deal in decisions_of(game_type, 5):
        prompt = deal.prompt
        assert prompt is not None
        message = write_prompt(prompt, 3, None, deal.default_action())
        protovalidate.validate(message)
        assert read_prompt(message) == prompt
        for action, _ in zip(deal.legal_actions(), range(20), strict=False):
            assert read_action(write_action(action)) == action


@games
def test_a_bot_is_sent_the_view_that_it_gets(game_type: type[Game]) -> None:
    """At each decision the worker's view is the table's, and holds no card besides."""
    for deal in decisions_of(game_type, 6):
        assert deal.to_act is not None
        view = deal.view(deal.to_act)
        message = DecideRequest.FromString(request_bytes(view, DECISION, Budget(iterations=1)))
        protovalidate.validate(message)
        assert read_request(message) == view
        known = domain_cards(view.shared) + domain_cards(view.own) + domain_cards(view.prompt)
        assert wire_cards(message) == known


@games
def test_what_is_told_has_the_cards_that_were_seen(game_type: type[Game]) -> None:
    """Every event, for every seat and for spectators, has the cards of what they saw, and no others."""
    for step in steps_of(game_type, 4):
        for viewer in (None, *range(len(step.deal.owns))):
            for event in seen_by(step.events, viewer):
                assert wire_cards(write_event(event)) == domain_cards(event)

"""A bot's request: the view it is sent is the view it gets."""

from __future__ import annotations

from random import Random

import protovalidate
import pytest
from hypothesis import given

from junto.games.core import View
from junto.v1.strategies_pb2 import Budget, DecideRequest
from junto.wire.decisions import Limits, read_budget, write_budget
from junto.wire.errors import UnknownGame, WireError
from junto.wire.requests import read_request, request_bytes
from junto.wire.times import read_time

from .deals import steps
from .values import VIEWS, a_view
from .walks import domain_cards, repeated_singulars, wire_cards

DECISION = "2b1f4a7e-7d1e-4c39-9a39-0f7e7a1c1d11"
BUDGET = Budget(iterations=100)


@given(VIEWS)
def test_a_view_comes_back(view: View) -> None:
    """A worker's view equals the one that was sent, whatever is in it; its bytes repeat no singular field."""
    payload = request_bytes(view, DECISION, BUDGET, version=7)
    assert read_request(DecideRequest.FromString(payload)) == view
    assert not list(repeated_singulars(payload, DecideRequest.DESCRIPTOR))


@pytest.mark.parametrize("number", range(3))
def test_the_views_of_whole_deals_come_back(number: int) -> None:
    """At every decision of a deal the worker's view equals the table's, and holds no card besides."""
    for step in steps(number, {"players": 3 + 2 * number}):
        if step.deal.to_act is None:
            continue
        view = step.deal.view(step.deal.to_act)
        message = DecideRequest.FromString(request_bytes(view, DECISION, BUDGET))
        protovalidate.validate(message)
        read = read_request(message)
        assert read == view
        assert read.game.options == view.game.options
        known = domain_cards(view.shared) + domain_cards(view.own) + domain_cards(view.prompt)
        assert wire_cards(message) == known


def test_a_request_carries_what_a_bot_needs_besides() -> None:
    """Id, budget, the table's version, the deadline and the default action are in the request."""
    view = a_view(Random(1))
    *_, step = [step for step in steps(1) if not step.deal.is_over]
    action = step.deal.default_action()
    limits = Limits(time_ms=1500, iterations=7, seed=2**64 - 1)
    payload = request_bytes(
        view, DECISION, write_budget(limits), version=12, deadline_ms=1_796_000_000_000, default_action=action
    )
    message = DecideRequest.FromString(payload)
    assert message.decision_id == DECISION
    assert read_budget(message.budget) == limits
    assert message.prompt.version == 12
    assert read_time(message.prompt.deadline) == 1_796_000_000_000
    assert message.prompt.default_action.WhichOneof("kind") == "play_card"


def test_budgets_come_back() -> None:
    """What does not limit stays absent."""
    for limits in (Limits(), Limits(time_ms=1), Limits(iterations=1), Limits(seed=0)):
        assert read_budget(write_budget(limits)) == limits


def test_a_request_without_an_own_view_is_refused() -> None:
    """A spectator's view asks for no decision."""
    message = DecideRequest.FromString(request_bytes(a_view(Random(2)), DECISION, BUDGET))
    message.view.ClearField("own")
    with pytest.raises(WireError, match="no seat's own view"):
        read_request(message)


def test_a_request_of_an_unknown_game_is_refused() -> None:
    """A worker says that it has no such game."""
    message = DecideRequest.FromString(request_bytes(a_view(Random(3)), DECISION, BUDGET))
    message.rules.game_id = "snap"
    with pytest.raises(UnknownGame, match="snap"):
        read_request(message)

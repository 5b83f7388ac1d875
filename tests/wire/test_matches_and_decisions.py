"""Matches for the store, and decisions of bots."""

from __future__ import annotations

import protovalidate
import pytest
from hypothesis import given

from junto.games.actions import Action, Bid, Pass, Play
from junto.games.core import Match
from junto.games.events import Location, Zone
from junto.games.view import Role
from junto.internal.v1 import store_pb2
from junto.v1 import views_pb2
from junto.v1.strategies_pb2 import Decision
from junto.wire.actions import read_action
from junto.wire.cards import read_card
from junto.wire.decisions import MAX_EVALUATIONS, Candidate, read_beliefs, write_decision
from junto.wire.errors import WireError
from junto.wire.match import read_match, write_match
from junto.wire.times import read_span, read_time, write_span, write_time

from .values import ACTIONS, MATCHES


@given(MATCHES)
def test_a_match_comes_back(match: Match) -> None:
    """A match that was stored is the match that was played."""
    assert read_match(store_pb2.MatchState.FromString(write_match(match).SerializeToString())) == match


def test_a_decision_tells_its_reasons() -> None:
    """Action, candidates, beliefs and effort are in the message, which meets the API's constraints."""
    message = write_decision(
        Bid(13),
        [Candidate(Bid(13), 12.5, 0.25, 400), Candidate(Pass(), -3.0)],
        roles={2: {Role.PARTNER: 0.75, Role.OPPONENT: 0.25}},
        cards={12: {Location(Zone.HAND, 1): 0.5, Location(Zone.KITTY): 0.5}},
        worlds=100,
        playouts=800,
        elapsed_ms=21,
    )
    protovalidate.validate(message)
    assert read_action(message.action) == Bid(13)
    assert [read_action(one.action) for one in message.evaluations] == [Bid(13), Pass()]
    assert (message.evaluations[0].standard_error, message.evaluations[0].visits) == (0.25, 400)
    assert not message.evaluations[1].HasField("standard_error")
    role, card = message.beliefs
    assert (role.role.seat, role.role.roles[0].role, role.role.roles[0].probability) == (
        2,
        views_pb2.ROLE_PARTNER,
        0.75,
    )
    assert (read_card(card.card.card), card.card.places[0].location.seat) == (12, 1)
    assert not card.card.places[1].location.HasField("seat")
    assert (message.worlds, message.playouts, read_span(message.elapsed)) == (100, 800, 21)


def test_beliefs_come_back() -> None:
    """What was believed is read as it was; a sum that came out a hair above 1 is 1, as the API wants it."""
    roles = {2: {Role.PARTNER: 0.75, Role.OPPONENT: 0.25}}
    message = write_decision(
        Pass(), roles=roles, cards={12: {Location(Zone.HAND, 1): 1 + 1e-12, Location(Zone.PUT_BACK): 0.0}}
    )
    protovalidate.validate(message)
    assert read_beliefs(message) == (roles, {12: {Location(Zone.HAND, 1): 1.0, Location(Zone.PUT_BACK): 0.0}})


@pytest.mark.parametrize("chance", [1.5, -0.5, float("nan")])
def test_a_belief_that_cannot_be_is_refused(chance: float) -> None:
    """A replay may come from anywhere: what is no probability is named."""
    message = write_decision(Pass(), roles={2: {Role.PARTNER: 0.5}})
    message.beliefs[0].role.roles[0].probability = chance
    with pytest.raises(WireError, match="a probability lies between 0 and 1"):
        read_beliefs(message)


@given(ACTIONS)
def test_only_the_action_is_needed(action: Action) -> None:
    """A decision without reasons has none: what was not counted is absent, not zero."""
    message = write_decision(action)
    assert read_action(message.action) == action
    assert [field.name for field, _ in message.ListFields()] == ["action"]


def test_candidates_beyond_the_limit_are_left_out() -> None:
    """A decision among very many keeps the best hundred."""
    message: Decision = write_decision(Play(0), [Candidate(Play(card % 54), -card) for card in range(300)])
    protovalidate.validate(message)
    assert [one.mean for one in message.evaluations] == [-float(rank) for rank in range(MAX_EVALUATIONS)]


def test_times_and_spans_come_back() -> None:
    """Milliseconds survive, also before 1970."""
    for ms in (0, 1, 999, 1000, 1_796_000_000_123, -1):
        assert read_time(write_time(ms)) == ms
    for ms in (0, 1, 86_400_000):
        assert read_span(write_span(ms)) == ms

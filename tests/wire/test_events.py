"""Events on the wire."""

from __future__ import annotations

import dataclasses
import typing
from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from junto.games.actions import Discard, Play
from junto.games.events import ActionTaken, CardsMoved, DealEnded, DealStarted, Event, Location, Zone, only
from junto.games.shuffle import DealSeed
from junto.games.view import DealResult, Outcome
from junto.v1 import events_pb2
from junto.wire.events import event_bytes, write_event, write_events
from junto.wire.promises import Promise, read_promise, read_reveal

from .values import EVENTS
from .walks import domain_cards, wire_cards

RENAMED = {"source": "from", "target": "to"}
# Fields that the wire adds: the table's.
ADDED = {"DealStarted": {"commitment"}, "ActionTaken": {"actor", "text"}}
KINDS = {
    field.name: field.message_type
    for field in events_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
    if field.message_type is not None and not field.GetOptions().deprecated
}


@pytest.mark.parametrize("kind", typing.get_args(Event), ids=lambda kind: kind.__name__)
def test_an_event_mirrors_its_message(kind: type[Any]) -> None:
    """An event and the message of the same name have the same fields."""
    descriptor = events_pb2.DESCRIPTOR.message_types_by_name[kind.__name__]
    here = {RENAMED.get(field.name, field.name) for field in dataclasses.fields(kind)}
    assert here | ADDED.get(kind.__name__, set()) == {field.name for field in descriptor.fields}


def test_every_event_has_a_kind() -> None:
    """The domain's events are all kinds there are, but for those that are kept because they were published."""
    assert {kind.__name__ for kind in typing.get_args(Event)} == {message.name for message in KINDS.values()}


@given(EVENTS)
def test_an_event_is_written_whole(event: Event) -> None:
    """The message is of the event's name, and has its cards and numbers, however it was serialised."""
    message = write_event(event, events_pb2.ACTOR_BOT)
    kind = message.WhichOneof("kind")
    assert kind is not None
    assert KINDS[kind].name == type(event).__name__
    assert wire_cards(message) == domain_cards(event)
    payload = event_bytes(event, events_pb2.ACTOR_BOT, None, None)
    assert events_pb2.Event.FromString(payload) == message


def test_a_seat_gets_what_it_may_see() -> None:
    """A discard shows its cards to its seat alone; for the others the text has none either."""
    cards = (1, 2, 3, 4)
    happened = [
        only(2, ActionTaken(2, Discard(cards)), ActionTaken(2, Discard(()))),
        only(2, CardsMoved(Location(Zone.HAND, 2), Location(Zone.PUT_BACK), 4, cards),
             CardsMoved(Location(Zone.HAND, 2), Location(Zone.PUT_BACK), 4)),
    ]  # fmt: skip
    own, other = write_events(happened, 2, events_pb2.ACTOR_PLAYER), write_events(happened, None)
    assert [wire_cards(event) for event in own] == [Counter(cards)] * 2
    assert [wire_cards(event) for event in other] == [Counter()] * 2
    assert (own[0].action_taken.text, other[0].action_taken.text) == ("discard S3 S4 S5 S6", "discard")
    assert own[0].action_taken.actor == events_pb2.ACTOR_PLAYER


def test_a_play_says_what_was_played_and_by_whom() -> None:
    """An action's event has its text form and who decided, also when it was told before with another actor."""
    event = ActionTaken(3, Play(52, 1))
    for actor in (events_pb2.ACTOR_CLOCK, events_pb2.ACTOR_BOT):
        taken = events_pb2.Event.FromString(event_bytes(event, actor, None, None)).action_taken
        assert (taken.seat, taken.text, taken.actor) == (3, "play BJ naming H", actor)


def test_beginning_and_end_carry_the_proof() -> None:
    """A deal's promise comes with its beginning, what keeps it with its end."""
    seed = DealSeed(bytes(32), (b"\x01", b""))
    promise = Promise(seed.commitment)
    started = write_event(DealStarted(3, None), promise=promise).deal_started
    assert (started.number, read_promise(started.commitment)) == (3, promise)
    ended = write_event(DealEnded(DealResult(Outcome.VOID)), reveal=seed).deal_ended
    assert read_reveal(ended.result.reveal) == seed

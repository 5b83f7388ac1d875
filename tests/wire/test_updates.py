"""What watchers get: joined bytes are the whole message, and nobody gets another seat's part."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junto.games.core import Step
from junto.games.events import ALL, only, seen_by
from junto.games.view import Own, Phase, Shared
from junto.v1 import events_pb2, tables_pb2, views_pb2
from junto.v1.tables_pb2 import ActResponse, TableUpdate, TableView, WatchTableResponse
from junto.wire import updates
from junto.wire.events import write_event, write_events
from junto.wire.joining import Remembered, nested, tag
from junto.wire.promises import Promise
from junto.wire.prompts import write_prompt
from junto.wire.times import write_time
from junto.wire.updates import Due, Known, Scene, Told, Turn, Update, told
from junto.wire.views import write_own, write_shared

from .deals import seed_of, steps
from .values import a_happening, a_prompt, an_action, fill
from .walks import repeated_singulars, wire_cards

VIEWERS = (0, 1, 2, 3, 4, 5, 6, None)
PROMISE = Promise("ab" * 32)
TURN = Turn(1_796_000_020_000, 1_796_000_030_500)
NOW_MS = 1_796_000_000_001
TABLE = tables_pb2.Table(id="t", version=8, status=tables_pb2.TABLE_STATUS_PLAYING)


def known(random: Random) -> Known:
    """Return what is known of some deal by seven seats."""
    return Known(fill(Shared, random), tuple(fill(Own, random) for _ in range(7)), PROMISE)


def whole_view(scene_parts: tuple[Known, Due], viewer: int | None) -> views_pb2.DealView:
    """Return a deal's view put together as messages, not as bytes."""
    deal, _ = scene_parts
    view = views_pb2.DealView(shared=write_shared(deal.shared, deal.promise))
    if viewer is not None:
        view.own.CopyFrom(write_own(deal.owns[viewer]))
    return view


@given(st.integers(0, 2**32))
@settings(max_examples=25)
def test_joined_bytes_are_the_whole_message(number: int) -> None:
    """For every viewer the bytes parse to the update that is built in one piece, and repeat no singular field."""
    random = Random(number)
    deal = known(random)
    due = Due(a_prompt(random), 7, TURN.deadline_ms, an_action(random))
    happened = tuple(a_happening(random) for _ in range(random.randrange(6)))
    update = Update(Scene(lambda: TABLE, deal, due, TURN), 7, 8, NOW_MS, told(happened, 1, PROMISE), table_changed=True)
    for viewer in VIEWERS:
        whole = TableUpdate(
            from_version=7,
            version=8,
            time=write_time(NOW_MS),
            events=[write_event(event, 1, PROMISE) for event in seen_by(happened, viewer)],
            table=TABLE,
            deal=whole_view((deal, due), viewer),
            clock=tables_pb2.Clock(turn_end=write_time(TURN.end_ms), deadline=write_time(TURN.deadline_ms)),
        )
        if viewer == due.prompt.seat:
            whole.prompt.CopyFrom(write_prompt(due.prompt, 7, due.deadline_ms, due.default_action))
        payload = updates.watch_update(update.for_viewer(viewer))
        assert WatchTableResponse.FromString(payload) == WatchTableResponse(update=whole)
        assert not list(repeated_singulars(payload, WatchTableResponse.DESCRIPTOR))
        whole.ClearField("deal")
        assert TableUpdate.FromString(update.for_viewer(viewer, views=False)) == whole


@given(st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_full_view_is_the_whole_message(number: int) -> None:
    """A table's full view is joined of the same parts, for every viewer."""
    random = Random(number)
    deal = known(random)
    due = Due(a_prompt(random), 7)
    scene = Scene(lambda: TABLE, deal, due)
    for viewer in VIEWERS:
        whole = TableView(table=TABLE, deal=whole_view((deal, due), viewer))
        if viewer == due.prompt.seat:
            whole.prompt.CopyFrom(write_prompt(due.prompt, 7))
        payload = updates.watch_full(scene.view(viewer))
        assert WatchTableResponse.FromString(payload) == WatchTableResponse(full=whole)
        assert not list(repeated_singulars(payload, WatchTableResponse.DESCRIPTOR))


def test_a_table_without_a_deal_has_neither_view_nor_prompt() -> None:
    """In the lobby an update is the table alone; during the time for entropy the deal is its promise."""
    lobby = Update(Scene(lambda: TABLE), 7, 8, NOW_MS, table_changed=True)
    whole = TableUpdate(from_version=7, version=8, time=write_time(NOW_MS), table=TABLE)
    assert TableUpdate.FromString(lobby.for_viewer(2)) == whole
    opened = Scene(lambda: TABLE, Known(Shared(1, Phase.DEAL, ()), (), PROMISE))
    view = TableView.FromString(opened.view(2))
    assert view.deal == views_pb2.DealView(shared=write_shared(Shared(1, Phase.DEAL, ()), PROMISE))


def test_only_the_seat_that_decides_gets_the_prompt() -> None:
    """Neither another seat nor a spectator is told what the seat to act may do."""
    random = Random(3)
    prompt = a_prompt(random)
    scene = Scene(lambda: TABLE, None, Due(prompt, 7))
    assert [viewer for viewer in VIEWERS if scene.prompt(viewer) is not None] == [prompt.seat]


def test_merged_updates_are_the_events_of_both_and_the_last_view() -> None:
    """A watcher who is behind gets one update from the first version to the last, with its own events in order."""
    random = Random(5)
    deals = [known(random), known(random)]
    happened = [tuple(a_happening(random) for _ in range(8)) for _ in range(2)]
    first = Update(Scene(lambda: TABLE, deals[0]), 7, 8, NOW_MS, told(happened[0], 1), table_changed=True)
    second = Update(Scene(lambda: TABLE, deals[1]), 8, 9, NOW_MS + 5, told(happened[1], 2))
    merged = first.then(second)
    for viewer in VIEWERS:
        read = TableUpdate.FromString(merged.for_viewer(viewer))
        assert (read.from_version, read.version) == (7, 9)
        assert list(read.events) == write_events(happened[0], viewer, 1) + write_events(happened[1], viewer, 2)
        assert read.deal == TableUpdate.FromString(second.for_viewer(viewer)).deal
        assert read.HasField("table")
    with pytest.raises(AssertionError, match="without a gap"):
        second.then(first)


def test_parts_are_serialised_once() -> None:
    """Another viewer of the same sort costs no serialisation, and the table's message is made only if needed."""
    made: list[int] = []

    def table() -> tables_pb2.Table:
        made.append(1)
        return TABLE

    random = Random(7)
    scene = Scene(table, known(random))
    update = Update(scene, 7, 8, NOW_MS)
    assert update.for_viewer(None) is update.for_viewer(None)
    assert not made
    assert scene.view(0) != scene.view(1)
    assert len(made) == 1


def leaks(step: Step, owns: tuple[Own, ...]) -> list[tuple[int | None, set[int]]]:
    """Return who is told cards of other hands by a step's update, names of called cards aside."""
    deal, prompt = step.deal, step.deal.prompt
    due = None if prompt is None else Due(prompt, 7, None, deal.default_action())
    update = Update(Scene(lambda: TABLE, Known(deal.shared, owns), due), 7, 8, NOW_MS, told(step.events))
    shown = {card for hand in deal.shared.hands for card in hand.open}
    found: list[tuple[int | None, set[int]]] = []
    for viewer in (*range(len(owns)), None):
        hidden = {card for own in deal.owns if own.seat != viewer for card in own.hand} - shown
        message = TableUpdate.FromString(update.for_viewer(viewer))
        cards = hidden & wire_cards(message, skip=frozenset({"called", "calls", "call_card"})).keys()
        found += [(viewer, cards)] if cards else []
    return found


@pytest.mark.parametrize("number", range(4))
def test_a_viewer_sees_no_hidden_card(number: int) -> None:
    """In whole deals no update tells a viewer a card of another seat's hand, save by the name of a called card."""
    for step in steps(number):
        assert step.deal.is_over or not leaks(step, step.deal.owns)


def test_the_search_for_hidden_cards_finds_a_planted_leak() -> None:
    """With the seats' own views exchanged, every step before the last trick gives cards away."""
    *most, _ = list(steps(3))[:20]
    for step in most:
        assert leaks(step, step.deal.owns[1:] + step.deal.owns[:1])


def test_a_deal_ends_with_all_cards_on_the_table() -> None:
    """The last update shows everybody, spectators too, every hand that was hidden."""
    *_, last = steps(1)
    scene = Scene(lambda: TABLE, Known(last.deal.shared, last.deal.owns, PROMISE, seed_of(1)))
    update = Update(scene, 1, 2, NOW_MS, told(last.events))
    message = TableUpdate.FromString(update.for_viewer(None))
    assert set(wire_cards(message.deal)) == set(range(54))
    assert message.deal.shared.result.reveal.seed == seed_of(1).secret.hex()


def test_the_other_messages_of_a_stream() -> None:
    """Resumed, heartbeat and end are what they say."""
    assert WatchTableResponse.FromString(updates.watch_resumed(5)).resumed.version == 5
    beat = WatchTableResponse.FromString(updates.watch_heartbeat(6, NOW_MS)).heartbeat
    assert (beat.version, beat.time) == (6, write_time(NOW_MS))
    end = WatchTableResponse.FromString(updates.watch_end(tables_pb2.END_REASON_DRAINING, 7)).end
    assert (end.reason, end.version) == (tables_pb2.END_REASON_DRAINING, 7)
    update = TableUpdate(version=3)
    payload = nested(tag(ActResponse, "update"), update.SerializeToString())
    assert ActResponse.FromString(payload) == ActResponse(update=update)


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])
def test_lengths_of_any_size(size: int) -> None:
    """A nested message of any length is read back: lengths have one to four bytes."""
    name = "x" * size
    payload = events_pb2.ActionTaken(text=name).SerializeToString()
    message = events_pb2.Event.FromString(nested(tag(events_pb2.Event, "action_taken"), payload))
    assert message.action_taken.text == name


def test_what_is_remembered_is_bounded() -> None:
    """What was not asked for lately is forgotten; what is asked for stays, and is made once."""
    made: list[tuple[int]] = []

    def write(value: tuple[int]) -> bytes:
        made.append(value)
        return bytes(value)

    memory = Remembered(write, capacity=4)
    hot = (200,)
    others = [(number,) for number in range(40)]
    for other in others:
        assert memory(hot) == b"\xc8"
        assert memory(other) == bytes(other)
    assert made.count(hot) == 1
    assert len(memory._recent) + len(memory._older) <= 8
    memory(others[0])
    assert made.count(others[0]) == 2


def test_told_says_who_gets_what() -> None:
    """A secret event goes to its seats; the others get what is told instead, or nothing."""
    secret, public = Told(0b100, b"s", b""), Told(0b011, b"s", b"o")
    assert [secret.for_viewer(viewer) for viewer in (0, 2, None)] == [b"", b"s", b""]
    assert [public.for_viewer(viewer) for viewer in (0, 1, 2, None)] == [b"s", b"s", b"o", b"o"]
    assert Told(ALL, b"e", b"").for_viewer(None) == b"e"


def test_audiences_of_the_domain_are_kept() -> None:
    """`told` sends what `Seen` says, for every seat and for spectators."""
    random = Random(11)
    happened = [a_happening(random) for _ in range(30)] + [only(2, a_happening(random).event)]
    made = told(happened)
    for viewer in VIEWERS:
        sent = TableUpdate.FromString(b"".join(one.for_viewer(viewer) for one in made))
        assert list(sent.events) == write_events(happened, viewer)

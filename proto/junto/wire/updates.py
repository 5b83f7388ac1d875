"""What watchers of a table get, as bytes: what all may see is serialised once, whoever watches.

A `Scene` is a table at one version. An `Update` is how it came about: events, and the scene after them.
Both are joined per viewer, a seat's number or None for a spectator, out of parts that are each serialised
at most once. Who may see what is decided in three places: `Seen` (events), `Scene.deal` (a seat's own view)
and `Scene.prompt` (the decision of the seat that has to make it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from junto.games.actions import Action
from junto.games.events import ALL, Seen
from junto.games.shuffle import DealSeed
from junto.games.view import Own, Prompt, Shared
from junto.v1 import events_pb2
from junto.v1.tables_pb2 import (
    Clock,
    EndReason,
    Heartbeat,
    Resumed,
    Table,
    TableUpdate,
    TableView,
    WatchEnd,
    WatchTableResponse,
)
from junto.wire.events import event_bytes
from junto.wire.joining import nested, tag
from junto.wire.promises import Promise
from junto.wire.prompts import prompt_bytes
from junto.wire.times import write_time
from junto.wire.views import own_field, shared_field

_EVENT: Final = tag(TableUpdate, "events")
_UPDATE_TABLE: Final = tag(TableUpdate, "table")
_UPDATE_DEAL: Final = tag(TableUpdate, "deal")
_UPDATE_PROMPT: Final = tag(TableUpdate, "prompt")
_UPDATE_CLOCK: Final = tag(TableUpdate, "clock")
_VIEW_TABLE: Final = tag(TableView, "table")
_VIEW_DEAL: Final = tag(TableView, "deal")
_VIEW_PROMPT: Final = tag(TableView, "prompt")
_VIEW_CLOCK: Final = tag(TableView, "clock")
_FULL: Final = tag(WatchTableResponse, "full")
_UPDATE: Final = tag(WatchTableResponse, "update")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a deal, and its proof; `owns` is empty before the cards are dealt."""

    shared: Shared
    owns: tuple[Own, ...] = ()
    promise: Promise | None = None
    reveal: DealSeed | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Due:
    """A decision that is due: the table's version when it arose, when (ms) what is done instead."""

    prompt: Prompt
    version: int
    deadline_ms: int | None = None
    default_action: Action | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The clock of the seat to act, ms: the end of its turn's own time, and of its time bank."""

    end_ms: int
    deadline_ms: int


class Scene:
    """A table at one version, as its viewers may see it.

    `table` makes the table's message when it is first needed; most moves do not need it.
    """

    def __init__(
        self,
        table: Callable[[], Table],
        deal: Known | None = None,
        due: Due | None = None,
        turn: Turn | None = None,
    ) -> None:
        self._make_table = table
        self._deal = deal
        self._due = due
        self._turn = turn
        self._shared: bytes | None = None
        self._prompt: bytes | None = None

    def view(self, viewer: int | None) -> bytes:
        """Return the serialised `TableView` for a viewer."""
        return b"".join(
            [
                nested(_VIEW_TABLE, self.table),
                _present(_VIEW_DEAL, self.deal(viewer)),
                _present(_VIEW_PROMPT, self.prompt(viewer)),
                _present(_VIEW_CLOCK, self.clock),
            ]
        )

    def deal(self, viewer: int | None) -> bytes | None:
        """Return the serialised `DealView` for a viewer; None: no deal is on the table."""
        deal = self._deal
        if deal is None:
            return None
        if self._shared is None:
            self._shared = shared_field(deal.shared, deal.promise, deal.reveal)
        if viewer is None or not deal.owns:
            return self._shared
        return self._shared + own_field(deal.owns[viewer])

    def prompt(self, viewer: int | None) -> bytes | None:
        """Return the serialised `Prompt` for a viewer; None: the viewer has nothing to decide."""
        due = self._due
        if due is None or viewer is None or due.prompt.seat != viewer:
            return None
        if self._prompt is None:
            self._prompt = prompt_bytes(due.prompt, due.version, due.deadline_ms, due.default_action)
        return self._prompt

    @cached_property
    def table(self) -> bytes:
        """The serialised `Table`, for everybody."""
        return self._make_table().SerializeToString()

    @cached_property
    def clock(self) -> bytes | None:
        """The serialised `Clock`, for everybody; None: none runs."""
        if self._turn is None:
            return None
        turn_end, deadline = write_time(self._turn.end_ms), write_time(self._turn.deadline_ms)
        return Clock(turn_end=turn_end, deadline=deadline).SerializeToString()


class Told(NamedTuple):
    """An event, serialised: for the seats in `to`, and for everybody else."""

    to: int
    event: bytes
    otherwise: bytes

    def for_viewer(self, viewer: int | None) -> bytes:
        """Return what a viewer gets; empty for nothing."""
        if self.to == ALL or (viewer is not None and self.to >> viewer & 1):
            return self.event
        return self.otherwise


def told(
    events: Iterable[Seen],
    actor: int = events_pb2.ACTOR_UNSPECIFIED,
    promise: Promise | None = None,
    reveal: DealSeed | None = None,
) -> tuple[Told, ...]:
    """Return the events of one command, each serialised once for all who see the same of it.

    `actor` is who made the decision, a number of the API's `Actor`; promise and reveal are the deal's.
    """
    return tuple(
        [
            Told(
                seen.to,
                nested(_EVENT, event_bytes(seen.event, actor, promise, reveal)),
                b"" if seen.otherwise is None else nested(_EVENT, event_bytes(seen.otherwise, actor, promise, reveal)),
            )
            for seen in events
        ]
    )


class Update:
    """What one or several commands did, from one version to another, and the scene after them.

    `table_changed`: something in the table's message but its version is new.
    """

    def __init__(
        self,
        scene: Scene,
        from_version: int,
        version: int,
        time_ms: int,
        events: tuple[Told, ...] = (),
        *,
        table_changed: bool = False,
    ) -> None:
        self.scene = scene
        self.from_version = from_version
        self.version = version
        self.time_ms = time_ms
        self.table_changed = table_changed
        self._events = events
        self._common: bytes | None = None
        self._made: dict[tuple[int | None, bool], bytes] = {}

    def for_viewer(self, viewer: int | None, *, views: bool = True) -> bytes:
        """Return the serialised `TableUpdate` for a viewer, with the view of the deal or (`views`) without it."""
        made = self._made.get((viewer, views))
        if made is None:
            made = self._made[viewer, views] = self._join(viewer, views=views)
        return made

    def then(self, later: Update) -> Update:
        """Return this update and the one that follows it as one: for a watcher who is behind."""
        assert later.from_version == self.version, "updates are merged in order, without a gap"
        return Update(
            later.scene,
            self.from_version,
            later.version,
            later.time_ms,
            self._events + later._events,
            table_changed=self.table_changed or later.table_changed,
        )

    def _join(self, viewer: int | None, *, views: bool) -> bytes:
        if self._common is None:
            self._common = self._join_common()
        parts = [self._common]
        parts += [one.for_viewer(viewer) for one in self._events]
        deal = self.scene.deal(viewer) if views else None
        if deal is not None:
            parts.append(nested(_UPDATE_DEAL, deal))
        prompt = self.scene.prompt(viewer)
        if prompt is not None:
            parts.append(nested(_UPDATE_PROMPT, prompt))
        return b"".join(parts)

    def _join_common(self) -> bytes:
        about = TableUpdate(from_version=self.from_version, version=self.version, time=write_time(self.time_ms))
        table = self.scene.table if self.table_changed else None
        return about.SerializeToString() + _present(_UPDATE_TABLE, table) + _present(_UPDATE_CLOCK, self.scene.clock)


def watch_full(view: bytes) -> bytes:
    """Return the serialised message of a stream that holds a `TableView`."""
    return nested(_FULL, view)


def watch_update(update: bytes) -> bytes:
    """Return the serialised message of a stream that holds a `TableUpdate`."""
    return nested(_UPDATE, update)


def watch_resumed(version: int) -> bytes:
    """Return the serialised message of a stream that goes on where its client left off."""
    return WatchTableResponse(resumed=Resumed(version=version)).SerializeToString()


def watch_heartbeat(version: int, time_ms: int) -> bytes:
    """Return the serialised message of a stream in which nothing happens."""
    heartbeat = Heartbeat(version=version, time=write_time(time_ms))
    return WatchTableResponse(heartbeat=heartbeat).SerializeToString()


def watch_end(reason: int, version: int) -> bytes:
    """Return the serialised last message of a stream; `reason` is a number of the API's `EndReason`."""
    end = WatchEnd(reason=EndReason.ValueType(reason), version=version)
    return WatchTableResponse(end=end).SerializeToString()


def _present(field_tag: bytes, payload: bytes | None) -> bytes:
    return b"" if payload is None else nested(field_tag, payload)

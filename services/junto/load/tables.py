"""One table from its opening to its end: people and a spectator watch it, people move, bots are timed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import grpc
from google.protobuf.duration_pb2 import Duration

from junto.client import CallError, Client
from junto.load.calls import new_request_id, persist
from junto.load.pace import Pace, Turn
from junto.load.recording import Move, Recorder
from junto.load.seats import GivenUp, Person
from junto.load.sightings import Sightings
from junto.load.watching import Watch
from junto.v1 import catalog_pb2, events_pb2, strategies_pb2, tables_pb2
from junto.v1.tables_pb2 import TableUpdate, WatchTableResponse

OPEN_WITHIN_S: Final = 15.0
"""How long a stream may take to open before a match is started."""
LINGER_S: Final = 2.0
"""How long a table whose match is over stays, so that all who watch see its end."""
_ACTORS: Final = {
    events_pb2.ACTOR_PLAYER: "player",
    events_pb2.ACTOR_BOT: "bot",
    events_pb2.ACTOR_STAND_IN: "stand_in",
    events_pb2.ACTOR_CLOCK: "clock",
}
_OVER: Final = frozenset({tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED})


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played at each table, and which bot has the seats that no person has."""

    rules: catalog_pb2.RuleSet
    strategy: str
    bot_time_s: float
    bot_seed: int
    deals: int


class Conductor(Protocol):
    """Decides when the moves are made whose turn has come."""

    def turn(self, chair: Chair, turn: Turn) -> None:
        """Take a turn of a person."""

    def gone(self, chair: Chair) -> None:
        """Forget a seat whose table is over."""


class Chair:
    """A person's seat at a table, as what conducts the moves sees it."""

    def __init__(self, table: PlayedTable, person: Person, pace: Pace) -> None:
        self._table = table
        self.person = person
        self.pace = pace
        """The pace of the people at this table."""

    async def move(self, move: Move) -> None:
        """Make the move of the turn that is due, now."""
        await self._table.move(self.person, move)


class PlayedTable:
    """See the module. `over` is set when the match is over, or the table of no use any more.

    Args:
        people: who plays; the first one is the host.
        spectator: who watches besides, if anybody does.
        plan: what is played.
        recorder: what happens is noted there.
        conductor: is told of turns.
        pace: the pace of its people.
        draw: what is played.
    """

    def __init__(
        self,
        people: Sequence[Client],
        spectator: Client | None,
        plan: Plan,
        recorder: Recorder,
        conductor: Conductor,
        pace: Pace,
        draw: random.Random,
    ) -> None:
        self._people = people
        self._spectator = spectator
        self._plan = plan
        self._recorder = recorder
        self._conductor = conductor
        self._pace = pace
        self._draw = draw
        self._id = ""
        self._watching: list[asyncio.Task[None]] = []
        self._chairs: list[Chair] = []
        self._told_s: float | None = None
        self.sightings = Sightings(range(len(people) + (spectator is not None)))
        self.over = asyncio.Event()
        self.is_closing = False
        self._acting = 0

    async def open(self) -> None:
        """Open the table, seat everybody, watch, start the match.

        Raises:
            CallError: one of it could not be done.
        """
        recorder, host = self._recorder, self._people[0].tables
        made = await persist(host.create_table, self._wish(), "CreateTable", recorder)
        self._id = made.table.id
        for client in self._people:
            joining = tables_pb2.JoinTableRequest(request_id=new_request_id(), table_id=self._id)
            await persist(client.tables.join_table, joining, "JoinTable", recorder)
        if len(made.table.seats) > len(self._people):
            await persist(host.seat_bot, self._bots(), "SeatBot", recorder)
        await self._watch()
        starting = tables_pb2.StartMatchRequest(request_id=new_request_id(), table_id=self._id)
        await persist(host.start_match, starting, "StartMatch", recorder)

    async def close(self) -> None:
        """Let everybody see the end, stop watching, and close the table."""
        if self.over.is_set():
            await self._linger()
        for chair in self._chairs:
            self._conductor.gone(chair)
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._recorder.never_sighted(self.sightings.forget())
        if self._id:
            closing = tables_pb2.CloseTableRequest(request_id=new_request_id(), table_id=self._id)
            try:
                await self._people[0].tables.close_table(closing)
            except CallError as error:
                self._recorder.error("CloseTable", error)

    async def move(self, person: Person, move: Move) -> None:
        """Make a person's move."""
        if self.over.is_set():
            self._recorder.pass_over(move)
            return
        self._acting += 1
        try:
            version = await person.act(move)
        except GivenUp:
            self._recorder.count("tables_abandoned")
            self.over.set()
            return
        finally:
            self._acting -= 1
        sighting = self.sightings.made(version, move.intended_s)
        if sighting is not None:
            self._recorder.sighted([sighting])

    # --- opening

    def _wish(self) -> tables_pb2.CreateTableRequest:
        settings = tables_pb2.TableSettings(
            deals=self._plan.deals, visibility=tables_pb2.VISIBILITY_UNLISTED, deal_pause=Duration()
        )
        return tables_pb2.CreateTableRequest(request_id=new_request_id(), rules=self._plan.rules, settings=settings)

    def _bots(self) -> tables_pb2.SeatBotRequest:
        time = Duration()
        time.FromNanoseconds(round(self._plan.bot_time_s * 1e9))
        budget = strategies_pb2.Budget(time=time, seed=self._plan.bot_seed)
        bot = tables_pb2.Bot(strategy_id=self._plan.strategy, budget=budget)
        return tables_pb2.SeatBotRequest(request_id=new_request_id(), table_id=self._id, bot=bot)

    async def _watch(self) -> None:
        """Open all streams, so that nothing can be missed."""
        watches = []
        for number, client in enumerate(self._people):
            person = Person(client, self._id, self._recorder, self._draw)
            chair = Chair(self, person, self._pace)
            self._chairs.append(chair)
            watches.append(Watch(client, self._id, self._recorder, self._heard_by(number, chair)))
        if self._spectator is not None:
            heard = self._heard_by(len(self._people), None)
            watches.append(Watch(self._spectator, self._id, self._recorder, heard))
        self._watching = [asyncio.create_task(watch.run()) for watch in watches]
        try:
            async with asyncio.timeout(OPEN_WITHIN_S):
                await asyncio.gather(*(watch.opened.wait() for watch in watches))
        except TimeoutError:
            raise CallError(grpc.StatusCode.DEADLINE_EXCEEDED, "the streams of a table did not open") from None

    # --- playing

    def _heard_by(self, number: int, chair: Chair | None) -> Callable[[WatchTableResponse, float], None]:
        """Return what takes the messages of a watcher, by number; what the first one hears is counted."""

        def heard(message: WatchTableResponse, at_s: float) -> None:
            told = message.update if message.HasField("update") else message.full
            version = message.update.version if message.HasField("update") else message.full.table.version
            if number == 0 and message.HasField("update"):
                self._count(message.update, at_s)
            self._recorder.sighted(self.sightings.saw(number, version, at_s))
            turn = chair.person.hear(told, at_s) if chair is not None else None
            if chair is not None and turn is not None:
                self._conductor.turn(chair, turn)
            if told.HasField("table") and told.table.status in _OVER:
                self.over.set()

        return heard

    def _count(self, update: TableUpdate, at_s: float) -> None:
        """Count the moves of an update, and time the bots'.

        An update that brings several moves has its time shared among them; of one that begins with a person's move
        nothing is known about the bots' times.
        """
        actors = [
            _ACTORS.get(event.action_taken.actor, "") for event in update.events if event.HasField("action_taken")
        ]
        for actor in actors:
            if actor:
                self._recorder.count(actor)
        if actors and actors[0] == "bot" and self._told_s is not None:
            self._recorder.took("bot_turn", (at_s - self._told_s) / len(actors), actors.count("bot"))
        if any(event.HasField("deal_ended") for event in update.events):
            self._recorder.count("deals")
        if update.events:
            self._told_s = at_s

    async def _linger(self) -> None:
        until_s = self._recorder.clock() + LINGER_S
        while self._is_waited_for and self._recorder.clock() < until_s:  # noqa: ASYNC110  # many things end it
            await asyncio.sleep(0.05)

    @property
    def _is_waited_for(self) -> bool:
        """Whether a move is under way, or not seen by everybody."""
        return bool(self._acting or self.sightings.unseen())

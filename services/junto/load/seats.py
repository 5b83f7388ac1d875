"""A seat of a person at one table: what it is told, and what it does."""

from __future__ import annotations

import random
from collections.abc import Sequence

from junto.client import CallError, Client
from junto.load.calls import new_request_id, persist
from junto.load.human import choose
from junto.load.pace import Turn
from junto.load.recording import Move, Recorder
from junto.v1 import actions_pb2, events_pb2, tables_pb2


class GivenUp(Exception):
    """A move was refused, or not answered for too long."""


class Person:
    """See the module.

    Args:
        client: who sits there.
        table_id: where.
        recorder: what happens is noted there.
        draw: what is played.
    """

    def __init__(self, client: Client, table_id: str, recorder: Recorder, draw: random.Random) -> None:
        self._client = client
        self._table_id = table_id
        self._recorder = recorder
        self._draw = draw
        self._prompt = actions_pb2.Prompt()
        self._hand: Sequence[int] = ()
        self._bot_moves = 0
        self._moved_at_s = 0.0

    def hear(self, told: tables_pb2.TableView | tables_pb2.TableUpdate, at_s: float) -> Turn | None:
        """Take what the seat's stream brought; return a turn that is new in it."""
        update = told if isinstance(told, tables_pb2.TableUpdate) else None
        if update is not None:
            self._follow(update)
        if told.HasField("deal"):
            self._hand = tuple(told.deal.own.hand)
        if not told.HasField("prompt") or told.prompt.version <= self._prompt.version:
            return None
        self._prompt = told.prompt
        took_s = seconds_of(update) - self._moved_at_s if update is not None and self._moved_at_s else 0.0
        return Turn(at_s, self._bot_moves, max(0.0, took_s))

    def _follow(self, update: tables_pb2.TableUpdate) -> None:
        """Count the bots' moves since the last one of a person."""
        for event in update.events:
            if event.HasField("action_taken"):
                match event.action_taken.actor:
                    case events_pb2.ACTOR_PLAYER:
                        self._bot_moves, self._moved_at_s = 0, seconds_of(update)
                    case events_pb2.ACTOR_BOT:
                        self._bot_moves += 1

    async def act(self, move: Move) -> int:
        """Make the move of the turn that is due; return the version that it led to.

        Raises:
            GivenUp: it could not be made; the errors are counted.
        """
        request = tables_pb2.ActRequest(
            request_id=new_request_id(),
            table_id=self._table_id,
            expected_version=self._prompt.version,
            action=choose(self._prompt, self._hand, self._draw),
        )
        self._recorder.sent(move)
        try:
            reply = await persist(self._client.tables.act, request, "Act", self._recorder)
        except CallError as error:
            self._recorder.fail(move)
            raise GivenUp(str(error)) from None
        self._recorder.accept(move, self._recorder.clock())
        return reply.update.version


def seconds_of(update: tables_pb2.TableUpdate) -> float:
    """Return when an update was made, in seconds of the server's clock."""
    return update.time.seconds + update.time.nanos / 1e9

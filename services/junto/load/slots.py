"""A place at which there is always a table: when its match is over, the next one is opened at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Final

from junto.client import NO_RETRIES, CallError, Client
from junto.load.calls import new_request_id, persist
from junto.load.pace import Pace
from junto.load.profile import Profile
from junto.load.recording import Recorder
from junto.load.tables import Conductor, Plan, PlayedTable
from junto.v1 import players_pb2

PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0)
"""How long a table that could not be opened waits for the next attempt: the first time, the second time ..."""
DOOR_PATIENCE_S: Final = 60.0
"""How long somebody tries to sign in."""
TABLES_EACH: Final = 90
"""How many tables people play at before others take their place: a server lets a player be at so many (100), and counts
those that are over until it removes them."""


class Slot:
    """See the module. `opened` is set once its first table is open.

    Args:
        number: unique in the whole load.
        profile: who plays, and how fast.
        plan: what is played.
        recorder: what happens is noted there.
        conductor: is told of turns.
        door: held by whoever signs in; a server lets in so many a second, and those who push would starve others.
    """

    def __init__(
        self,
        number: int,
        profile: Profile,
        plan: Plan,
        recorder: Recorder,
        conductor: Conductor,
        door: asyncio.Lock,
    ) -> None:
        self._number = number
        self._profile = profile
        self._plan = plan
        self._recorder = recorder
        self._conductor = conductor
        self._door = door
        self._draw = random.Random(f"{profile.seed} {number}")
        self._address, self._tls = "", False
        self._people: Sequence[Client] = ()
        self._clients: list[Client] = []
        self._spectator: Client | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self.tables: set[PlayedTable] = set()
        self.opened = asyncio.Event()

    async def enter(self, address: str, *, tls: bool) -> None:
        """Sign everybody in.

        Raises:
            CallError: the server does not let them.
        """
        self._address, self._tls = address, tls
        await self._sign_in()

    async def _sign_in(self) -> None:
        """Let new people take the place of those who are here."""
        humans = self._profile.seating.humans
        every = self._profile.spectator_every
        watched = bool(every) and self._number % every == 0
        clients = [Client(self._address, tls=self._tls, retries=NO_RETRIES) for _ in range(humans + watched)]
        self._clients += clients
        for seat, client in enumerate(clients):
            wish = players_pb2.SignInAsGuestRequest(
                request_id=new_request_id(), display_name=f"Load {self._number}.{seat}"
            )
            async with self._door:
                reply = await persist(
                    client.players.sign_in_as_guest, wish, "SignInAsGuest", self._recorder, DOOR_PATIENCE_S
                )
            client.tokens, client.player = reply.tokens, reply.player
        self._people, self._spectator = clients[:humans], clients[humans] if watched else None

    async def live(self) -> None:
        """Keep a table going until cancelled."""
        failures = opened = 0
        meant_s = self._recorder.clock()
        while True:
            try:
                if opened and not opened % TABLES_EACH:
                    await self._sign_in()
                table = await self._open()
            except CallError:
                failures += 1
                await asyncio.sleep(PAUSES_S[min(failures, len(PAUSES_S)) - 1])
                continue
            failures, opened = 0, opened + 1
            self._recorder.count("opened")
            self._recorder.took("opening", self._recorder.clock() - meant_s)
            self.opened.set()
            await table.over.wait()
            meant_s = self._recorder.clock()
            self._close(table)

    async def leave(self) -> None:
        """Close all that is open."""
        for table in list(self.tables):
            self._close(table)
        await asyncio.gather(*self._closing, return_exceptions=True)
        for client in self._clients:
            await client.close()

    async def _open(self) -> PlayedTable:
        """Return a new table at which a match has begun.

        Raises:
            CallError: it could not be opened.
        """
        pace = Pace(self._profile.think, self._plan.bot_time_s, self._draw)
        table = PlayedTable(
            self._people, self._spectator, self._plan, self._recorder, self._conductor, pace, self._draw
        )
        self.tables.add(table)
        try:
            await table.open()
        except CallError:
            self._close(table)
            raise
        return table

    def _close(self, table: PlayedTable) -> None:
        """Close a table while the next one is opened."""
        if table in self.tables and not table.is_closing:
            table.is_closing = True
            task = asyncio.create_task(self._closed(table))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _closed(self, table: PlayedTable) -> None:
        await table.close()
        self.tables.discard(table)

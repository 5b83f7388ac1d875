"""Whole matches between players who are scripts and bots, from opening the table to checking what is left of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from google.protobuf.duration_pb2 import Duration

from junto.table.clock import Clock
from junto.table.duties import Keep
from junto.table.keys import Keyspace
from junto.table.seats import TableId
from junto.table.service import Tables
from junto.table.store import Store
from junto.v1 import strategies_pb2, tables_pb2
from junto.v1.catalog_pb2 import RuleSet
from junto.v1.replays_pb2 import DealRecord, Replay

from .house import SHARDS, Address, House
from .laws import check_ledgers, check_replay, check_seen, history
from .players import Guest, Seen, Stalled, Tally
from .processes import PATIENCE_S

SEATS = 5


def duration(seconds: float) -> Duration:
    """Return a span of time as a message."""
    message = Duration()
    message.FromTimedelta(timedelta(seconds=seconds))
    return message


def settings(deals: int, **more: object) -> tables_pb2.TableSettings:
    """Return how a table is played: without pauses, unlisted."""
    return tables_pb2.TableSettings(
        deals=deals,
        visibility=tables_pb2.VISIBILITY_UNLISTED,
        deal_pause=duration(0),
        **more,  # type: ignore[arg-type]  # the message checks them
    )


def bot(strategy_id: str, seed: int | None = None) -> tables_pb2.Bot:
    """Return a bot; with a seed also a budget, which names it."""
    budget = None if seed is None else strategies_pb2.Budget(time=duration(60), seed=seed)
    return tables_pb2.Bot(strategy_id=strategy_id, budget=budget)


async def open_table(host: Guest, half: int, how: tables_pb2.TableSettings) -> str:
    """Open a table whose shard is of one half of all, which one of two stewards works; return its id."""
    while True:
        request = tables_pb2.CreateTableRequest(rules=RuleSet(game_id="napoleon-tw"), settings=how)
        table_id = str((await host.ask("create_table", request)).table.id)
        if Keyspace(SHARDS).shard_of(TableId(table_id)) % 2 == half:
            return table_id


async def replay_of(guest: Guest, table_id: str) -> Replay:
    """Return the whole replay of a match."""
    deals: list[DealRecord] = []
    token = ""
    while True:
        request = tables_pb2.GetReplayRequest(table_id=table_id, page_token=token)
        page: tables_pb2.GetReplayResponse = await guest.ask("get_replay", request)
        deals += page.replay.deals
        if not (token := page.next_page_token):
            break
    whole = Replay()
    whole.CopyFrom(page.replay)
    del whole.deals[:]
    whole.deals.extend(deals)
    return whole


@dataclass(slots=True)
class Match:
    """A table where everybody sits. The players are at the first seats; one more guest is a spectator."""

    house: House
    table_id: str
    deals: int
    players: Sequence[Guest]
    spectator: Guest
    seen: dict[int | None, Seen] = field(default_factory=dict)
    """By seat; None: the spectator."""

    @property
    def host(self) -> Guest:
        """Who opened the table."""
        return self.players[0]

    async def play(self, stalls_s: float = PATIENCE_S) -> None:
        """Play the match to its end; fail, and say all that is known, when nothing new comes of it for so long."""
        self.seen = {None: Seen(), **{seat: Seen() for seat in range(len(self.players))}}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.spectator.watch(self.table_id, self.seen[None], stalls_s=stalls_s))
                for seat, player in enumerate(self.players):
                    group.create_task(player.play(self.table_id, self.seen[seat], stalls_s))
                await self.host.ask("start_match", tables_pb2.StartMatchRequest(table_id=self.table_id))
        except* Stalled:
            raise AssertionError(await self._stand()) from None

    async def _stand(self) -> str:
        """Tell how the match stands in Redis, what its watchers saw, and what the processes said last."""
        async with self.house.store() as store:
            table = await Tables(store, Keep(1, 1), Clock().now_ms).get(TableId(self.table_id))
            keys = store.keyspace.table(table.table_id)
            due_ms = await store.connection.read(store.keyspace.slot(keys.shard), "ZSCORE", keys.due, keys.id)
        seen = ", ".join(
            f"{'spectator' if seat is None else f'seat {seat}'} version {one.version}"
            for seat, one in self.seen.items()
        )
        return (
            f"the match at table {self.table_id} stands still at version {table.version}: seat {table.to_act} has to"
            f" act, it is due at {due_ms} and was touched at {table.touched_ms}; seen: {seen}"
            + "".join(f"\n{role.name}{role.tail()}" for role in self.house.roles)
        )

    async def check(self, store: Store, tally: Tally) -> None:
        """Check all that is left of a match that was played to its end."""
        replay = await replay_of(self.host, self.table_id)
        changes = await history(store, self.table_id)
        check_replay(replay, self.deals, changes)
        check_ledgers(self.players, changes)
        for viewer, watcher in self.seen.items():
            check_seen(watcher, viewer, changes)
        tally.tables += 1
        tally.deals += len(replay.deals)


def at_home(house: House, number: int) -> Sequence[Address]:
    """Return where a guest calls: half of them are at home at each front, and every other speaks Connect."""
    home, other = house.fronts[number % 2], house.fronts[(number + 1) % 2]
    transport = number // 2 % 2
    return home.addresses[transport], other.addresses[transport]


@asynccontextmanager
async def seated(
    house: House,
    chance: random.Random,
    tally: Tally,
    how: tables_pb2.TableSettings,
    bots: Sequence[tables_pb2.Bot] = (bot("greedy"), bot("random")),
    half: int = 0,
) -> AsyncIterator[Match]:
    """Provide a table with these bots and players on the other seats."""
    first, players = chance.randrange(4), SEATS - len(bots)
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(
                Guest(f"Guest {number}", at_home(house, first + number), random.Random(chance.random()), tally)
            )
            for number in range(players + 1)
        ]
        match = Match(house, await open_table(guests[0], half, how), how.deals, guests[:players], guests[players])
        for seat, player in enumerate(match.players):
            await player.ask("join_table", tables_pb2.JoinTableRequest(table_id=match.table_id, seat=seat))
        for seat, occupant in enumerate(bots, players):
            request = tables_pb2.SeatBotRequest(table_id=match.table_id, seat=seat, bot=occupant)
            await match.host.ask("seat_bot", request)
        yield match


async def play_until(over: asyncio.Event, house: House, tables: int, chance: random.Random, tally: Tally) -> None:
    """Play match after match at several tables at once, until it is over; matches that are on are played to their end.

    Half of the tables are in shards that one of two stewards works.
    """

    async def play_on(half: int, chance: random.Random) -> None:
        while not over.is_set():
            async with seated(house, chance, tally, settings(deals=2), half=half) as match:
                await match.play()
                await match.check(store, tally)

    async with house.store() as store, asyncio.TaskGroup() as group:
        for number in range(tables):
            group.create_task(play_on(number % 2, random.Random(chance.random())))

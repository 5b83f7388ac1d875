"""What the service shows a player does not depend on cards that the player cannot see.

The twins of `tests.noninterference`, of every game, are played at two tables that differ in their hidden cards and
their secrets alone: cards, commitment, clock and ids are given. Bots at the tables have thoughts that tell their
hands. What is compared is everything that leaves the service for the watcher and for a spectator, byte for byte:
streams, views, answers, checks, hints' requests and refusals.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from tests.games.playing import random_action, random_game
from tests.noninterference import Interference, Pair, Twin, dealt, pairs, phases_of

from junto.front import watch
from junto.front.call import Call, Identity, Player, PlayerId, Raw
from junto.front.faults import Fault
from junto.front.serving import Serving, serving
from junto.front.tables import Offers
from junto.games.actions import Action, Claim, Pass, Play
from junto.games.catalog import GAMES
from junto.games.core import Game, Match, Step
from junto.games.shuffle import DealSeed
from junto.games.tricks import play
from junto.games.view import Phase
from junto.table import scenes
from junto.table.aggregate import Change, TableDeal
from junto.table.commands import Act
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import Actor, Bot, TableId
from junto.table.settings import Settings
from junto.table.store import open_store
from junto.v1 import strategies_pb2, tables_pb2
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.updates import Known, Update

PAIRS = 10
LEAKING_PAIRS = 25
GAMES_AND_PHASES = [(name, phase) for name, game_type in sorted(GAMES.items()) for phase in phases_of(game_type)]
NOW_MS = 1_700_000_000_000
AT_ONCE = 10
ASKED = 8
"""The watcher asks for more than the stream tells at every so-manieth step, and at the last one."""
MASKED = b"S" * 64
Rooms = tuple[Serving, Serving]
"""Two table services: one for the deals, one for their twins, so that ids may be the same."""
SECRET: ContextVar[bytes] = ContextVar("secret")
"""What the next deal of this task is dealt from."""
_NUMBERS = itertools.count(1)


@dataclass
class Deck:
    """The twins that are dealt, by the secrets of their deals."""

    twins: dict[bytes, tuple[Pair, Twin]] = field(default_factory=dict)

    def secret(self, pair: Pair, twin: Twin) -> bytes:
        """Return a fresh secret from which that twin is dealt."""
        secret = hashlib.sha256(b"%d" % next(_NUMBERS)).digest()
        self.twins[secret] = pair, twin
        return secret

    def instead_of(self, honest: Callable[[Any, Match, DealSeed], Step]) -> Callable[[Any, Match, DealSeed], Step]:
        """Return what deals a twin where the secret is one's, in place of a game's own `deal`."""

        def deal(game: Any, match: Match, seed: DealSeed) -> Step:
            if seed.secret not in self.twins:
                return honest(game, match, seed)
            pair, twin = self.twins[seed.secret]
            assert game == pair.game
            return dealt(pair.game, twin.dealing)

        return deal


@pytest.fixture
async def rooms(redis_server: EmbeddedRedis) -> AsyncIterator[Rooms]:
    """Provide two table services that share nothing but the server."""
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(2):
            connection = await open_connection(redis_server.url)
            stack.push_async_callback(connection.aclose)
            store = await open_store(connection, Keyspace(16, prefix=f"twin{next(_NUMBERS)}"))
            offers = Offers(lambda *_: True, most_tables=10_000)
            served = serving(store, Settings(), lambda: NOW_MS, offers, SECRET.get, heartbeat_s=1e6)
            opened.append(await stack.enter_async_context(served))
        yield opened[0], opened[1]


@pytest.fixture(autouse=True)
def deck(monkeypatch: pytest.MonkeyPatch) -> Deck:
    """Deal twins, and promise all deals by the same hash."""
    found = Deck()
    for game_type in GAMES.values():
        monkeypatch.setattr(game_type, "deal", found.instead_of(game_type.deal))
    monkeypatch.setattr(scenes, "commitment", lambda _: "0" * 64)
    return found


def call_of(name: str) -> Call:
    """Return a call of a player."""
    return Call(Identity(Player(PlayerId(name), name.title()), float("inf")))


def probes(step: int) -> tuple[Action, ...]:
    """Return what the watcher asks about besides: things that are legal only here and there."""
    return Play(step * 7 % 54), Pass(), Claim(step % 3)


class Evening:
    """One twin, played at a table of a room; `shown` is all that left the service."""

    def __init__(self, room: Serving, pair: Pair, twin: Twin, secret: bytes, name: str) -> None:
        self.service = room.service
        self.tables = room.tables
        self.pair = pair
        self.twin = twin
        self.secret = secret
        self.name = name
        self.shown: list[bytes] = []
        self.table_id = ""
        self._request = itertools.count()
        self.watcher = call_of("watcher")

    def request_id(self) -> str:
        """Return the next request id: the same in both twins."""
        return f"{hashlib.md5(f'{self.name} {next(self._request)}'.encode()).hexdigest()}"

    def named(self, **fields: Any) -> dict[str, Any]:
        """Return the fields that every mutation has."""
        return {"request_id": self.request_id(), "table_id": self.table_id, **fields}

    async def play(self) -> list[bytes]:
        """Play the twin's actions; return all that was shown."""
        await self.open()
        async with AsyncExitStack() as stack:
            streams = []
            for viewer in (self.watcher, call_of("spectator")):
                stream = self.service.watch_table(tables_pb2.WatchTableRequest(table_id=self.table_id), viewer)
                stack.push_async_callback(stream.aclose)
                streams.append(stream)
                await self.show(anext(stream))
            for stream in streams:  # the watcher is there
                await self.show(anext(stream))
            SECRET.set(self.secret)
            await self.show(self.service.start_match(tables_pb2.StartMatchRequest(**self.named()), call_of("host")))
            for step, action in enumerate(self.twin.actions):
                for stream in streams:
                    await self.show(anext(stream))
                if step % ASKED == self.pair.watcher:
                    await self.ask(step)
                await self.act(action)
            for stream in streams:
                await self.show(anext(stream))
            if self.pair.phase is not Phase.OVER:
                await self.ask(len(self.twin.actions))
        return self.shown

    async def open(self) -> None:
        """Open the table and fill it: the watcher, players, and bots on every other seat."""
        rules = write_rules(self.pair.game)
        create = tables_pb2.CreateTableRequest(request_id=self.request_id(), rules=rules)
        self.table_id = (await self.service.create_table(create, call_of("host"))).table.id
        for seat in range(self.pair.game.seats):
            if seat == self.pair.watcher:
                await self.service.join_table(tables_pb2.JoinTableRequest(**self.named(seat=seat)), self.watcher)
            elif seat % 2:
                await self.service.join_table(tables_pb2.JoinTableRequest(**self.named(seat=seat)), call_of(f"p{seat}"))
        bot = tables_pb2.Bot(strategy_id="greedy")
        await self.show(self.service.seat_bot(tables_pb2.SeatBotRequest(**self.named(bot=bot)), call_of("host")))

    async def show(self, reply: Any) -> None:
        """Note what a call answers, or how it is refused."""
        try:
            found = await reply
        except Fault as fault:
            self.shown.append(fault.status().SerializeToString(deterministic=True))
        else:
            self.shown.append(found.data if isinstance(found, Raw) else found.SerializeToString(deterministic=True))

    async def ask(self, step: int) -> None:
        """Ask, as the watcher and as a spectator, for all that may be asked for, legal or not."""
        get = tables_pb2.GetTableRequest(table_id=self.table_id)
        await self.show(self.service.get_table(get, self.watcher))
        await self.show(self.service.get_table(get, call_of("spectator")))
        version = (await self.tables.get(TableId(self.table_id))).version
        for action in probes(step):
            message = write_action(action)
            check = tables_pb2.CheckActionRequest(table_id=self.table_id, action=message)
            answer = await self.service.check_action(check, self.watcher)
            self.shown.append(answer.SerializeToString(deterministic=True))
            if not answer.legal:
                act = tables_pb2.ActRequest(**self.named(expected_version=version, action=message))
                await self.show(self.service.act(act, self.watcher))
        replay = tables_pb2.GetReplayRequest(table_id=self.table_id)
        await self.show(self.service.get_replay(replay, self.watcher))
        await self.show(self.hint(version))

    async def hint(self, version: int) -> strategies_pb2.DecideRequest:
        """Return what a bot would be told if the watcher asked for a hint."""
        hints = self.service._hints
        table = await self.tables.get(TableId(self.table_id))
        if table.to_act != self.pair.watcher:
            return strategies_pb2.DecideRequest()
        request = hints._job(table, self.pair.watcher, Bot("greedy")).request
        request.decision_id = str(version)
        return request

    async def act(self, action: Action) -> None:
        """Let the seat to act do it: a player by the API, a bot with thoughts that tell its whole hand."""
        table = await self.tables.get(TableId(self.table_id))
        number = table.to_act
        assert number is not None
        player = table.seats[number].player
        if player is None:
            hand = table.playable.owns[number].hand
            thought = strategies_pb2.Decision(
                action=write_action(action),
                evaluations=[strategies_pb2.Evaluation(action=write_action(Play(card)), mean=card) for card in hand],
            )
            command = Act(number, Actor.BOT, action, thought.SerializeToString())
            await self.tables.submit(TableId(self.table_id), lambda _: command)
            return
        request = tables_pb2.ActRequest(**self.named(expected_version=table.version, action=write_action(action)))
        reply = self.service.act(request, call_of(player.id))
        if number == self.pair.watcher:
            await self.show(reply)
        else:
            await reply


async def compare(rooms: Rooms, deck: Deck, found: Iterable[Pair]) -> int:
    """Play pairs, some at a time, and compare what was shown; return how many messages that was.

    Raises:
        Interference: it is not the same.
    """
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(pair: Pair) -> int:
        name = f"pair {next(_NUMBERS)}"
        twins = (pair.first, pair.second)
        secrets = [deck.secret(pair, twin) for twin in twins]
        async with limit:
            shown, shown_too = await asyncio.gather(
                *(
                    Evening(room, pair, twin, secret, name).play()
                    for room, twin, secret in zip(rooms, twins, secrets, strict=True)
                )
            )
        if pair.phase is Phase.OVER:  # the secrets are revealed, and differ; nothing else does
            shown, shown_too = (
                [message.replace(secret.hex().encode(), MASKED) for message in messages]
                for messages, secret in zip((shown, shown_too), secrets, strict=True)
            )
        if len(shown) != len(shown_too):
            raise Interference(f"seat {pair.watcher} gets {len(shown)} messages, or {len(shown_too)}")
        for number, (message, twin_message) in enumerate(zip(shown, shown_too, strict=True)):
            if message != twin_message:
                raise Interference(f"seat {pair.watcher} can tell by message {number}: {message!r} {twin_message!r}")
        return len(shown)

    return sum(await asyncio.gather(*(one(pair) for pair in found)))


def pairs_in(name: str, phase: Phase, count: int = PAIRS) -> list[Pair]:
    """Return pairs of a game with random options that stand in a phase."""

    def game(rng: Random) -> Game:
        return random_game(GAMES[name], rng)

    return list(pairs(game, random_action, phase, count, Random(f"{name} {phase.name}")))


@pytest.mark.parametrize(
    ("name", "phase"), GAMES_AND_PHASES, ids=[f"{name}-{phase.name.lower()}" for name, phase in GAMES_AND_PHASES]
)
async def test_the_service_shows_the_same_in_both_twins(rooms: Rooms, deck: Deck, name: str, phase: Phase) -> None:
    """In pairs of every game in every phase, not a byte that goes to the watcher or a spectator differs."""
    found = pairs_in(name, phase)
    assert len(found) == PAIRS

    assert await compare(rooms, deck, found) > 5 * PAIRS


# --- leaks, planted


async def assert_found(rooms: Rooms, deck: Deck, phase: Phase) -> None:
    """See the comparison fail."""
    with pytest.raises(Interference, match="can tell"):
        await compare(rooms, deck, pairs_in("napoleon-tw", phase, LEAKING_PAIRS))


async def test_a_leaked_kitty_is_found(rooms: Rooms, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a view of the deal had the kitty in it, the harness would notice."""
    honest = scenes._known

    def leak(deal: TableDeal) -> Known:
        known = honest(deal)
        kitty = deck.twins[deal.secret][1].dealing.kitty
        return replace(known, shared=replace(known.shared, kitty=kitty))

    monkeypatch.setattr(scenes, "_known", leak)
    await assert_found(rooms, deck, Phase.AUCTION)


async def test_a_leaked_seed_is_found(rooms: Rooms, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the promise told the secret instead of its hash, the harness would notice."""
    monkeypatch.setattr(scenes, "commitment", lambda secret: secret.hex())
    await assert_found(rooms, deck, Phase.AUCTION)


async def test_a_bots_leaked_thoughts_are_found(rooms: Rooms, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """If an update carried what a bot thought of its candidates, the harness would notice."""
    honest = watch.update

    def leak(change: Change) -> Update:
        made = honest(change)
        command = change.entry.command
        if isinstance(command, Act) and command.decision:
            tell = made.for_viewer
            thought = command.decision
            made.for_viewer = lambda viewer, views=True: tell(viewer, views=views) + thought  # type: ignore[method-assign]
        return made

    monkeypatch.setattr(watch, "update", leak)
    await assert_found(rooms, deck, Phase.AUCTION)


async def test_a_refusal_that_tells_of_other_hands_is_found(
    rooms: Rooms, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the reason for a refusal depended on another seat's cards, the harness would notice."""
    monkeypatch.setattr(play, "_why_not", lambda deal, _: f"the others have {[own.hand for own in deal.owns]}")
    await assert_found(rooms, deck, Phase.PLAY)


async def test_another_seats_view_is_found(rooms: Rooms, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a spectator were taken for a seat, the harness would notice."""
    honest = scenes.viewer

    def leak(table: Any, player: Any) -> int | None:
        seat = honest(table, player)
        return 0 if seat is None and player == "spectator" else seat

    monkeypatch.setattr(watch, "viewer", leak)
    await assert_found(rooms, deck, Phase.AUCTION)

"""Players as scripts: they act, remember what was acknowledged, and come back whatever dies.

A player repeats a call that was not answered, with the same request id, at the other front; and watches on where the
stream broke, after the last version that was seen.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

import grpc
from google.protobuf.message import Message

from junto.client import NO_RETRIES, CallError, Client
from junto.games.actions import text
from junto.v1 import actions_pb2, cards_pb2, errors_pb2, events_pb2, tables_pb2
from junto.v1.actions_pb2 import Action, Choices, Prompt
from junto.v1.tables_pb2 import WatchTableRequest, WatchTableResponse
from junto.wire.actions import read_action

from .house import Address
from .processes import PATIENCE_S, eventually

Reply = TypeVar("Reply", bound=Message)

UNANSWERED: Final = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
)
"""What a client gets for a call of which it cannot know whether it was carried out."""
CALL_S: Final = 10.0
"""How long an answer is waited for before the call is repeated elsewhere."""
TOO_LATE: Final = (errors_pb2.ERROR_REASON_STALE_VERSION, errors_pb2.ERROR_REASON_OVER)
"""Why a slow player's action is refused: the clock has decided, or the host has closed the table meanwhile."""
THINKS_S: Final = 0.05
"""How long a player thinks at most: others get the machine meanwhile."""
SUITS: Final = (cards_pb2.SUIT_SPADES, cards_pb2.SUIT_HEARTS, cards_pb2.SUIT_DIAMONDS, cards_pb2.SUIT_CLUBS)
FINAL: Final = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An action that a server said it has stored: the version that it made, and its text."""

    request_id: str
    version: int
    text: str


@dataclass(slots=True)
class Tally:
    """What happened in a test so far."""

    acknowledged: int = 0
    repeated: int = 0
    resumed: int = 0
    tables: int = 0
    deals: int = 0

    async def until_acknowledged(self, more: int) -> None:
        """Wait until so many more actions are acknowledged: the deals go on."""
        aim = self.acknowledged + more
        await eventually(lambda: self.acknowledged >= aim, f"{more} more actions are acknowledged")


class Stalled(AssertionError):
    """Nothing new comes of a table, though its stream may be alive."""


@dataclass(slots=True)
class Seen:
    """All that one watcher got of a table, and up to which version.

    `begins` is the version of the full view that it began with, `events` are serialised. `resets` counts full views
    after the first.
    """

    begins: int | None = None
    version: int | None = None
    events: list[bytes] = field(default_factory=list)
    resets: int = 0

    def take(self, message: WatchTableResponse) -> None:
        """Take in a message; an update must begin where the last one ended."""
        match message.WhichOneof("kind"):
            case "full":
                self.resets += self.begins is not None
                self.begins = self.version = message.full.table.version
                self.events.clear()
            case "update":
                update = message.update
                assert update.from_version == self.version, (
                    f"an update from version {update.from_version} came to a watcher who was at {self.version}"
                )
                assert update.version > update.from_version
                self.version = update.version
                self.events += [event.SerializeToString(deterministic=True) for event in update.events]
            case "resumed":
                assert self.version is not None
                assert message.resumed.version >= self.version
            case "heartbeat":
                assert message.heartbeat.version == self.version


class Guest:
    """A player who knows the addresses of all fronts and calls whichever answers.

    Args:
        name: shown to others.
        addresses: of all fronts; the first is where the player is at home.
        chance: what the player does not care about.
        tally: where it is counted.
        is_slow: whether the clock, or the end of the match, may come before the player's decision.
    """

    def __init__(
        self,
        name: str,
        addresses: Sequence[Address],
        chance: random.Random,
        tally: Tally,
        *,
        is_slow: bool = False,
    ) -> None:
        self.name = name
        self._is_slow = is_slow
        self.chance = chance
        self.ledger: list[Acknowledged] = []
        self._tally = tally
        self._addresses = addresses
        self._clients: list[Client] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for address in self._addresses:
            client = Client(address.place, address.transport, retries=NO_RETRIES, timeout_s=CALL_S)
            self._clients.append(await self._stack.enter_async_context(client))
        await self.anywhere(lambda client: client.sign_in_as_guest(self.name))
        signed_in = next(client for client in self._clients if client.player is not None)
        for client in self._clients:
            client.player, client.tokens = signed_in.player, signed_in.tokens
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def id(self) -> str:
        """The player's id."""
        player = self._clients[0].player
        assert player is not None
        return player.id

    async def anywhere(self, call: Callable[[Client], Awaitable[Reply]], begin: int = 0) -> Reply:
        """Make a call at one front after the other until it is answered."""
        until = time.monotonic() + PATIENCE_S
        for place, pause_s in enumerate(pauses(self.chance), begin):
            try:
                return await call(self._clients[place % len(self._clients)])
            except CallError as problem:
                if problem.code not in UNANSWERED or time.monotonic() > until:
                    raise
            self._tally.repeated += 1
            await asyncio.sleep(pause_s)
        raise AssertionError("pauses never end")

    async def ask(self, method: str, request: Any) -> Any:
        """Make a call of the table service, at a front that chance chooses, with one request id however often."""
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            request.request_id = self.request_id()
        begin = self.chance.randrange(len(self._clients))
        return await self.anywhere(lambda client: getattr(client.tables, method)(request), begin)

    def request_id(self) -> str:
        """Return a fresh request id."""
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    # --- at a table

    async def play(self, table_id: str, seen: Seen, stalls_s: float = PATIENCE_S) -> None:
        """Sit at a table and decide what is to be decided, until the match is over.

        Raises:
            Stalled: see `watch`.
        """
        async with asyncio.TaskGroup() as group:
            prompts: asyncio.Queue[Prompt | None] = asyncio.Queue()
            group.create_task(self._decide(table_id, prompts))
            await self.watch(table_id, seen, prompts.put_nowait, stalls_s)
            prompts.put_nowait(None)

    async def watch(
        self,
        table_id: str,
        seen: Seen,
        asked: Callable[[Prompt], None] = lambda _: None,
        stalls_s: float = PATIENCE_S,
    ) -> None:
        """Watch a table until the match is over, over as many streams as it takes; pass on what is to be decided.

        Raises:
            Stalled: the version did not grow for so long; signs of life do not count.
        """
        trouble: list[CallError] = []
        try:
            async with asyncio.timeout(stalls_s) as limit:
                async with aclosing(self._messages(table_id, seen, trouble)) as messages:
                    async for message in messages:
                        before = seen.version
                        seen.take(message)
                        if seen.version != before:
                            limit.reschedule(asyncio.get_running_loop().time() + stalls_s)
                        self._tally.resumed += message.HasField("resumed")
                        self._pass_on(message, asked)
                        if _is_over(message):
                            return
        except TimeoutError:
            last = f"; its streams broke by {trouble[-1]}" if trouble else ""
            raise Stalled(
                f"{self.name} saw nothing new of table {table_id} for {stalls_s:g} s after version {seen.version}{last}"
            ) from None

    async def _messages(
        self, table_id: str, seen: Seen, trouble: list[CallError]
    ) -> AsyncGenerator[WatchTableResponse, None]:
        """Yield what comes of a table, over one stream after the other; take note of how they broke."""
        place, waits = 0, pauses(self.chance)
        while True:
            request = WatchTableRequest(table_id=table_id, after_version=seen.version, detail=self._detail())
            client = self._clients[place % len(self._clients)]
            try:
                async with aclosing(client.tables.watch_table(request)) as stream:
                    async for message in stream:
                        waits = pauses(self.chance)
                        yield message
                        if place and _deal_ended(message):
                            place = -1  # home, and see whether the stream can be taken up there
                            break
            except CallError as problem:
                if problem.code not in UNANSWERED:
                    raise
                trouble.append(problem)
            place += 1
            await asyncio.sleep(next(waits))

    def _detail(self) -> tables_pb2.WatchDetail.ValueType:
        return self.chance.choice([tables_pb2.WATCH_DETAIL_VIEWS, tables_pb2.WATCH_DETAIL_EVENTS])

    def _pass_on(self, message: WatchTableResponse, asked: Callable[[Prompt], None]) -> None:
        kind = message.WhichOneof("kind")
        if kind in {"full", "update"}:
            view = message.full if kind == "full" else message.update
            if view.HasField("prompt"):
                asked(view.prompt)

    async def _decide(self, table_id: str, prompts: asyncio.Queue[Prompt | None]) -> None:
        answered = 0
        while (prompt := await prompts.get()) is not None:
            if prompt.version > answered:
                await asyncio.sleep(self.chance.uniform(0, THINKS_S))
                answered = prompt.version
                try:
                    await self.act(table_id, prompt)
                except CallError as refusal:
                    if not self._is_slow or refusal.reason not in TOO_LATE:
                        raise

    async def act(self, table_id: str, prompt: Prompt) -> None:
        """Answer a prompt; note what was acknowledged."""
        action = choose(prompt.choices, self.chance)
        request = tables_pb2.ActRequest(table_id=table_id, expected_version=prompt.version, action=action)
        reply = await self.ask("act", request)
        update = reply.update
        taken = next(event.action_taken for event in update.events if event.HasField("action_taken"))
        assert update.version == update.from_version + 1 > prompt.version
        assert (taken.seat, taken.actor) == (prompt.seat, events_pb2.ACTOR_PLAYER)
        assert taken.text == text(read_action(action))
        self.ledger.append(Acknowledged(request.request_id, update.version, taken.text))
        self._tally.acknowledged += 1


def pauses(chance: random.Random) -> Iterator[float]:
    """Yield the seconds to wait after each failure in a row, growing up to about one."""
    longest_s = 0.05
    while True:
        yield chance.uniform(0, longest_s)
        longest_s = min(2 * longest_s, 1.0)


def choose(choices: Choices, chance: random.Random) -> Action:
    """Return a legal action; bids are rare and low, so that some deals are void and most are played."""
    if choices.HasField("bid") and (not choices.HasField("pass") or chance.random() < 0.4):
        return Action(bid=choices.bid.bids[0])
    if choices.HasField("pass"):
        passed = Action()
        getattr(passed, "pass").SetInParent()  # Python's own word
        return passed
    if choices.HasField("choose_trump"):
        return Action(choose_trump=actions_pb2.ChooseTrump(suit=chance.choice(choices.choose_trump.suits)))
    if choices.HasField("discard"):
        cheap = [card for card in choices.discard.cards if card not in choices.discard.costly]
        others = [card for card in choices.discard.cards if card in choices.discard.costly]
        chance.shuffle(cheap)
        return Action(discard=actions_pb2.Discard(cards=(cheap + others)[: choices.discard.count]))
    if choices.HasField("call_card"):
        return Action(call_card=actions_pb2.CallCard(card=chance.choice(choices.call_card.cards)))
    card = chance.choice(choices.play_card.cards)
    suit = chance.choice(SUITS) if card in choices.play_card.naming else None
    return Action(play_card=actions_pb2.PlayCard(card=card, named_suit=suit))


def _is_over(message: WatchTableResponse) -> bool:
    kind = message.WhichOneof("kind")
    if kind == "full":
        return message.full.table.status in FINAL
    return kind == "update" and message.update.HasField("table") and message.update.table.status in FINAL


def _deal_ended(message: WatchTableResponse) -> bool:
    return message.WhichOneof("kind") == "update" and any(e.HasField("deal_ended") for e in message.update.events)

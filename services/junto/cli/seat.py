"""A person at a table: what they are shown, what they type, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from functools import partial

from junto.cli import board, hints
from junto.cli.climbing_board import named_card
from junto.cli.climbing_typing import Held, action_words, listing
from junto.cli.console import say
from junto.cli.controls import NotUnderstood, Word, asked, read_line
from junto.cli.faces import action_face
from junto.cli.helping import help_text
from junto.cli.hindsight import Hindsight
from junto.cli.lines import Lines
from junto.cli.story import Story
from junto.cli.tables import hand_names
from junto.cli.watching import follow
from junto.client import CallError, Client
from junto.games.actions import Action, text
from junto.games.view import Prompt
from junto.v1 import actions_pb2, catalog_pb2, tables_pb2, views_pb2
from junto.wire.actions import read_action, write_action
from junto.wire.prompts import read_prompt
from junto.wire.reading import read_own, read_shared

HINT_TIMEOUT_S = 30.0


class Quit(Exception):
    """The player wants to go."""


class Seat:
    """One player's seat at one table.

    Args:
        client: the player's.
        table: where they sit.
        game: the catalogue's entry of the game.
        lines: what they type.
    """

    def __init__(self, client: Client, table: tables_pb2.Table, game: catalog_pb2.Game, lines: Lines) -> None:
        self._client = client
        self._table_id = table.id
        self._rules = table.rules
        titles = {int(role.role): role.title for role in game.role_names}
        self._words = board.Words(hand_names(table), titles, game.unit)
        self._story = Story(self._words.names, game)
        self._hindsight = Hindsight(client, table, self._words.names)
        self._lines = lines
        self._deal = views_pb2.DealView()
        self._match = views_pb2.MatchView()

    async def play(self) -> views_pb2.MatchView:
        """Play until the match is over; return how it ended.

        Raises:
            Quit: the player went.
            CallError: the server does not answer any more.
        """
        answered = 0
        async with self._messages() as messages:
            while (message := await messages.get()) is not None:
                if isinstance(message, CallError):
                    raise message
                prompt = self._take_in(message)
                for line in await self._hindsight.after(message.update):
                    say(line)
                if prompt is not None and prompt.version > answered:
                    answered = await self._decide(prompt)
        return self._match

    @asynccontextmanager
    async def _messages(self) -> AsyncIterator[asyncio.Queue[tables_pb2.WatchTableResponse | CallError | None]]:
        """Read the stream also while the player thinks: one that is not read would be cut off."""
        queue: asyncio.Queue[tables_pb2.WatchTableResponse | CallError | None] = asyncio.Queue()

        async def read() -> None:
            try:
                async with aclosing(follow(self._client, self._table_id)) as stream:
                    async for message in stream:
                        queue.put_nowait(message)
            except CallError as error:
                queue.put_nowait(error)
            queue.put_nowait(None)

        reader = asyncio.create_task(read())
        try:
            yield queue
        finally:
            reader.cancel()

    def _take_in(self, message: tables_pb2.WatchTableResponse) -> actions_pb2.Prompt | None:
        """Tell what a message brings; return the decision that it asks for."""
        match message.WhichOneof("kind"):
            case "full":
                view: tables_pb2.TableView | tables_pb2.TableUpdate = message.full
                self._match.CopyFrom(message.full.table.match)
                self._story.catch_up(message.full)
            case "update":
                view = message.update
                for line in self._story.tell_update(message.update):
                    say(line)
                if message.update.table.HasField("match"):
                    self._match.CopyFrom(message.update.table.match)
            case _:
                return None
        if view.HasField("deal"):
            self._deal.CopyFrom(view.deal)
        return view.prompt if view.HasField("prompt") else None

    async def _decide(self, message: actions_pb2.Prompt) -> int:
        """Ask until an action is accepted; return the version that it answered."""
        self._show()
        prompt = read_prompt(message)
        while True:
            say(f"> {asked(prompt)}", style="bold")
            line = await self._lines.next()
            if line is None:
                raise Quit
            try:
                wish = read_line(line, prompt, self._held())
            except NotUnderstood as answer:
                say(f"  {answer}")
                continue
            if isinstance(wish, Word):
                await self._oblige(wish, message)
            elif await self._act(wish, message):
                return message.version

    def _show(self) -> None:
        say()
        sides = [list(side.seats) for side in self._match.sides]
        shared, own = read_shared(self._deal.shared), read_own(self._deal.own)
        for line in board.draw(shared, own, self._words, sides):
            say(line)

    async def _oblige(self, word: Word, prompt: actions_pb2.Prompt) -> None:
        match word:
            case Word.QUIT:
                raise Quit
            case Word.HELP:
                say(help_text(read_shared(self._deal.shared)))
            case Word.HAND:
                self._show()
            case Word.HINT:
                await self._hint(prompt)
            case Word.LIST:
                self._list(read_prompt(prompt))
            case Word.EXPLAIN:
                await self._explain()

    def _held(self) -> Held | None:
        """Return the hand from which cards are picked for a combination; None: the game has none."""
        if not self._deal.shared.HasField("climbing"):
            return None
        return Held(read_own(self._deal.own).hand, named_card(read_shared(self._deal.shared)))

    def _list(self, prompt: Prompt) -> None:
        choice = prompt.choices.combination
        for line in [f"  {asked(prompt)}"] if choice is None else listing(choice):
            say(line)

    async def _hint(self, prompt: actions_pb2.Prompt) -> None:
        request = tables_pb2.SuggestActionRequest(table_id=self._table_id, expected_version=prompt.version)
        try:
            reply = await self._client.tables.suggest_action(request, timeout_s=HINT_TIMEOUT_S)
        except CallError as error:
            say(f"  there is no hint: {error.message}")
            return
        for line in hints.explain(reply.decision, self._words, self._in_words(read_prompt(prompt))):
            say(line)

    def _in_words(self, prompt: Prompt) -> Callable[[Action], str]:
        """Return what puts the actions of a decision in words."""
        held = self._held()
        return text if held is None else partial(action_words, choice=prompt.choices.combination, named=held.spared)

    async def _explain(self) -> None:
        shared = self._deal.shared
        calls = [call.action for call in shared.calls]
        request = catalog_pb2.ExplainAuctionRequest(rules=self._rules, board=shared.number, calls=calls)
        try:
            reply = await self._client.catalog.explain_auction(request)
        except CallError as error:
            say(f"  nothing is explained: {error.message}")
            return
        for call, meaning in zip(shared.calls, reply.meanings, strict=True):
            say(f"  {self._words.names[call.seat]} {action_face(read_action(call.action))}: {meaning.sentence}")

    async def _act(self, action: Action, prompt: actions_pb2.Prompt) -> bool:
        """Send an action; tell a refusal. Return whether the decision is made, by us or by the clock."""
        request = tables_pb2.ActRequest(
            table_id=self._table_id, expected_version=prompt.version, action=write_action(action)
        )
        try:
            await self._client.tables.act(request)
        except CallError as error:
            if error.code.name not in {"FAILED_PRECONDITION", "INVALID_ARGUMENT", "ABORTED"}:
                raise
            say(f"  refused: {error.message}")
            return error.code.name == "ABORTED"
        return True

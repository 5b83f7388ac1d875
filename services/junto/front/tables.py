"""TableService: card tables over the API. Each method reads the request, asks the table, and shows what came of it.

What a caller sees is made by the wire's `Scene` and `Update`, for the caller's seat or for a spectator. A
mutation's request id is looked up in the commit itself, and before a refusal: an honest retry gets the first
answer, made again from the log.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Final

from junto.front.call import Call, Raw
from junto.front.faults import FieldViolation, InvalidField
from junto.front.hints import Hints
from junto.front.pages import read_page_token, write_page_token
from junto.front.refusals import refusals
from junto.front.watch import Hub
from junto.games.actions import Action, text
from junto.games.shuffle import SECRET_BYTES
from junto.table import commands
from junto.table.aggregate import Change, Table
from junto.table.errors import (
    DealNotOver,
    MatchNotStarted,
    NoHints,
    NotAllowed,
    NotSeated,
    NotYourTurn,
    StrategyNotFound,
    TableError,
    TooMany,
)
from junto.table.handling import handle
from junto.table.listing import Listing, everything, list_tables
from junto.table.messages import read_bot, read_settings
from junto.table.replays import finished_deals, write_replay
from junto.table.scenes import may_watch, scene, viewer, write_table
from junto.table.seats import Actor, Bot, PlayerId, TableId
from junto.table.service import Decide, Tables, read_label
from junto.table.store import Request, content_hash
from junto.table.summary import summary
from junto.v1 import actions_pb2, cards_pb2, tables_pb2
from junto.wire.actions import read_action
from junto.wire.catalog import read_rules
from junto.wire.combinations import write_combination
from junto.wire.errors import WireError
from junto.wire.joining import nested, tag

_ACT_UPDATE: Final = tag(tables_pb2.ActResponse, "update")
_GET_VIEW: Final = tag(tables_pb2.GetTableResponse, "view")
_JOIN_VIEW: Final = tag(tables_pb2.JoinTableResponse, "view")
_START_VIEW: Final = tag(tables_pb2.StartMatchResponse, "view")

_ID_BYTES: Final = 10
_PAGE: Final = 20
_LONGEST_TOKEN_S: Final = 30 * 86_400.0


@dataclass(frozen=True, slots=True)
class Offers:
    """What the server offers beyond the rules.

    Args:
        plays: tells whether there is a strategy with an id, and whether it plays a game with an id.
        hint_bot: who is asked for hints if the player names nobody.
        most_tables: how many tables a player may be at.
    """

    plays: Callable[[str, str], bool]
    hint_bot: Bot = Bot("pimc")  # noqa: RUF009 (frozen)
    most_tables: int = 100


class TableService:
    """Answers `junto.v1.TableService`.

    Args:
        tables: the tables.
        hub: whoever watches them in this process.
        hints: asks for hints.
        offers: see there.
        draw_secret: 32 fresh bytes for each deal; the system's randomness by default.
        clock: seconds since 1970, as the tokens count them.
    """

    def __init__(
        self,
        tables: Tables,
        hub: Hub,
        hints: Hints,
        offers: Offers,
        *,
        draw_secret: Callable[[], bytes] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tables = tables
        self._hub = hub
        self._hints = hints
        self._offers = offers
        self._draw_secret = draw_secret or (lambda: secrets.token_bytes(SECRET_BYTES))
        self._clock = clock

    # --- tables and seats

    async def create_table(self, request: tables_pb2.CreateTableRequest, call: Call) -> tables_pb2.CreateTableResponse:
        """Open a table."""
        with refusals():
            game = read_rules(request.rules)
            settings = read_settings(request.settings, game.default_deals)
            self._check_bot(settings.stand_in, game.id)
            host = call.player
            table_id = _table_id(host.id, request.request_id)
            await self._check_count(host.id, table_id)
            command = commands.CreateTable(table_id, game, settings, host)
            change = await self._tables.create(command, host.id, _request(call, request))
            return tables_pb2.CreateTableResponse(table=write_table(change.table))

    async def get_table(self, request: tables_pb2.GetTableRequest, call: Call) -> Raw:
        """Return a table as the caller may see it."""
        with refusals():
            table = await self._visible(request.table_id, call)
            return Raw(nested(_GET_VIEW, _view(table, call)))

    async def list_tables(self, request: tables_pb2.ListTablesRequest, call: Call) -> tables_pb2.ListTablesResponse:
        """Return a page of tables."""
        with refusals():
            kind = "mine" if request.mine else "listed"
            cursor = read_page_token(kind, request.page_token)
            player = call.player.id if request.mine else None
            limit = request.page_size or _PAGE
            found: list[tables_pb2.Table] = []
            while True:
                page = await list_tables(
                    self._tables.store,
                    limit=limit - len(found),
                    cursor=cursor,
                    player=player,
                    wanted=everything if request.mine else lambda listing: _is_wanted(listing, request),
                )
                cursor = page.next_cursor
                found += [table for table in await self._summaries(page.tables) if _matches(table, request)]
                if not cursor or len(found) >= limit:
                    break
            return tables_pb2.ListTablesResponse(tables=found, next_page_token=write_page_token(kind, cursor))

    async def close_table(self, request: tables_pb2.CloseTableRequest, call: Call) -> tables_pb2.CloseTableResponse:
        """End a table."""
        change = await self._submit(request, call, lambda _: commands.Close())
        return tables_pb2.CloseTableResponse(table=write_table(change.table))

    async def join_table(self, request: tables_pb2.JoinTableRequest, call: Call) -> Raw:
        """Seat the caller."""
        seat = request.seat if request.HasField("seat") else None
        with refusals():
            await self._check_count(call.player.id, TableId(request.table_id))
        change = await self._submit(request, call, lambda _: commands.Join(call.player, seat))
        number = _own_seat(change.table, call.player.id)
        about = tables_pb2.JoinTableResponse(seat=number).SerializeToString()
        return Raw(about + nested(_JOIN_VIEW, _view(change.table, call)))

    async def leave_table(self, request: tables_pb2.LeaveTableRequest, call: Call) -> tables_pb2.LeaveTableResponse:
        """Take the caller's seat away, or a bot's."""
        seat = request.seat if request.HasField("seat") else None
        change = await self._submit(request, call, lambda _: commands.Leave(seat))
        return tables_pb2.LeaveTableResponse(table=write_table(change.table))

    async def seat_bot(self, request: tables_pb2.SeatBotRequest, call: Call) -> tables_pb2.SeatBotResponse:
        """Put a bot on free seats."""
        seat = request.seat if request.HasField("seat") else None
        bot = read_bot(request.bot)

        def decide(table: Table) -> commands.SeatBot:
            self._check_bot(bot, table.game.id)
            return commands.SeatBot(bot, seat)

        change = await self._submit(request, call, decide)
        return tables_pb2.SeatBotResponse(table=write_table(change.table))

    # --- play

    async def start_match(self, request: tables_pb2.StartMatchRequest, call: Call) -> Raw:
        """Start a match and its first deal."""
        change = await self._submit(request, call, lambda _: commands.StartMatch(self._draw_secret()))
        return Raw(nested(_START_VIEW, _view(change.table, call)))

    async def add_entropy(self, request: tables_pb2.AddEntropyRequest, call: Call) -> tables_pb2.AddEntropyResponse:
        """Add the caller's randomness to a deal."""
        command = commands.AddEntropy(request.deal_number, bytes.fromhex(request.entropy))
        change = await self._submit(request, call, lambda _: command)
        return tables_pb2.AddEntropyResponse(version=change.entry.version)

    async def check_action(self, request: tables_pb2.CheckActionRequest, call: Call) -> tables_pb2.CheckActionResponse:
        """Tell what would come of an action."""
        with refusals():
            action = _action(request.action)
            table = await self._tables.get(TableId(request.table_id))
            player = call.player.id
            act = commands.Act(_own_seat(table, player), Actor.PLAYER, action)
            reply = tables_pb2.CheckActionResponse(
                legal=True, text=text(action), combination=_reading(table, action), version=table.version
            )
            try:
                handle(table, act, player, self._tables.now_ms())
            except TableError as refusal:
                reply.legal, reply.reason, reply.message = False, refusal.reason, refusal.message
            return reply

    async def act(self, request: tables_pb2.ActRequest, call: Call) -> Raw:
        """Make the caller's decision."""
        with refusals():
            action = _action(request.action)
            player = call.player.id

            def decide(table: Table) -> commands.Act:
                number = _own_seat(table, player)
                if request.HasField("seat") and request.seat != number:
                    raise NotSeated(f"seat {request.seat} is not yours")
                if table.deal is not None:
                    table.require_prompt(request.expected_version)
                return commands.Act(number, Actor.PLAYER, action)

            change = await self._tables.submit(TableId(request.table_id), decide, player, _request(call, request))
            assert change is not None
            assert isinstance(change.entry.command, commands.Act)
            update = self._hub.update_of(change)
            return Raw(nested(_ACT_UPDATE, update.for_viewer(change.entry.command.seat)))

    def watch_table(self, request: tables_pb2.WatchTableRequest, call: Call) -> AsyncGenerator[Raw, None]:
        """Stream what happens at a table."""
        token_s = min(_LONGEST_TOKEN_S, max(0.0, call.token_expires - self._clock()))
        return self._hub.watch(
            TableId(request.table_id),
            call.player.id,
            request.after_version if request.HasField("after_version") else None,
            views=request.detail != tables_pb2.WATCH_DETAIL_EVENTS,
            token_s=token_s,
        )

    async def suggest_action(
        self, request: tables_pb2.SuggestActionRequest, call: Call
    ) -> tables_pb2.SuggestActionResponse:
        """Tell what a strategy would do in the caller's place."""
        with refusals():
            table = await self._tables.get(TableId(request.table_id))
            number = _own_seat(table, call.player.id)
            if not table.settings.hints:
                raise NoHints("this table is played without hints")
            to_act = table.playable.to_act
            table.require_prompt(request.expected_version)
            if to_act != number:
                assert to_act is not None
                raise NotYourTurn(to_act)
            bot = read_bot(request.bot) if request.HasField("bot") else self._offers.hint_bot
            self._check_bot(bot, table.game.id)
            decision = await self._hints.ask(table, number, bot)
            return tables_pb2.SuggestActionResponse(decision=decision)

    async def get_replay(self, request: tables_pb2.GetReplayRequest, call: Call) -> tables_pb2.GetReplayResponse:
        """Return a page of the match's finished deals."""
        with refusals():
            table = await self._visible(request.table_id, call)
            deals = finished_deals(table)
            if table.match is None:
                raise MatchNotStarted("the match has not started")
            if not deals:
                raise DealNotOver("no deal of the match is over, and until then its cards are secret")
            cursor = read_page_token(f"replay {table.table_id}", request.page_token)
            after = int.from_bytes(cursor, "big") if cursor else -1
            rest = [start for start in deals if start.log > after]
            page = rest[: request.page_size or _PAGE]
            more = page[-1].log.to_bytes(4, "big") if len(page) < len(rest) else b""
            return tables_pb2.GetReplayResponse(
                replay=await write_replay(self._tables.store, table, page),
                next_page_token=write_page_token(f"replay {table.table_id}", more),
            )

    # --- parts

    async def _submit(self, request: Any, call: Call, decide: Decide) -> Change:
        """Let a command of the caller's happen, at the version that the request expects."""
        expected = (
            request.expected_version
            if "expected_version" in request.DESCRIPTOR.fields_by_name and request.HasField("expected_version")
            else None
        )

        def decide_at(table: Table) -> commands.Command:
            table.require_version(expected)
            return decide(table)

        with refusals():
            change = await self._tables.submit(
                TableId(request.table_id), decide_at, call.player.id, _request(call, request)
            )
            assert change is not None, "what players ask for always changes the table's version"
            return change

    async def _visible(self, table_id: str, call: Call) -> Table:
        table = await self._tables.get(TableId(table_id))
        if not may_watch(table, call.player.id):
            raise NotAllowed("only its players may see this table")
        return table

    async def _summaries(self, listings: tuple[Listing, ...]) -> list[tables_pb2.Table]:
        stored = await self._tables.store.load_many(listing.table_id for listing in listings)
        summaries = (summary(one.snapshot) for one in stored if one is not None)
        return [table for table in summaries if table is not None]

    async def _check_count(self, player: PlayerId, table_id: TableId) -> None:
        most = self._offers.most_tables
        page = await list_tables(self._tables.store, limit=most, player=player)
        if len(page.tables) >= most and all(listing.table_id != table_id for listing in page.tables):
            raise TooMany(f"you are at {most} tables already: close some first", most)

    def _check_bot(self, bot: Bot | None, game_id: str) -> None:
        if bot is not None and not self._offers.plays(bot.strategy_id, game_id):
            raise StrategyNotFound(f"there is no strategy {bot.strategy_id!r} that plays {game_id}")


def _table_id(player: PlayerId, request_id: str) -> TableId:
    """Return the id that follows from who asks and for which intent: asked again, it is the same table."""
    digest = hashlib.sha256(f"{player}\0{request_id}".encode()).digest()
    return TableId(base64.b32encode(digest[:_ID_BYTES]).decode().lower())


def _request(call: Call, request: Any) -> Request:
    content = request.DESCRIPTOR.name.encode() + request.SerializeToString(deterministic=True)
    return Request(f"{call.player.id}:{request.request_id}", content_hash(content), b"")


def _action(message: actions_pb2.Action) -> Action:
    try:
        return read_action(message)
    except WireError as error:
        raise InvalidField([FieldViolation("action", str(error))]) from None


def _reading(table: Table, action: Action) -> cards_pb2.Combination | None:
    """Return the combination that the deal on the table takes an action's cards for; None: for none."""
    state = table.deal.state if table.deal is not None else None
    combination = None if state is None else state.reading(action)
    return None if combination is None else write_combination(combination)


def _own_seat(table: Table, player: PlayerId) -> int:
    number = viewer(table, player)
    if number is None:
        raise NotSeated("you have no seat at this table")
    return number


def _view(table: Table, call: Call) -> bytes:
    return scene(table).view(viewer(table, call.player.id))


def _is_wanted(listing: Listing, request: tables_pb2.ListTablesRequest) -> bool:
    status, game_id = read_label(listing.label)
    return request.game_id in {"", game_id} and request.status in {0, status}


def _matches(table: tables_pb2.Table, request: tables_pb2.ListTablesRequest) -> bool:
    return request.game_id in {"", table.rules.game_id} and request.status in {0, table.status}

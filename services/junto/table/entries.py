"""Log entries as bytes, and back: everything that a command's effect depends on, and nothing that follows from it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from junto.games.actions import Action
from junto.internal.v1 import store_pb2
from junto.table.aggregate import Entry
from junto.table.commands import (
    Act,
    AddEntropy,
    Close,
    Command,
    CreateTable,
    Credit,
    DealCards,
    Join,
    Leave,
    OpenDeal,
    Presence,
    SeatBot,
    StandIn,
    StartMatch,
)
from junto.table.messages import (
    read_bot,
    read_player,
    read_settings,
    write_bot,
    write_player,
    write_settings,
)
from junto.table.seats import Actor, PlayerId, TableId
from junto.v1 import events_pb2
from junto.wire.actions import read_action, write_action
from junto.wire.catalog import read_rules, write_rules
from junto.wire.joining import nested, tag

_COMMAND: Final = tag(store_pb2.LogEntry, "command")
_CHECKPOINT: Final = tag(store_pb2.LogEntry, "checkpoint")


class ForeignEntry(Exception):
    """A log entry that holds no command that this process knows: a newer one wrote it."""


def pack_entry(entry: Entry, checkpoint: bytes | None = None) -> bytes:
    """Return an entry as bytes; `checkpoint` is the packed table after it, for a log's first entry and some more."""
    about = store_pb2.LogEntry(version=entry.version, time_ms=entry.time_ms).SerializeToString()
    by = store_pb2.Command(player_id=entry.by).SerializeToString()
    packed = about + nested(_COMMAND, by + _command_bytes(entry.command))
    return packed if checkpoint is None else packed + nested(_CHECKPOINT, checkpoint)


def read_entry(message: store_pb2.LogEntry) -> Entry:
    """Return the entry of a message.

    Raises:
        ForeignEntry: it holds no command that this process knows.
    """
    return Entry(message.version, message.time_ms, PlayerId(message.command.player_id), _read(message.command))


def read_log_message(packed: bytes) -> store_pb2.LogEntry:
    """Return a log entry's message."""
    return store_pb2.LogEntry.FromString(packed)


def _command_bytes(command: Command) -> bytes:
    if isinstance(command, Act) and command.decision is None:
        return _act_bytes(command.seat, int(command.actor), command.action)
    return _write(command).SerializeToString()


@lru_cache(8192)
def _act_bytes(seat: int, actor: int, action: Action) -> bytes:
    """Return a decision serialised; there are some thousands, and each comes up in every deal."""
    return _write(Act(seat, Actor(actor), action)).SerializeToString()


def _write(command: Command) -> store_pb2.Command:
    match command:
        case Act(seat, actor, action, decision):
            act = store_pb2.Act(seat=seat, actor=events_pb2.Actor.ValueType(actor), action=write_action(action))
            if decision is not None:
                act.decision.MergeFromString(decision)
            return store_pb2.Command(act=act)
        case Presence(seat, connected):
            return store_pb2.Command(presence=store_pb2.Presence(seat=seat, connected=connected))
        case OpenDeal(secret):
            return store_pb2.Command(open_deal=store_pb2.OpenDeal(secret=secret))
        case DealCards():
            return store_pb2.Command(deal_cards=store_pb2.DealCards())
        case AddEntropy(deal_number, entropy):
            add = store_pb2.AddEntropy(deal_number=deal_number, entropy=entropy)
            return store_pb2.Command(add_entropy=add)
        case StandIn(seat):
            return store_pb2.Command(stand_in=store_pb2.StandIn(seat=seat))
        case Credit(ms):
            return store_pb2.Command(credit=store_pb2.Credit(ms=ms))
        case _:
            return _write_lobby(command)


def _write_lobby(command: CreateTable | Join | Leave | SeatBot | StartMatch | Close) -> store_pb2.Command:
    match command:
        case Join(player, number):
            return store_pb2.Command(join=store_pb2.Join(player=write_player(player), seat=number))
        case Leave(number):
            return store_pb2.Command(leave=store_pb2.Leave(seat=number))
        case SeatBot(bot, number):
            return store_pb2.Command(seat_bot=store_pb2.SeatBot(seat=number, bot=write_bot(bot)))
        case StartMatch(secret):
            return store_pb2.Command(start=store_pb2.StartMatch(deal=store_pb2.OpenDeal(secret=secret)))
        case Close():
            return store_pb2.Command(close=store_pb2.Close())
        case CreateTable():
            return store_pb2.Command(create=_write_create(command))


def _write_create(command: CreateTable) -> store_pb2.CreateTable:
    return store_pb2.CreateTable(
        table_id=command.table_id,
        rules=write_rules(command.game),
        settings=write_settings(command.settings),
        host=None if command.host is None else write_player(command.host),
    )


def _read(message: store_pb2.Command) -> Command:
    match message.WhichOneof("kind"):
        case "act":
            act = message.act
            decision = act.decision.SerializeToString() if act.HasField("decision") else None
            return Act(act.seat, Actor(act.actor), read_action(act.action), decision)
        case "presence":
            return Presence(message.presence.seat, message.presence.connected)
        case "open_deal":
            return OpenDeal(message.open_deal.secret)
        case "deal_cards":
            return DealCards()
        case "add_entropy":
            return AddEntropy(message.add_entropy.deal_number, message.add_entropy.entropy)
        case "stand_in":
            return StandIn(message.stand_in.seat)
        case "credit":
            return Credit(message.credit.ms)
        case "join":
            return Join(read_player(message.join.player), _seat(message.join))
        case "leave":
            return Leave(_seat(message.leave))
        case "seat_bot":
            return SeatBot(read_bot(message.seat_bot.bot), _seat(message.seat_bot))
        case "start":
            return StartMatch(message.start.deal.secret)
        case "close":
            return Close()
        case "create":
            return _read_create(message.create)
        case _:
            raise ForeignEntry("a log entry holds a command that this version does not know")


def _read_create(message: store_pb2.CreateTable) -> CreateTable:
    game = read_rules(message.rules)
    host = read_player(message.host) if message.HasField("host") else None
    return CreateTable(TableId(message.table_id), game, read_settings(message.settings, game.default_deals), host)


def _seat(message: store_pb2.Join | store_pb2.Leave | store_pb2.SeatBot) -> int | None:
    return message.seat if message.HasField("seat") else None

"""The table's own values as messages, and back: players, bots, settings."""

from __future__ import annotations

from junto.table.seats import Bot, Player, PlayerId, TableSettings, Visibility
from junto.v1 import players_pb2, tables_pb2
from junto.wire.decisions import read_budget, write_budget
from junto.wire.times import read_span, write_span


def write_player(player: Player) -> players_pb2.Player:
    """Return the message of a player."""
    return players_pb2.Player(id=player.id, display_name=player.name)


def read_player(message: players_pb2.Player) -> Player:
    """Return the player of a message."""
    return Player(PlayerId(message.id), message.display_name)


def write_bot(bot: Bot) -> tables_pb2.Bot:
    """Return the message of a bot."""
    return tables_pb2.Bot(strategy_id=bot.strategy_id, budget=None if bot.budget is None else write_budget(bot.budget))


def read_bot(message: tables_pb2.Bot) -> Bot:
    """Return the bot of a message."""
    return Bot(message.strategy_id, read_budget(message.budget) if message.HasField("budget") else None)


def write_settings(settings: TableSettings) -> tables_pb2.TableSettings:
    """Return the message of how a table is played."""
    return tables_pb2.TableSettings(
        turn_time=None if settings.turn_ms is None else write_span(settings.turn_ms),
        time_bank=write_span(settings.bank_ms) if settings.bank_ms else None,
        deals=settings.deals,
        visibility=tables_pb2.Visibility.ValueType(settings.visibility),
        hints=settings.hints,
        stand_in=None if settings.stand_in is None else write_bot(settings.stand_in),
        entropy_time=write_span(settings.entropy_ms) if settings.entropy_ms else None,
        deal_pause=None if settings.pause_ms is None else write_span(settings.pause_ms),
    )


def read_settings(message: tables_pb2.TableSettings, default_deals: int) -> TableSettings:
    """Return how a table is played; what is absent has its default: public, hints, no clock, no stand-in."""
    return TableSettings(
        deals=message.deals if message.HasField("deals") else default_deals,
        visibility=Visibility(message.visibility or Visibility.PUBLIC),
        turn_ms=read_span(message.turn_time) if message.HasField("turn_time") else None,
        bank_ms=read_span(message.time_bank),
        hints=message.hints if message.HasField("hints") else True,
        stand_in=read_bot(message.stand_in) if message.HasField("stand_in") else None,
        entropy_ms=read_span(message.entropy_time),
        pause_ms=read_span(message.deal_pause) if message.HasField("deal_pause") else None,
    )

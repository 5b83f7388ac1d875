"""The table's own values as messages, and back: seats, settings, rules, players, bots."""

from __future__ import annotations

from functools import lru_cache

from junto.games.catalog import UnknownGame, open_game
from junto.games.core import Game
from junto.games.options import OptionError, OptionValue
from junto.table.errors import GameNotFound, InvalidOption
from junto.table.seats import Bot, Budget, Player, PlayerId, TableSettings, Visibility
from junto.v1 import catalog_pb2, players_pb2, strategies_pb2, tables_pb2
from junto.wire.times import read_span, write_span


def write_player(player: Player) -> players_pb2.Player:
    """Return the message of a player."""
    return players_pb2.Player(id=player.id, display_name=player.name)


def read_player(message: players_pb2.Player) -> Player:
    """Return the player of a message."""
    return Player(PlayerId(message.id), message.display_name)


def write_budget(budget: Budget) -> strategies_pb2.Budget:
    """Return the message of a budget."""
    return strategies_pb2.Budget(
        time=None if budget.time_ms is None else write_span(budget.time_ms),
        iterations=budget.iterations,
        seed=budget.seed,
    )


def read_budget(message: strategies_pb2.Budget) -> Budget:
    """Return the budget of a message; a time below a millisecond counts as one."""
    return Budget(
        time_ms=max(1, read_span(message.time)) if message.HasField("time") else None,
        iterations=message.iterations if message.HasField("iterations") else None,
        seed=message.seed if message.HasField("seed") else None,
    )


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


def write_rules(game: Game) -> catalog_pb2.RuleSet:
    """Return the message of a rule set, every option set."""
    options = [catalog_pb2.OptionSetting(name=name, value=_write_option(value)) for name, value in game.options.items()]
    return catalog_pb2.RuleSet(game_id=game.id, options=options)


def read_rules(message: catalog_pb2.RuleSet) -> Game:
    """Return the rule set of a message; what is not set has its default.

    Raises:
        GameNotFound: there is no such game.
        InvalidOption: it has no such option, or not with that value, or one was given twice.
    """
    options = tuple((setting.name, _read_option(setting.value)) for setting in message.options)
    twice = next((name for name, _ in options if sum(name == other for other, _ in options) > 1), None)
    if twice is not None:
        raise InvalidOption(f"option {twice!r} is set more than once", twice)
    try:
        return _opened(message.game_id, options)
    except UnknownGame as error:
        raise GameNotFound(str(error)) from None
    except OptionError as error:
        raise InvalidOption(str(error), error.option) from None


@lru_cache(maxsize=256)
def _opened(game_id: str, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    return open_game(game_id, dict(options))


def _write_option(value: OptionValue) -> catalog_pb2.OptionValue:
    match value:
        case bool():
            return catalog_pb2.OptionValue(flag=value)
        case int():
            return catalog_pb2.OptionValue(number=value)
        case str():
            return catalog_pb2.OptionValue(choice=value)


def _read_option(message: catalog_pb2.OptionValue) -> OptionValue:
    match message.WhichOneof("kind"):
        case "flag":
            return message.flag
        case "number":
            return message.number
        case _:
            return message.choice

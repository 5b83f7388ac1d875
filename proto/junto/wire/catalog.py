"""Games, their options and rule sets as messages, and the game that a rule set asks for."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from junto.games import catalog
from junto.games.core import Game
from junto.games.options import Choice, Flag, Number, Option, OptionError, OptionValue
from junto.v1 import catalog_pb2
from junto.wire.errors import OptionRefused, UnknownGame
from junto.wire.joining import Remembered
from junto.wire.results import write_role

_OPEN_GAMES: Final = 512


def write_game(game: type[Game]) -> catalog_pb2.Game:
    """Return a game's entry of the catalogue."""
    fewest, most = game.player_range
    return catalog_pb2.Game(
        id=game.id,
        title=game.title,
        players=catalog_pb2.PlayerRange(min=fewest, max=most),
        options=[_write_option(option) for option in game.options_schema],
        role_names=[
            catalog_pb2.RoleName(role=write_role(role), title=title) for role, title in game.role_names.items()
        ],
        unit=game.unit,
    )


def write_rules(game: Game) -> catalog_pb2.RuleSet:
    """Return the rule set of a game, every option set, in the order of its schema."""
    return catalog_pb2.RuleSet(
        game_id=game.id,
        options=[
            catalog_pb2.OptionSetting(name=name, value=_write_value(value)) for name, value in game.options.items()
        ],
    )


def _rules(game: Game) -> bytes:
    return write_rules(game).SerializeToString()


rules_bytes: Final = Remembered(_rules)
"""The serialised `RuleSet` of a game."""


def read_rules(message: catalog_pb2.RuleSet) -> Game:
    """Return the game that a rule set asks for; equal rule sets usually give the same object.

    Raises:
        UnknownGame: there is no such game.
        OptionRefused: it has no such option, or not with that value, or one is set twice.
    """
    return _open(message.SerializeToString(deterministic=True))


@lru_cache(_OPEN_GAMES)
def _open(rules: bytes) -> Game:
    message = catalog_pb2.RuleSet.FromString(rules)
    values: dict[str, OptionValue] = {}
    for index, setting in enumerate(message.options):
        if setting.name in values:
            raise OptionRefused(setting.name, f"options[{index}].name", f"{setting.name} is set twice")
        values[setting.name] = _read_value(setting.value, setting.name, index)
    try:
        return catalog.open_game(message.game_id, values)
    except catalog.UnknownGame as error:
        raise UnknownGame(str(error)) from error
    except OptionError as error:
        raise OptionRefused(error.option, _path(message, error.option), str(error)) from error


def _path(message: catalog_pb2.RuleSet, option: str) -> str:
    known = {schema.name for schema in catalog.GAMES[message.game_id].options_schema}
    for index, setting in enumerate(message.options):
        if setting.name == option:
            return f"options[{index}].{'value' if option in known else 'name'}"
    return "options"


def _write_option(option: Option) -> catalog_pb2.OptionSchema:
    message = catalog_pb2.OptionSchema(
        name=option.name,
        description=option.description,
        default_value=_write_value(option.default),
    )
    match option.kind:
        case Flag():
            message.flag.SetInParent()
        case Number(low, high, step):
            message.number.CopyFrom(catalog_pb2.NumberType(min=low, max=high, step=None if step == 1 else step))
        case Choice(words):
            message.choice.values.extend(words)
    return message


def _write_value(value: OptionValue) -> catalog_pb2.OptionValue:
    match value:
        case bool():
            return catalog_pb2.OptionValue(flag=value)
        case int():
            return catalog_pb2.OptionValue(number=value)
        case str():
            return catalog_pb2.OptionValue(choice=value)


def _read_value(message: catalog_pb2.OptionValue, name: str, index: int) -> OptionValue:
    match message.WhichOneof("kind"):
        case "flag":
            return message.flag
        case "number":
            return message.number
        case "choice":
            return message.choice
        case None:
            raise OptionRefused(name, f"options[{index}].value", f"{name} is set to nothing")

"""Games and rule sets on the wire."""

from __future__ import annotations

import protovalidate
import pytest
from google.protobuf import text_format
from hypothesis import given
from hypothesis import strategies as st

from junto.games.catalog import GAMES, open_game
from junto.games.core import Game
from junto.games.options import Choice, Flag, Number, OptionValue
from junto.v1 import catalog_pb2, views_pb2
from junto.wire.catalog import read_rules, rules_bytes, write_game, write_rules
from junto.wire.errors import OptionRefused, UnknownGame


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Return a game of the catalogue with any of its options."""
    cls = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    options: dict[str, OptionValue] = {}
    for option in cls.options_schema:
        match option.kind:
            case Flag():
                options[option.name] = draw(st.booleans())
            case Number() as number:
                options[option.name] = draw(st.sampled_from(number.values))
            case Choice(words):
                options[option.name] = draw(st.sampled_from(words))
    return cls(options)


@given(games())
def test_a_rule_set_comes_back(game: Game) -> None:
    """The game that a rule set asks for equals the one that it was written from, every option set."""
    message = write_rules(game)
    protovalidate.validate(message)
    assert read_rules(message) == game
    assert {setting.name for setting in message.options} == {option.name for option in game.options_schema}
    assert catalog_pb2.RuleSet.FromString(rules_bytes(game)) == message


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_catalogue_entry_says_everything(game_id: str) -> None:
    """Options with names, meanings, types and defaults, the roles' words, the unit, how many play."""
    cls = GAMES[game_id]
    message = write_game(cls)
    assert (message.id, message.title, message.unit) == (cls.id, cls.title, cls.unit)
    assert (message.players.min, message.players.max) == cls.player_range
    assert [option.name for option in message.options] == [option.name for option in cls.options_schema]
    assert all(option.description and option.WhichOneof("type") for option in message.options)
    assert {role.role for role in message.role_names} <= set(views_pb2.Role.values()) - {0}
    defaults = [catalog_pb2.OptionSetting(name=option.name, value=option.default_value) for option in message.options]
    assert read_rules(catalog_pb2.RuleSet(game_id=game_id, options=defaults)) == open_game(game_id)


def test_what_is_not_set_has_its_default() -> None:
    """A rule set of a game's id alone is the game as it is usually played, and the same object each time."""
    rules = catalog_pb2.RuleSet(game_id="napoleon-tw")
    assert read_rules(rules) == open_game("napoleon-tw")
    assert read_rules(rules) is read_rules(catalog_pb2.RuleSet(game_id="napoleon-tw"))


@pytest.mark.parametrize(
    ("text", "option", "field"),
    [
        ("options { name: 'min_bid' value { number: 11 } } options { name: 'colour' value { flag: true } }",
         "colour", "options[1].name"),
        ("options { name: 'min_bid' value { number: 99 } }", "min_bid", "options[0].value"),
        ("options { name: 'min_bid' value { flag: true } }", "min_bid", "options[0].value"),
        ("options { name: 'min_bid' value { choice: '11' } }", "min_bid", "options[0].value"),
        ("options { name: 'pass_is_final' value { number: 1 } }", "pass_is_final", "options[0].value"),
        ("options { name: 'first_bidder' value { choice: 'me' } }", "first_bidder", "options[0].value"),
        ("options { name: 'min_bid' }", "min_bid", "options[0].value"),
        ("options { name: 'min_bid' value { number: 11 } } options { name: 'min_bid' value { number: 11 } }",
         "min_bid", "options[1].name"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named_with_its_place(text: str, option: str, field: str) -> None:
    """The error names the option and the field, for a violation that a client can show beside its form."""
    message = text_format.Parse(f"game_id: 'napoleon-tw' {text}", catalog_pb2.RuleSet())
    with pytest.raises(OptionRefused) as caught:
        read_rules(message)
    assert (caught.value.option, caught.value.field) == (option, field)
    assert option in str(caught.value)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    """The error says what was asked for and what there is."""
    with pytest.raises(UnknownGame, match=r"'snap'; there are .*napoleon-tw"):
        read_rules(catalog_pb2.RuleSet(game_id="snap"))

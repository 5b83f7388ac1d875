"""Strategies for the domain's values, made from their types: a field that is added is filled in by itself.

Hypothesis draws one number, which seeds a plain generator: a view has hundreds of values, and drawing each
of them would take most of the tests' time.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from junto.games import actions, events, view
from junto.games.actions import Action
from junto.games.catalog import open_game
from junto.games.climbing import moves
from junto.games.climbing.combination import Combination
from junto.games.climbing.ranks import parse_ranks
from junto.games.climbing.terms import BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms
from junto.games.core import Match, View

T = TypeVar("T")
Make = Callable[[Random], T]

# Numbers of these names have a meaning of their own: any other number is a count.
_CARD = dict.fromkeys(
    (
        "card",
        "open",
        "hand",
        "kitty",
        "put_back",
        "cards",
        "costly",
        "callable",
        "naming",
        "leads",
        "calls",
        "called",
        "row",
        "pile_row",
        "turned",
        "pot",
        "gives",
    ),
    54,
)
_SUIT = dict.fromkeys(("suit", "led_suit", "follow", "trumps"), 4)
_BELOW = _CARD | _SUIT | {"strain": 5, "trump": 5, "seat": 7, "to_act": 7, "winner": 7, "amount": 101}
_SIGNED = {"score", "scores"}
_TERMS = (DOU_DIZHU, SHUANGKOU, BAOHUANG_STREET)
_HAND = "3333444455556789TJQKA22BBRR"


def made(make: Make[T]) -> st.SearchStrategy[T]:
    """Return a strategy of what a function makes of a source of randomness."""
    return st.integers(0, 2**64 - 1).map(lambda seed: make(Random(seed)))


def values(cls: type[T]) -> st.SearchStrategy[T]:
    """Return a strategy for a dataclass that fills in every one of its fields, whatever their types."""
    return made(lambda random: fill(cls, random))


def fill(cls: type[T], random: Random) -> T:
    """Return a dataclass with every field filled in; those that may be missing sometimes are."""
    hints = typing.get_type_hints(cls)
    fields = dataclasses.fields(typing.cast("Any", cls))
    values = {field.name: _value(hints[field.name], field.name, random) for field in fields}
    if cls is view.Shared and values["climbing"] is not None:
        values["tricks"] = None  # a game has one of them
    return cls(**values)


def _value(hint: Any, name: str, random: Random) -> Any:
    if hint == Action:
        return an_action(random)
    if hint is Combination:
        return a_combination(random)
    if hint is actions.ShowCards:
        return _a_showing(random)
    if typing.get_origin(hint) in {types.UnionType, typing.Union}:
        return _value(random.choice(typing.get_args(hint)), name, random)
    if typing.get_origin(hint) is tuple:
        items = typing.get_args(hint)
        if items[-1] is Ellipsis:
            items = items[:1] * random.randrange(4)
        return tuple(_value(item, name, random) for item in items)
    if hint is str:
        return random.choice(("dealer", "first_bidder", "places"))
    if hint is type(None):
        return None
    if hint is bool:
        return random.random() < 0.5
    if hint is int:
        return random.randint(-(2**31), 2**31 - 1) if name in _SIGNED else random.randrange(_BELOW.get(name, 61))
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return random.choice(list(hint))
    if dataclasses.is_dataclass(hint):
        return fill(typing.cast("type[Any]", hint), random)
    raise TypeError(f"{name}: what is a {hint}?")


def an_action(random: Random) -> Action:
    """Return an action of any kind."""
    kind = random.choice(typing.get_args(Action))
    if kind is actions.Play:
        calls = tuple(random.sample(range(54), random.randrange(3)))
        return actions.Play(random.randrange(54), random.choice((None, 0, 3)), calls)
    if kind is actions.PlayCards:
        return actions.PlayCards(tuple(random.choices(range(54), k=random.randint(1, 54))))
    if kind is actions.ShowCards:
        return _a_showing(random)
    action: Action = fill(kind, random)
    return action


def _a_showing(random: Random) -> actions.ShowCards:
    return actions.ShowCards(random.randrange(54), random.choice((3, 4)))


def a_combination(random: Random) -> Combination:
    """Return a combination of some cards of any climbing game."""
    return Combination(random.choice(_plays(random.choice(_TERMS))))


@cache
def _plays(terms: Terms) -> list[int]:
    plays: list[int] = moves.plays_of(terms.vector, parse_ranks(_HAND)).tolist()
    return plays


ACTIONS = made(an_action)
SHARED = values(view.Shared)
OWN = values(view.Own)
MATCH_VIEWS = values(view.MatchView)
MATCHES = values(Match).map(lambda match: match.carrying(**dict(match.carried)))


def a_prompt(random: Random) -> view.Prompt:
    """Return a prompt; a rise of the contract only comes with trumps."""
    choices = fill(view.Choices, random)
    if not choices.trumps:
        choices = dataclasses.replace(choices, contract_rise=0)
    return view.Prompt(random.randrange(7), random.choice(list(view.Phase)), choices)


PROMPTS = made(a_prompt)


def a_view(random: Random) -> View:
    """Return a view of Taiwanese Napoleon with some options."""
    game = open_game("napoleon-tw", {"players": random.randint(3, 7), "forced_solo": random.random() < 0.5})
    match, shared, own = fill(view.MatchView, random), fill(view.Shared, random), fill(view.Own, random)
    return View(game, match, shared, own, a_prompt(random))


VIEWS = made(a_view)


def an_event(random: Random) -> events.Event:
    """Return an event of any kind."""
    event: events.Event = fill(random.choice(typing.get_args(events.Event)), random)
    return event


EVENTS = made(an_event)


def a_happening(random: Random) -> events.Seen:
    """Return an event with any audience, with or without something for the others."""
    if random.random() < 0.5:
        return events.Seen(an_event(random))
    otherwise = an_event(random) if random.random() < 0.5 else None
    return events.Seen(an_event(random), random.randrange(1, 128), otherwise)

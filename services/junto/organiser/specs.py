"""Specs of the API as the arena's, and the state of the code that a tournament is played with."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from junto.arena.entrants import Entrant, entrant
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.spec_files import Wish, spec_of
from junto.arena.versions import versions_of
from junto.games.options import OptionValue
from junto.v1 import catalog_pb2, tournaments_pb2
from junto.wire.times import read_span

_FORMATS: Final = {
    tournaments_pb2.TOURNAMENT_FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN,
    tournaments_pb2.TOURNAMENT_FORMAT_HEAD_TO_HEAD: Format.HEAD_TO_HEAD,
    tournaments_pb2.TOURNAMENT_FORMAT_GAUNTLET: Format.GAUNTLET,
    tournaments_pb2.TOURNAMENT_FORMAT_LADDER: Format.LADDER,
}


def read_spec(message: tournaments_pb2.TournamentSpec) -> Spec:
    """Return the arena's spec of a full spec of the API.

    Raises:
        SpecError: it cannot be played here (any more).
    """
    form = _FORMATS[message.format]
    return spec_of(
        Wish(
            game=message.rules.game_id,
            entrants=[_entrant(one, f"entrants[{number}]") for number, one in enumerate(message.entrants)],
            deals=message.deals,
            seed=message.seed,
            format=form.value,
            at_a_table=message.at_a_table if message.HasField("at_a_table") else None,
            options={setting.name: _value(setting.value) for setting in message.rules.options},
            stop=_stop(message.stop_rule) if message.HasField("stop_rule") else None,
        )
    )


def code_of(spec: Spec) -> str:
    """Return a short text that changes when the same spec would be played otherwise: other rules, other strategies.

    Raises:
        StrategyUnfit: a strategy cannot be found.
    """
    versions = versions_of(spec)
    told = repr((versions.rules, sorted(versions.strategies.items())))
    return sha256(told.encode()).hexdigest()[:16]


def _entrant(message: tournaments_pb2.Entrant, place: str) -> Entrant:
    budget = message.budget
    return entrant(
        place,
        message.strategy_id,
        seconds=read_span(budget.time) / 1000 if budget.HasField("time") else None,
        iterations=budget.iterations if budget.HasField("iterations") else None,
        name=message.name,
    )


def _stop(message: tournaments_pb2.StopRule) -> StopRule:
    return StopRule(message.difference, message.null_difference, message.alpha, message.beta, message.first)


def _value(message: catalog_pb2.OptionValue) -> OptionValue:
    kind = message.WhichOneof("kind")
    assert kind is not None, "the front checked it"
    value: OptionValue = getattr(message, kind)
    return value

"""What a request may ask to be played: a spec is checked, and what it leaves open is filled in.

The organiser checks it again with the arena's own eyes; here a player is told at once, and by the field.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from junto.games.core import Game
from junto.table.errors import StrategyNotFound
from junto.tournaments.errors import SpecRefused
from junto.v1 import strategies_pb2, tournaments_pb2
from junto.wire.catalog import write_rules
from junto.wire.times import read_span

Format = tournaments_pb2.TournamentFormat
DEFAULT_ITERATIONS: Final[Mapping[str, int]] = {"pimc": 100}
"""How long a strategy thinks that has to be told, where nobody told it."""
MOST_SITTINGS: Final = 10_000
"""No deal is played more often (`junto.arena.spec.MOST_SITTINGS`)."""
MOST_DIFFERENCE: Final = 1e6
LEAST_CHANCE: Final = 1e-9
"""As the arena's: what a stop rule may ask for."""
FIRST_LOOK: Final = 40
"""Deals before a stop rule is looked at first, where nobody says otherwise."""

_AT_ONE_TABLE: Final = 3
_AMONG_FIRST: Final = (tournaments_pb2.TOURNAMENT_FORMAT_GAUNTLET, tournaments_pb2.TOURNAMENT_FORMAT_LADDER)
_SEED_BITS: Final = 63


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one tournament may be: deals (each seating counted), and how long it thinks about a decision."""

    deals: int = 100_000
    seconds: float = 1.0
    iterations: int = 10_000


def filled_in(
    spec: tournaments_pb2.TournamentSpec,
    game: Game,
    plays: Callable[[str, str], bool],
    bounds: Bounds,
    draw_bits: Callable[[int], int],
) -> tournaments_pb2.TournamentSpec:
    """Return a spec with everything said that it left open.

    Args:
        spec: what was asked for, within the constraints of its fields.
        game: the rules that it names.
        plays: tells whether there is a strategy with an id, and whether it plays a game with an id.
        bounds: how much it may be.
        draw_bits: draws so many random bits, for a seed.

    Raises:
        SpecRefused: it cannot be played here.
        StrategyNotFound: there is no such strategy, or it does not play this game.
    """
    full = tournaments_pb2.TournamentSpec()
    full.CopyFrom(spec)
    full.DiscardUnknownFields()  # they would be kept, and told to everybody who looks
    full.rules.CopyFrom(write_rules(game))
    if not spec.format:
        two = len(spec.entrants) == 2
        full.format = Format.TOURNAMENT_FORMAT_HEAD_TO_HEAD if two else Format.TOURNAMENT_FORMAT_ROUND_ROBIN
    if not spec.HasField("seed"):
        full.seed = draw_bits(_SEED_BITS)
    _check_names(spec.entrants)
    for number, entrant in enumerate(full.entrants):
        _fill_entrant(entrant, f"entrants[{number}]", game, plays, bounds)
    _fill_format(full, game)
    _fill_stop(full)
    total = deals_total(full, game)
    if total > full.deals * MOST_SITTINGS:
        each = total // full.deals
        raise SpecRefused("at_a_table", f"makes {each} seatings of each deal, and {MOST_SITTINGS} are the most")
    if total > bounds.deals:
        raise SpecRefused("deals", f"they make {total} deals with all seatings, and {bounds.deals} are the most")
    return full


def deals_total(spec: tournaments_pb2.TournamentSpec, game: Game) -> int:
    """Return how many deals a full spec asks for, each seating counted (`junto.arena.plan.Plan.sittings`)."""
    entrants = len(spec.entrants)
    each = 1 + (entrants - 1) * places(game) if spec.format in _AMONG_FIRST else comb(entrants, spec.at_a_table)
    return spec.deals * (each if spec.format in _AMONG_FIRST else each * spec.at_a_table)


def places(game: Game) -> int:
    """Return how many places a table has: its fixed partnerships, or else its seats."""
    return len(game.sides(game.new_match())) or game.seats


def _check_names(entrants: Sequence[tournaments_pb2.Entrant]) -> None:
    seen: dict[str, int] = {}
    for number, entrant in enumerate(entrants):
        name = entrant.name
        if name != name.strip() or not name.isprintable() or unicodedata.normalize("NFC", name) != name:
            raise SpecRefused(f"entrants[{number}].name", "must have printable characters and no spaces around them")
        if name in seen:
            raise SpecRefused(f"entrants[{number}].name", f"is the name of entrants[{seen[name]}] already")
        seen[name] = number


def _fill_entrant(
    entrant: tournaments_pb2.Entrant, place: str, game: Game, plays: Callable[[str, str], bool], bounds: Bounds
) -> None:
    if not plays(entrant.strategy_id, game.id):
        raise StrategyNotFound(f"there is no strategy {entrant.strategy_id!r} that plays {game.id}")
    if entrant.HasField("budget"):
        _check_budget(entrant.budget, f"{place}.budget", bounds)
    elif entrant.strategy_id in DEFAULT_ITERATIONS:
        entrant.budget.iterations = min(DEFAULT_ITERATIONS[entrant.strategy_id], bounds.iterations)


def _check_budget(budget: strategies_pb2.Budget, place: str, bounds: Bounds) -> None:
    if budget.HasField("seed"):
        raise SpecRefused(f"{place}.seed", "must not be set: the seeds of decisions follow from the tournament's")
    if budget.HasField("time") and not 1 <= read_span(budget.time) <= bounds.seconds * 1000:
        raise SpecRefused(f"{place}.time", f"must be from 0.001 s to {bounds.seconds:g} s")
    if budget.HasField("iterations") and budget.iterations > bounds.iterations:
        raise SpecRefused(f"{place}.iterations", f"must be at most {bounds.iterations}")


def _fill_format(spec: tournaments_pb2.TournamentSpec, game: Game) -> None:
    entrants, room = len(spec.entrants), places(game)
    if spec.format == Format.TOURNAMENT_FORMAT_HEAD_TO_HEAD and entrants != 2:
        raise SpecRefused("entrants", f"head to head is for two, not {entrants}")
    if spec.format == Format.TOURNAMENT_FORMAT_LADDER:
        _check_ladder(spec.entrants[1:])
    if spec.format in _AMONG_FIRST:
        if spec.HasField("at_a_table"):
            raise SpecRefused("at_a_table", "must not be set: each plays alone among the first entrant")
        return
    most = min(room, entrants)
    if not spec.HasField("at_a_table"):
        spec.at_a_table = most if entrants <= _AT_ONE_TABLE else 2
    if not 2 <= spec.at_a_table <= most:
        raise SpecRefused("at_a_table", f"must be from 2 to {most}: {entrants} entrants meet at {room} places")


def _check_ladder(rungs: Sequence[tournaments_pb2.Entrant]) -> None:
    for number, rung in enumerate(rungs, 1):
        if rung.strategy_id != rungs[0].strategy_id:
            raise SpecRefused(f"entrants[{number}].strategy_id", f"must be {rungs[0].strategy_id}: one climbs a ladder")
        if not rung.HasField("budget"):
            raise SpecRefused(f"entrants[{number}].budget", "must be set: the rungs of a ladder differ in it")


def _fill_stop(spec: tournaments_pb2.TournamentSpec) -> None:
    if not spec.HasField("stop_rule"):
        return
    rule = spec.stop_rule
    if len(spec.entrants) != 2 or spec.format in _AMONG_FIRST:
        raise SpecRefused("stop_rule", "is for two entrants who meet")
    for name in ("null_difference", "difference"):
        if not abs(getattr(rule, name)) <= MOST_DIFFERENCE:
            raise SpecRefused(f"stop_rule.{name}", f"must be from -{MOST_DIFFERENCE:g} to {MOST_DIFFERENCE:g}")
    for name in ("alpha", "beta"):
        if getattr(rule, name) < LEAST_CHANCE:
            raise SpecRefused(f"stop_rule.{name}", f"must be at least {LEAST_CHANCE:g}")
    if rule.difference == rule.null_difference:
        raise SpecRefused("stop_rule.difference", "must differ from null_difference")
    if not rule.HasField("first"):
        rule.first = FIRST_LOOK

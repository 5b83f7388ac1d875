"""The units of work: what one process does by itself, one deal of one player. It answers with a line of results."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bench.strength.believing import Beliefs
from bench.strength.errors import OtherCode
from bench.strength.players import ONCE, Player, player_of
from bench.strength.playing import decision_seed, play
from bench.strength.times import Times

from junto.arena.code import CODE
from junto.games.catalog import open_game
from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Deal, Game
from junto.games.options import OptionValue
from junto.search.decisions import Decision

NOBODY: Final[frozenset[int]] = frozenset()
STRENGTH, BASELINE, BELIEFS = "strength", "baseline", "beliefs"
"""The kinds of measurements."""
_ASKED_IN: Final = (1, 4)
"""Of so many decisions in a row one is asked what its seat believes: in trick-taking games, in climbing games."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A deal to play: of a kind of measurement, in a game, by a player among others (texts, so that it can be sent).

    `code` names the state of the code that plays.
    """

    kind: str
    game: str
    player: str
    baseline: str
    deal: int
    code: str
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)


def measure(unit: Unit) -> dict[str, Any]:
    """Play a unit and return its line of results.

    Raises:
        OtherCode: this process plays with another state of the code than the unit names.
    """
    if unit.code != CODE:
        raise OtherCode(f"the code changed while the run began ({unit.code}, now {CODE}); start it again")
    game = open_game(unit.game, unit.options)
    player, baseline = player_of(unit.player), player_of(unit.baseline)
    began = time.process_time()
    match unit.kind:
        case "baseline":
            found = _alone(game, unit.deal, baseline)
        case "strength":
            found = _in_every_seat(game, unit.deal, player, baseline)
        case "beliefs":
            found = _asked(game, unit.deal, player)
        case _:
            raise ValueError(f"there is no measurement {unit.kind!r}")
    cpu_s = round(time.process_time() - began, 3)
    return {"deal": unit.deal, "code": unit.code, **found, "cpu_s": cpu_s}


def _alone(game: Game, number: int, baseline: Player) -> dict[str, Any]:
    def unwatched(_deal: Deal, _decision: Decision, _seconds: float) -> None:
        """Nobody looks."""

    return {"scores": list(play(game, number, [baseline] * game.seats, NOBODY, unwatched))}


def _in_every_seat(game: Game, number: int, player: Player, baseline: Player) -> dict[str, Any]:
    times, worlds, searched, scores = Times(), 0, 0, []

    def watch(_deal: Deal, decision: Decision, seconds: float) -> None:
        nonlocal worlds, searched
        times.note(seconds, player.budget.time_s)
        if decision.worlds is not None:
            worlds, searched = worlds + decision.worlds, searched + 1

    for seat in range(game.seats):
        players = [baseline] * game.seats
        players[seat] = player
        scores.append(play(game, number, players, frozenset({seat}), watch)[seat])
    return {"scores": scores, "times": times.as_json(), "worlds": worlds, "searched": searched}


def _asked(game: Game, number: int, player: Player) -> dict[str, Any]:
    beliefs, step, every = Beliefs(), 0, _ASKED_IN[isinstance(game, ClimbingGame)]

    def watch(deal: Deal, _decision: Decision, _seconds: float) -> None:
        nonlocal step
        if (step + number) % every == 0:
            beliefs.note(deal, decision_seed(number, step, 0, 0))
        step += 1

    play(game, number, [player] * game.seats, frozenset(range(game.seats)), watch)
    return beliefs.as_json()


def quick(unit: Unit) -> Unit:
    """Return a unit that counts for nothing, with as little search as there is: what is slow at first is over then."""
    return replace(unit, player=_one_world(unit.player), baseline=_one_world(unit.baseline), deal=-1)


def _one_world(text: str) -> str:
    return replace(player_of(text), budget=ONCE).text

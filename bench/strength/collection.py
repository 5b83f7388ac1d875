"""All results of some folders, put together by what they measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from bench.strength.comparing import paired_deals
from bench.strength.errors import NothingPlayed
from bench.strength.figures import ratio_of
from bench.strength.players import player_of
from bench.strength.printed import Figure, latest, read_figures
from bench.strength.store import SUFFIX, Record, Spec, read_results
from bench.strength.summaries import share_between, share_closed
from bench.strength.units import BELIEFS, STRENGTH

from junto.arena.statistics.estimates import Estimate
from junto.games.catalog import GAMES

Results = dict[int, Record]


@dataclass(frozen=True, slots=True)
class Gap:
    """The share of the gap to the seeing player at one budget, with and without inference, and the difference.

    `results` are those of the three players that it is made of.
    """

    game: str
    budget: str
    inferring: Estimate
    plain: Estimate
    difference: Estimate
    results: tuple[Results, ...]


@dataclass(frozen=True, slots=True)
class Belief:
    """What beliefs were worth in a game: differences of log loss to a uniform guess and to the plain count, and TSSR.

    `by_number` has by trick or round the mean loss believed, counted and uniform, and how many guesses.
    """

    game: str
    player: str
    believed: Estimate
    counted: Estimate
    uniform: Estimate
    gained: Estimate
    by_number: Mapping[int, tuple[float, float, float, int]]
    results: Mapping[int, Record]


@dataclass(slots=True)
class Collection:
    """Results by spec, and the figures that other benchmarks have printed."""

    by_spec: dict[str, tuple[Spec, Results]] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)

    @classmethod
    def of(cls, folders: Iterable[Path]) -> Collection:
        """Read all results and figures of some folders.

        Raises:
            BadResults: a file holds none.
            NothingPlayed: there are no files.
        """
        found = cls()
        for path in sorted(chain.from_iterable(folder.glob(f"*{SUFFIX}") for folder in folders)):
            figures = read_figures(path)
            if figures is not None:
                found.figures = latest([*found.figures, *figures])
                continue
            spec, results = read_results(path)
            found.by_spec.setdefault(spec.digest, (spec, {}))[1].update(results)
        if not found.by_spec and not found.figures:
            raise NothingPlayed("there are no results in these folders")
        return found

    def measured(self, kind: str) -> list[tuple[Spec, Results]]:
        """Return what was measured of a kind: by game in their usual order, then by player."""
        games = list(GAMES)
        pairs = [pair for pair in self.by_spec.values() if pair[0].kind == kind and pair[1]]
        return sorted(pairs, key=lambda pair: (games.index(pair[0].game), _order(pair[0].player), pair[0].baseline))

    def beside(self, spec: Spec) -> dict[str, Results]:
        """Return the players that were measured under the same conditions as a spec's, and itself."""
        return {
            other.player: results
            for other, results in self.measured(STRENGTH)
            if (other.game, other.baseline, other.options) == (spec.game, spec.baseline, spec.options)
        }

    @property
    def gaps(self) -> list[Gap]:
        """All gaps over the rules of thumb whose three players were measured, by the usual rules of a game."""
        found = []
        for spec, _ in self.measured(STRENGTH):
            name, _, budget = spec.player.partition(":")
            players = self.beside(spec)
            inferring, plain = f"pimc:{budget}", f"pimc:{budget},infers=off"
            if spec.options or spec.baseline != "greedy":
                continue
            if name == "seeing" and {inferring, plain} <= players.keys():
                inferred, counted = (share_closed(players, player, spec.player) for player in (inferring, plain))
                difference = share_between(players, inferring, plain, spec.player)
                measured = players[inferring], players[plain], players[spec.player]
                found.append(Gap(spec.game, budget, inferred, counted, difference, measured))
        return found

    @property
    def curves(self) -> dict[str, list[tuple[float, str, Results]]]:
        """Return by game what the searching player came to among `greedy`, at each budget of time if it had several."""
        curves: dict[str, list[tuple[float, str, Results]]] = {}
        for spec, results in self.measured(STRENGTH):
            player = player_of(spec.player)
            if spec.options or spec.baseline != "greedy":
                continue
            if player.name == "pimc" and player.is_usual and player.budget.time_s is not None:
                curves.setdefault(spec.game, []).append((player.budget.time_s, spec.player, results))
        return {game: curve for game, curve in curves.items() if len(curve) > 1}

    @property
    def beliefs(self) -> list[Belief]:
        """What beliefs were worth, where there was somebody to guess."""
        return [
            belief_of(spec, results)
            for spec, results in self.measured(BELIEFS)
            if any(record["losses"] for record in results.values())
        ]


def _order(text: str) -> tuple[str, float, str]:
    player = player_of(text)
    return player.name, player.budget.time_s or 0.0, text


def _total(records: Iterable[Record], part: str, column: int) -> list[float]:
    return [sum(row[column] for row in record[part].values()) for record in records]


def belief_of(spec: Spec, results: Mapping[int, Record]) -> Belief:
    """Return what beliefs were worth: means over all guesses, clustered by deal."""
    records = [results[deal] for deal in paired_deals([results])]
    guesses, believed, counted, uniform = (_total(records, "losses", column) for column in range(4))
    by_number: dict[int, list[float]] = {}
    for record in records:
        for number, row in record["losses"].items():
            sums = by_number.setdefault(int(number), [0.0] * 4)
            sums[:] = [old + new for old, new in zip(sums, row, strict=True)]
    return Belief(
        spec.game,
        spec.player,
        ratio_of(believed, guesses),
        ratio_of(counted, guesses),
        ratio_of(uniform, guesses),
        ratio_of([one - other for one, other in zip(uniform, believed, strict=True)], guesses),
        {
            number: (row[1] / row[0], row[2] / row[0], row[3] / row[0], int(row[0]))
            for number, row in sorted(by_number.items())
        },
        results,
    )


def log_ratio(results: Mapping[int, Record]) -> Estimate:
    """Return the mean logarithm of the true-state sampling ratio, clustered by deal."""
    records = [results[deal] for deal in paired_deals([results])]
    return ratio_of(_total(records, "ratios", 1), _total(records, "ratios", 0))

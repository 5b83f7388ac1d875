"""Two tournaments of one game side by side: what became of each entrant, by name.

Deals are paired if both were dealt from the same seed by the same rules: then what is compared is one strategy with
another on the same cards, which takes far fewer deals than two independent means would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from math import sqrt
from typing import Any

import numpy as np

from junto.arena.errors import Incomparable
from junto.arena.plan import FIELD
from junto.arena.report.folder import Results
from junto.arena.statistics.estimates import FEWEST_DEALS, Estimate, Moments, Vector, student_quantile
from junto.arena.statistics.scoring import scoring_of
from junto.arena.statistics.standings import Standing
from junto.arena.statistics.timing import Times


@dataclass(frozen=True, slots=True)
class Side:
    """An entrant in one of the tournaments. `mean` is over the deals that are compared."""

    mean: Estimate
    text: str
    version: str
    decisions: int
    faults: int
    times: Times


@dataclass(frozen=True, slots=True)
class Change:
    """An entrant in both. `difference` is how much better it did in the second."""

    name: str
    first: Side
    second: Side
    difference: Estimate

    @property
    def is_another(self) -> bool:
        """Whether its code, or how long it thinks, is not the same."""
        return (self.first.text, self.first.version) != (self.second.text, self.second.version)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two tournaments. `notes` are sentences about what is not alike; the names are of those who played in one only."""

    is_paired: bool
    changes: tuple[Change, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    notes: tuple[str, ...]


def compare(first: Results, second: Results) -> Comparison:
    """Compare what two folders hold.

    Raises:
        Incomparable: they are of different games, or count differently.
        NoTournament: the deals of one cannot be read.
    """
    _check(first, second)
    names, others = _names(first), _names(second)
    both = [name for name in names if name in others]
    is_paired = _same_deals(first, second)
    sums = _Sums(len(both))
    ours, theirs = _values(first, [names[name] for name in both]), _values(second, [others[name] for name in both])
    for before, after in zip(ours, theirs, strict=False) if is_paired else _side_by_side(ours, theirs):
        sums.add(before, after)
    return Comparison(
        is_paired=is_paired,
        changes=tuple(_changes(first, second, both, sums, is_paired)),
        only_first=tuple(name for name in names if name not in others),
        only_second=tuple(name for name in others if name not in names),
        notes=tuple(_notes(first, second, is_paired)),
    )


def _check(first: Results, second: Results) -> None:
    one, other = first.plan.spec, second.plan.spec
    if one.game != other.game:
        raise Incomparable(f"{first.folder} played {one.game}, {second.folder} {other.game}")
    ours, theirs = first.plan.game.options, second.plan.game.options
    unlike = [name for name in ours if ours[name] != theirs[name]]
    if unlike:
        told = ", ".join(f"{name} is {ours[name]} there and {theirs[name]} here" for name in unlike)
        raise Incomparable(f"{first.folder} and {second.folder} played {one.game} with other options: {told}")
    if one.format.has_field != other.format.has_field:
        raise Incomparable(
            f"{first.folder} is a {one.format.value} and {second.folder} a {other.format.value}: "
            "a gain on the field and a mean score are not comparable"
        )


def _names(results: Results) -> dict[str, int]:
    """Return whom there is anything to tell of: all but the field."""
    spec = results.plan.spec
    without = FIELD if spec.format.has_field else None
    return {entrant.name: number for number, entrant in enumerate(spec.entrants) if number != without}


def _same_deals(first: Results, second: Results) -> bool:
    return first.plan.spec.seed == second.plan.spec.seed and first.versions.rules == second.versions.rules


def _values(results: Results, entrants: Sequence[int]) -> Iterator[Vector]:
    """Yield the numbers of some entrants, deal by deal."""
    scoring = scoring_of(results.plan.spec.format)
    for records in results.deals():
        yield scoring(records, len(results.plan.spec.entrants)).values[list(entrants)]


def _side_by_side(ours: Iterator[Vector], theirs: Iterator[Vector]) -> Iterator[tuple[Vector | None, Vector | None]]:
    """Yield both as long as either goes on."""
    for _ in count():
        before, after = next(ours, None), next(theirs, None)
        if before is None and after is None:
            return
        yield before, after


class _Sums:
    """Moments of the numbers of each tournament, and of their differences where both have the deal."""

    def __init__(self, entrants: int) -> None:
        self.first, self.second, self.pairs = Moments(entrants), Moments(entrants), Moments(entrants)

    def add(self, before: Vector | None, after: Vector | None) -> None:
        if before is not None:
            self.first.add(before)
        if after is not None:
            self.second.add(after)
        if before is not None and after is not None:
            self.pairs.add(after - before)

    def differences(self, *, is_paired: bool) -> list[Estimate]:
        found: list[Estimate] = self.pairs.estimates() if is_paired else [*self._unpaired()]
        return found

    def _unpaired(self) -> Iterator[Estimate]:
        """Yield differences of means with Welch's interval (Biometrika 34, 1947)."""
        one, other = self.first, self.second
        deals = min(one.count, other.count)
        differences = (other.mean - one.mean).tolist()
        if deals < FEWEST_DEALS:
            yield from (Estimate(value, None, None, deals) for value in differences)
            return
        shares = np.stack([one.variance / one.count, other.variance / other.count])
        for value, (a, b) in zip(differences, shares.T.tolist(), strict=True):
            freedom = (a + b) ** 2 / (a * a / (one.count - 1) + b * b / (other.count - 1)) if a + b > 0.0 else deals - 1
            half = student_quantile(int(freedom)) * sqrt(a + b)
            yield Estimate(value, value - half, value + half, deals)


def _changes(first: Results, second: Results, both: list[str], sums: _Sums, is_paired: bool) -> Iterator[Change]:
    before, after = sums.first.estimates(), sums.second.estimates()
    differences = sums.differences(is_paired=is_paired)
    for at, name in enumerate(both):
        yield Change(name, _side(first, name, before[at]), _side(second, name, after[at]), differences[at])


def _side(results: Results, name: str, mean: Estimate) -> Side:
    entrant = next(entrant for entrant in results.plan.spec.entrants if entrant.name == name)
    standing: Standing = next(entry for entry in results.standings.entries if entry.name == name)
    version = results.versions.strategies.get(name, "")
    return Side(mean, entrant.text, version, standing.decisions, standing.failures(), standing.times)


def _notes(first: Results, second: Results, is_paired: bool) -> Iterator[str]:
    one, other = first.plan.spec, second.plan.spec
    if one.seed != other.seed:
        yield f"The deals are not the same (seeds {one.seed} and {other.seed}): the means are compared unpaired."
    if first.versions.rules != second.versions.rules:
        yield f"The rules are of versions {first.versions.rules} and {second.versions.rules}: nothing is paired."
    played = first.standings.deals, second.standings.deals
    if is_paired and played[0] != played[1]:
        yield f"{played[0]} and {played[1]} deals were played: the first {min(played)} are compared."
    for results in (first, second):
        if results.standings.stopped_early:
            yield f"{results.folder} was stopped early by its test: its figures lean a little towards what was found."
    ours, theirs = _company(first), _company(second)
    unlike = sum(ours.get(name) != theirs.get(name) for name in ours | theirs)
    if unlike > (0 if one.format.has_field else 1) or one.at_a_table != other.at_a_table:
        yield "They did not play in the same company: a change may be that of the others."


def _company(results: Results) -> dict[str, object]:
    """Return whom everybody plays with: the field, or all of them."""
    spec, versions = results.plan.spec, results.versions.strategies
    who = spec.entrants[: FIELD + 1] if spec.format.has_field else spec.entrants
    return {entrant.name: (entrant.text, versions.get(entrant.name)) for entrant in who}


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as values that JSON can hold."""
    changes = [{**asdict(change), "is_another": change.is_another} for change in comparison.changes]
    return {**asdict(comparison), "changes": changes}

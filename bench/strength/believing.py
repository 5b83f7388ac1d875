"""How good beliefs are: the chance that a seat gives to the truth, and that its weighed worlds give to the true one.

*Log loss* is minus the natural logarithm of the chance that a seat gave to the true holder of a hidden card that makes
a partner. It is told beside that of a uniform guess among all who may hold it by what the seat has seen, and that of
the plain count of all consistent deals. *True-state sampling ratio* (TSSR: Rebstock et al., CoG 2019): how many times
as likely as by a uniform draw the weighed worlds make the true world. Seats are asked before their plays, in climbing
games before one in four.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bench.strength.truth import FEWER_WORLDS, WORLDS, climbing_log_ratio, holder_of, places_of, tricks_log_ratio

from junto.games.climbing.deal import ClimbingDeal
from junto.games.core import Deal
from junto.games.tricks.deal import TricksDeal
from junto.games.view import Phase
from junto.search.beliefs import beliefs_of, view_of

FLOOR: Final = 1e-3
"""A chance below this counts as this: one surprise must not outweigh everything."""
BELIEVED, COUNTED, UNIFORM = "believed", "counted", "uniform"
Sums = dict[int, list[float]]
"""By trick or round: how many, and the sums of their figures."""


@dataclass(slots=True)
class Beliefs:
    """Sums of a deal by trick or round: `losses` (number, believed, counted, uniform), `ratios` (number, logarithm)."""

    losses: Sums = field(default_factory=lambda: defaultdict(lambda: [0, 0.0, 0.0, 0.0]))
    ratios: Sums = field(default_factory=lambda: defaultdict(lambda: [0, 0.0]))

    def note(self, deal: Deal, seed: int) -> None:
        """Ask the seat to act what it believes, if it has something to guess, and score it."""
        seat = deal.to_act
        assert seat is not None
        if deal.phase is not Phase.PLAY:
            return
        number = number_of(deal)
        self._score(deal, seat, number, seed)
        ratio = climbing_log_ratio(deal, seed) if isinstance(deal, ClimbingDeal) else tricks_log_ratio(deal, seed)
        if ratio is not None:
            self.ratios[number][0] += 1
            self.ratios[number][1] += ratio

    def _score(self, deal: Deal, seat: int, number: int, seed: int) -> None:
        view = view_of(deal, seat)
        _, cards = beliefs_of(view, FEWER_WORLDS // 2 if isinstance(deal, ClimbingDeal) else WORLDS, seed)
        for card, believed in cards.items():
            holder, counted = holder_of(deal, view, card), places_of(view, card)
            sums = self.losses[number]
            sums[0] += 1
            sums[1] += _loss(believed.get(holder, 0.0))
            sums[2] += _loss(counted.get(holder, 0.0))
            sums[3] += math.log(len(counted))

    def as_json(self) -> dict[str, Any]:
        """Return the sums for a line of results."""
        return {"losses": _written(self.losses), "ratios": _written(self.ratios)}


def _loss(chance: float) -> float:
    return -math.log(max(chance, FLOOR))


def _written(sums: Mapping[int, list[float]]) -> dict[str, list[float]]:
    return {str(number): [round(value, 5) for value in row] for number, row in sorted(sums.items())}


def number_of(deal: Deal) -> int:
    """Return the number of the trick or round that is on the table or to be led, from 1."""
    if isinstance(deal, TricksDeal):
        return deal.trick_number + 1
    assert deal.shared.climbing is not None
    return max(1, len(deal.shared.climbing.rounds))

"""The truth of a deal beside what a seat can know: who holds a card, and how likely a seat makes the true world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from bench.strength.seeing import climbing_cards, tricks_cards

from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.core import Deal, Game, View
from junto.games.events import Location, Zone
from junto.games.tricks.deal import TricksDeal
from junto.search.climbing import knowledge as climbing
from junto.search.climbing.inference import Evidence
from junto.search.climbing.pool import pool_of
from junto.search.climbing.worlds import COPIES_AT, ROW, Weights
from junto.search.tricks import knowledge as tricks
from junto.search.tricks.habits import costs_of
from junto.search.tricks.inference import Pool as TricksPool
from junto.search.tricks.inference import evidence_of

WORLDS: Final = 1024
"""So many worlds are weighed for a belief and a ratio."""
FEWER_WORLDS: Final = 128
"""And so many in a climbing game, where weighing one takes longer: as many for a ratio, half as many for a belief."""


def worlds_weighed(game: type[Game]) -> int:
    """Return how many worlds are weighed for a ratio, the true one aside: it is one more at most."""
    return FEWER_WORLDS if issubclass(game, ClimbingGame) else WORLDS


def holder_of(deal: Deal, view: View, card: Card) -> Location:
    """Return where a card lies that the seat does not see: among hidden ones, or put back."""
    if isinstance(deal, TricksDeal):
        holder = next((seat for seat, hand in enumerate(deal.hands) if hand >> card & 1), None)
        return Location(Zone.PUT_BACK) if holder is None else Location(Zone.HAND, holder)
    assert isinstance(deal, ClimbingDeal)
    seen = climbing.knowledge_of(view).seen
    return next(
        Location(Zone.HAND, seat) for seat, hand in enumerate(deal.hands) if hand.count(card) > seen[seat].count(card)
    )


def places_of(view: View, card: Card) -> Mapping[Location, float]:
    """Return the chance of each place in which a hidden card may lie, by the plain count of all consistent deals."""
    if isinstance(view.game, ClimbingGame):
        chances = climbing.knowledge_of(view).worlds().chances(card)
    else:
        chances = tricks.knowledge_of(view).worlds().chances(card)
    seats = view.game.seats
    places = [Location(Zone.HAND, seat) for seat in range(seats)]
    places += [Location(Zone.PUT_BACK)] * (len(chances) - seats)
    return {place: chance for place, chance in zip(places, chances, strict=True) if chance > 0.0}


def tricks_log_ratio(deal: Deal, seed: int) -> float | None:
    """Return the logarithm of how much likelier than a uniform draw the seat to act makes the true world.

    The true world counts as one of those that are weighed, so the ratio is at most their number: it is rather told too
    low than too high. None: nothing is hidden.
    """
    assert deal.to_act is not None
    view = deal.view(deal.to_act)
    known, seen = tricks.knowledge_of(view), tricks_cards(deal, view)
    worlds = known.worlds()
    if worlds.count <= 1.0 or known.pile is not None:
        return None
    drawn, true = TricksPool(known, worlds, seed, infers=False), TricksPool(seen, seen.worlds(), seed, infers=False)
    drawn.draw(WORLDS)
    row = true.rows(0, 1)
    matrix = np.concatenate((drawn.matrix, true.matrix[row]))
    logs = evidence_of(known, drawn.position, matrix) @ costs_of(known) / -100.0
    return _true_log_ratio(logs, np.append(drawn.weights, drawn.weights.mean()))


def climbing_log_ratio(deal: Deal, seed: int) -> float | None:
    """Return the same of a climbing game: by as much of the evidence as the search brings in."""
    assert deal.to_act is not None
    view = deal.view(deal.to_act)
    known, seen = climbing.knowledge_of(view), climbing_cards(deal, view)
    worlds, pool = known.worlds(), pool_of(view, known, seed)
    if worlds.count <= 1.0:
        return None
    pool.draw(FEWER_WORLDS // 2)
    table = np.zeros((FEWER_WORLDS + 1, len(known.sizes), ROW), np.int8)
    table[-1] = np.concatenate((seen.counts, seen.copies[:, None]), axis=1)
    for number in range(FEWER_WORLDS):
        counts, copies = worlds.sample(seed, number)
        table[number] = np.concatenate((known.counts + counts, (known.copies + copies)[:, None]), axis=1)
    logs = pool.part * Evidence(view, known).weigh(table).sum(axis=1)
    if len(pool.strata) > 1:
        assert known.named is not None
        chances, shares = worlds.chances(known.named), np.ones(len(known.sizes))
        for stratum in pool.strata:
            shares[stratum.holder] = stratum.share / chances[stratum.holder]
        logs += np.log(shares)[np.argmax(table[:, :, COPIES_AT] - known.copies, axis=1)]
    return _true_log_ratio(logs, np.ones(len(table)))


def _true_log_ratio(logs: Weights, uniform: Weights) -> float:
    """Return by how much the last world's logarithm exceeds that of the mean weight of all."""
    highest = logs.max()
    return float(logs[-1] - highest - np.log(np.average(np.exp(logs - highest), weights=uniform)))

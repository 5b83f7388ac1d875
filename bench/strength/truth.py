"""The truth of a deal beside what a seat can know: who holds a card, and how likely a seat makes the true world."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from bench.strength.seeing import climbing_cards, tricks_cards

from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.core import Deal, View
from junto.games.events import Location, Zone
from junto.games.tricks.deal import TricksDeal
from junto.search.climbing import knowledge as climbing
from junto.search.tricks import knowledge as tricks
from junto.search.tricks.inference import Pool

WORLDS: Final = 1024
"""So many worlds are weighed for a belief and a ratio."""


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
    drawn, true = Pool(known, worlds, seed), Pool(seen, seen.worlds(), seed)
    drawn.rows(0, WORLDS)
    true.rows(0, 1)
    weight = float(true.weights[0])
    return math.log(weight * (drawn.weights.size + 1) / (float(drawn.weights.sum()) + weight))


def climbing_log_ratio(deal: Deal, seed: int) -> float | None:
    """Return the same of a climbing game: by as much of the evidence as the search brings in."""
    from junto.search.climbing.guard import pool_of  # noqa: PLC0415
    from junto.search.climbing.inference import Evidence  # noqa: PLC0415
    from junto.search.climbing.worlds import ROW  # noqa: PLC0415

    assert deal.to_act is not None
    view = deal.view(deal.to_act)
    known, seen = climbing.knowledge_of(view), climbing_cards(deal, view)
    worlds, pool = known.worlds(), pool_of(view, known, seed)
    if worlds.count <= 1.0:
        return None
    pool.rows(0, WORLDS)
    table = np.zeros((WORLDS + 1, len(known.sizes), ROW), np.int8)
    table[-1] = np.concatenate((seen.counts, seen.copies[:, None]), axis=1)
    for number in range(WORLDS):
        counts, copies = worlds.sample(seed, number)
        table[number] = np.concatenate((known.counts + counts, (known.copies + copies)[:, None]), axis=1)
    logs = pool.part * Evidence(view, known).weigh(table).sum(axis=1)
    return float(logs[-1] - logs.max() - np.log(np.exp(logs - logs.max()).mean()))

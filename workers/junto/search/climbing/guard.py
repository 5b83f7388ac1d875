"""What a seat believes of the guard whom it does not know."""

from __future__ import annotations

from junto.games.core import View
from junto.games.events import Location, Zone
from junto.games.view import Role
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.pool import Pool
from junto.search.decisions import Cards, Roles


def guard_beliefs(view: View, known: Knowledge, pool: Pool) -> tuple[Cards, Roles]:
    """Return where the guard's card may lie, and what the seats may be, as far as that is open."""
    if known.named is None or known.named not in known.hidden:
        return {}, {}
    chances = [0.0] * len(known.sizes)
    for stratum, chance in zip(pool.strata, pool.chances(), strict=True):
        chances[stratum.holder] += chance
    cards = {known.named: {Location(Zone.HAND, seat): chance for seat, chance in enumerate(chances) if chance > 0.0}}
    roles = {
        seat: {Role.PARTNER: chances[seat], Role.OPPONENT: 1.0 - chances[seat]}
        for seat in range(view.game.seats)
        if seat != view.seat and view.shared.role_of(seat) is None
    }
    return cards, roles

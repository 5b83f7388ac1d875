"""What a call means that the system does not make: bids of opponents and of human partners, taken naturally."""

from __future__ import annotations

from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding.calls import DOUBLE, FIRST_BID, PASS, level_of, strain_of
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing, Meaning
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import rule


def natural_meaning(position: Position, call: int) -> Meaning:
    """Return what a player would read in a legal call that no rule of the position makes."""
    if call == PASS:
        return rule(PASS, "pass", note="nothing is promised").meaning
    if call < FIRST_BID:
        return _double(position, call)
    level, strain = level_of(call), strain_of(call)
    if strain == NO_TRUMP:
        return rule(call, "natural no-trumps", hcp=(min(5 + 3 * level, 20), 37)).meaning
    if strain in position.their_suits and position.opener % 2 != position.me % 2:
        return rule(call, "cue-bid", hcp=(12, 37), artificial=True, forcing=Forcing.ROUND).meaning
    if position.his.least(strain) >= 3:
        return rule(call, f"raise of {SUIT_NAMES[strain]}", has={strain: 3}).meaning
    jump = call != position.cheapest(strain)
    fewest = 6 if jump and level <= 4 else 5 if position.last_bid and not position.ours else 4
    return rule(call, f"natural bid in {SUIT_NAMES[strain]}", has={strain: fewest}).meaning


def _double(position: Position, call: int) -> Meaning:
    if call != DOUBLE:
        return rule(call, "redouble", hcp=(9, 37), note="wants to play it, or shows strength").meaning
    if position.our_calls() or level_of(position.last_bid) >= 4 or strain_of(position.last_bid) == NO_TRUMP:
        return rule(call, "penalty double", note="expects to beat the contract").meaning
    return rule(call, "take-out double", hcp=(11, 37), forcing=Forcing.ROUND).meaning

"""The bidding system at a table: from what a seat may see of a deal of bridge to its call, and to beliefs.

Everything comes from the shared view and the seat's own cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeGame
from junto.games.bridge.three import BridgeThree
from junto.games.cards import mask_of
from junto.games.view import BridgeDetails, Own, Shared
from junto.search.bridge_bidding import three_handed
from junto.search.bridge_bidding.beliefs import shown_ranges
from junto.search.bridge_bidding.calls import encode
from junto.search.bridge_bidding.system import Proposal, position_after, propose

_SEATS: Final = 4


def call_for(game: BridgeGame, shared: Shared, own: Own) -> Action:
    """Return the call that the bots make in a seat whose turn it is."""
    return proposal_for(game, shared, own).call


def proposal_for(game: BridgeGame, shared: Shared, own: Own) -> Proposal:
    """Return the call that the bots make in a seat whose turn it is, and what it means."""
    hand = mask_of(own.hand)
    calls = [made.action for made in shared.calls]
    vulnerable = game.is_vulnerable(shared, own.seat)
    if isinstance(game, BridgeThree):
        details = shared.details
        assert isinstance(details, BridgeDetails)
        assert details.pile is not None
        open_card = next(card for card in details.pile.row if card is not None)
        reports = [report.points for report in details.pile.reports]
        doubles = bool(game.options["doubles"])
        return three_handed.propose(
            hand, own.pile_row, open_card, reports, calls, doubles=doubles, vulnerable=vulnerable
        )
    they = game.is_vulnerable(shared, (own.seat + 1) % _SEATS)
    return propose(hand, calls, vulnerable=vulnerable, they_vulnerable=they)


def ranges_of(game: Bridge, shared: Shared) -> npt.NDArray[np.int64]:
    """Return what the seats' calls have shown, a row for each from the first caller (`beliefs.shown_ranges`)."""
    first = game.first_caller(shared)
    sides = (game.is_vulnerable(shared, first), game.is_vulnerable(shared, (first + 1) % _SEATS))
    return shown_ranges(position_after(encode([made.action for made in shared.calls]), *sides))

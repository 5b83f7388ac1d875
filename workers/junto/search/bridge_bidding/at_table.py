"""The system at the table: the call of the seat to act, from all that it knows."""

from __future__ import annotations

from junto.games.actions import Action
from junto.games.cards import mask_of
from junto.games.core import View
from junto.games.view import BridgeDetails, Vulnerability
from junto.search.bridge_bidding.system import propose

_NORTH_SOUTH = {Vulnerability.NORTH_SOUTH, Vulnerability.BOTH}
_EAST_WEST = {Vulnerability.EAST_WEST, Vulnerability.BOTH}


def call_for(view: View) -> Action:
    """Return the call of a seat in an auction of bridge for four."""
    details = view.shared.details
    assert isinstance(details, BridgeDetails)
    vulnerable = [details.vulnerability in _NORTH_SOUTH, details.vulnerability in _EAST_WEST]
    calls = [call.action for call in view.shared.calls]
    side = view.seat % 2
    hand = mask_of(view.own.hand)
    return propose(hand, calls, vulnerable=vulnerable[side], they_vulnerable=vulnerable[1 - side]).call

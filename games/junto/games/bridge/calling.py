"""The auction as a phase of a deal; its rules are in `junto.games.bridge.auction`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, Pass
from junto.games.bridge.auction import Auction
from junto.games.bridge.scoring import BOOK
from junto.games.core import Step
from junto.games.events import ActionTaken, ContractChanged, Event, PhaseChanged, RoleRevealed, Seen, TrumpChanged
from junto.games.phases import PhaseRule
from junto.games.view import Choices, Contract, Phase, Role

if TYPE_CHECKING:
    from junto.games.bridge.game import BridgeDeal


class Calling(PhaseRule["BridgeDeal"]):
    """Pass, bid, double or redouble, until all others have passed after the last bid, or all and nobody bid."""

    def choices(self, deal: BridgeDeal) -> Choices:
        """Allow passing and every higher bid, and a double or a redouble where it is one's turn for it."""
        auction = deal.auction
        return Choices(passing=True, bids=auction.bids, doubling=auction.may_double, redoubling=auction.may_redouble)

    def check(self, deal: BridgeDeal, action: Action) -> None:
        """Check that a call is legal."""
        deal.auction.check(action)

    def apply(self, deal: BridgeDeal, action: Action) -> Step:
        """Pass the turn on, or end the auction."""
        auction = deal.auction.after(action)
        events = [Seen(ActionTaken(deal.seat, action))]
        if not auction.is_over:
            return deal.after(events)
        if auction.is_passed_out:
            return deal.after([*events, *deal.game.passed_out(deal)])
        contract = _contract(auction)
        assert contract.bid.strain is not None
        events += map(Seen, _made(deal, contract))
        events += [*deal.game.moved(deal.shared, contract.declarer), Seen(PhaseChanged(Phase.PLAY))]
        return deal.after(events, rules=deal.rules_with(contract.bid.strain))

    def legal(self, deal: BridgeDeal) -> Iterator[Action]:
        """Yield every legal call."""
        return deal.auction.legal()

    def default(self, deal: BridgeDeal) -> Action:  # noqa: ARG002  # passing is always legal
        """Pass."""
        return Pass()


def _contract(auction: Auction) -> Contract:
    assert auction.bid is not None
    return Contract(auction.declarer, auction.bid, auction.bid.amount + BOOK, auction.doubling)


def _made(deal: BridgeDeal, contract: Contract) -> list[Event]:
    """Return what an auction with a bid settles: the contract, trumps, and what everybody is."""
    assert contract.bid.strain is not None
    declarer, dummy = contract.declarer, deal.game.dummy_of(contract.declarer)
    seats = range(deal.game.seats)
    roles = dict.fromkeys(seats, Role.OPPONENT) | {dummy: Role.PARTNER, declarer: Role.DECLARER}
    told = [RoleRevealed(seat, roles[seat]) for seat in seats]
    return [ContractChanged(contract), TrumpChanged(contract.bid.strain), *told]

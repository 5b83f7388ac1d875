"""Phase 1, the auction: numbers only, counter-clockwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, Bid, Pass
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, ContractChanged, PhaseChanged, RoleRevealed, Seen
from junto.games.napoleon import bidding
from junto.games.napoleon.bidding import BID, BIDDER
from junto.games.napoleon.ending import void
from junto.games.napoleon.house import HouseRules
from junto.games.napoleon.phase import PhaseRule
from junto.games.tricks.kernel import NOBODY
from junto.games.view import Choices, Contract, Phase, Role, SeatAction

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

Calls = tuple[SeatAction, ...]


class Auction(PhaseRule):
    """Bid how many court cards one's side will capture, higher than the last bid, or pass.

    The bidder is Napoleon when all others have passed in a row after his bid, or at once with the highest
    bid. Where passes are final, who passed is skipped, and the auction ends when all others are out. If
    nobody bids the deal is void.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Allow passing, and every number from the lowest legal one up."""
        return Choices(passing=True, bids=tuple(map(Bid, range(_lowest_bid(deal), deal.house.courts + 1))))

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that a bid is a number, high enough and not above the number of court cards."""
        match action:
            case Pass():
                return
            case Bid(amount, None):
                if amount < _lowest_bid(deal):
                    raise IllegalAction(f"the bid must be at least {_lowest_bid(deal)}")
                if amount > deal.house.courts:
                    raise IllegalAction(f"the bid must be at most {deal.house.courts}")
            case Bid():
                raise IllegalAction("only a number is bid; trumps are named later")
            case _:
                raise IllegalAction("now you must bid or pass")

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Pass the turn on, or end the auction."""
        events = [Seen(ActionTaken(deal.seat, action))]
        calls = (*deal.shared.calls, SeatAction(deal.seat, action))
        auction = _auction(calls, deal.house)
        if bidding.is_settled(auction, deal.house.seats, deal.house.courts):
            events += _won(int(auction[BIDDER]), int(auction[BID])) if auction[BIDDER] != NOBODY else void(deal)
        return deal.after(events)

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield passing, then the bids."""
        yield Pass()
        yield from self.choices(deal).bids

    def default(self, deal: NapoleonDeal) -> Action:  # noqa: ARG002  # passing is always legal
        """Pass."""
        return Pass()


def next_caller(calls: Calls, house: HouseRules) -> int:
    """Return who calls after these calls: the next counter-clockwise who is not out."""
    return int(bidding.caller_after(_auction(calls, house), house.seats, calls[-1].seat))


def _lowest_bid(deal: NapoleonDeal) -> int:
    return int(bidding.lowest_bid(_auction(deal.shared.calls, deal.house), deal.house.min_bid))


def _auction(calls: Calls, house: HouseRules) -> bidding.Vector:
    auction = bidding.new_auction()
    for call in calls:
        bid = call.action.amount if isinstance(call.action, Bid) else bidding.A_PASS
        bidding.note_call(auction, call.seat, bid, int(house.pass_is_final))
    return auction


def _won(bidder: int, bid: int) -> list[Seen]:
    """Return what ends an auction that somebody won."""
    return [
        Seen(ContractChanged(Contract(bidder, Bid(bid), bid))),
        Seen(RoleRevealed(bidder, Role.DECLARER)),
        Seen(PhaseChanged(Phase.TRUMP)),
    ]

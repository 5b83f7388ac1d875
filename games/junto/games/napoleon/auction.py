"""The auction: numbers, in one game with suits; in most counter-clockwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, Bid, Pass, text
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, ContractChanged, PhaseChanged, RoleRevealed, Seen, TrumpChanged
from junto.games.napoleon import bidding
from junto.games.napoleon.bidding import BID, BIDDER
from junto.games.napoleon.ending import void
from junto.games.napoleon.house import HouseRules
from junto.games.phases import PhaseRule
from junto.games.tricks.kernel import NOBODY
from junto.games.view import Choices, Contract, Phase, Role, SeatAction

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

Calls = tuple[SeatAction, ...]


class Auction(PhaseRule["NapoleonDeal"]):
    """Bid how much one's side will capture, higher than the last bid, or pass.

    The bidder is the declarer when all others have passed in a row after his bid, or at once with the highest
    bid. Where passes are final, who passed is skipped, and the auction ends when all others are out. If
    nobody bids the deal is void. Where bids name a suit, the last one is trumps.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Allow passing, and every bid from the lowest legal one up."""
        house = deal.house
        heights = range(_lowest_bid(deal), house.highest_bid + 1, house.bid_step)
        return Choices(passing=True, bids=tuple(map(house.bid_of, heights)))

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that a bid is of the game's form, high enough and not above what there is to capture."""
        match action:
            case Pass():
                return
            case Bid():
                reason = _why_not(deal, action)
                if reason is not None:
                    raise IllegalAction(reason)
            case _:
                raise IllegalAction("now you must bid or pass")

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Pass the turn on, or end the auction."""
        events = [Seen(ActionTaken(deal.seat, action))]
        calls = (*deal.shared.calls, SeatAction(deal.seat, action))
        auction = _auction(calls, deal.house)
        if bidding.is_settled(auction, deal.house.seats, deal.house.highest_bid):
            bidder, bid = int(auction[BIDDER]), int(auction[BID])
            events += _won(deal, bidder, deal.house.bid_of(bid)) if bidder != NOBODY else void(deal)
        return deal.after(events)

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield passing, then the bids."""
        yield Pass()
        yield from self.choices(deal).bids

    def default(self, deal: NapoleonDeal) -> Action:  # noqa: ARG002  # passing is always legal
        """Pass."""
        return Pass()


def next_caller(calls: Calls, house: HouseRules) -> int:
    """Return who calls after these calls: the next one round the table who is not out."""
    return int(bidding.caller_after(_auction(calls, house), house.seats, house.turn, calls[-1].seat))


def _why_not(deal: NapoleonDeal, bid: Bid) -> str | None:
    """Return why this may not be bid now; None if it may."""
    house = deal.house
    if not house.bids_name_suits and bid.strain is not None:
        return "only a number is bid; trumps are named later"
    if house.bids_name_suits and bid.strain not in range(4):
        return "a number and a suit are bid"
    lowest = _lowest_bid(deal)
    if house.height_of(bid) < lowest:
        return f"the bid must be at least {_bid_text(house, lowest)}"
    if house.height_of(bid) > house.highest_bid:
        return f"the bid must be at most {_bid_text(house, house.highest_bid)}"
    if (bid.amount - house.min_bid) % house.bid_step:
        return f"bids go up by {house.bid_step}"
    return None


def _bid_text(house: HouseRules, height: int) -> str:
    return text(house.bid_of(height)).removeprefix("bid ")


def _lowest_bid(deal: NapoleonDeal) -> int:
    house = deal.house
    return int(bidding.lowest_bid(_auction(deal.shared.calls, house), house.lowest_bid, house.bid_step))


def _auction(calls: Calls, house: HouseRules) -> bidding.Vector:
    auction = bidding.new_auction()
    for call in calls:
        bid = house.height_of(call.action) if isinstance(call.action, Bid) else bidding.A_PASS
        bidding.note_call(auction, call.seat, bid, int(house.pass_is_final))
    return auction


def _won(deal: NapoleonDeal, bidder: int, bid: Bid) -> list[Seen]:
    """Return what ends an auction that somebody won."""
    events = [Seen(ContractChanged(Contract(bidder, bid, bid.amount))), Seen(RoleRevealed(bidder, Role.DECLARER))]
    if bid.strain is not None:
        events.append(Seen(TrumpChanged(bid.strain)))
    return [*events, Seen(PhaseChanged(deal.house.phase_after(Phase.AUCTION)))]

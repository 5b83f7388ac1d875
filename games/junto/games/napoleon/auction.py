"""Phase 1, the auction: numbers only, counter-clockwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, Bid, Pass
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, ContractChanged, PhaseChanged, RoleRevealed, Seen
from junto.games.napoleon.ending import void
from junto.games.napoleon.house import HouseRules
from junto.games.napoleon.phase import PhaseRule
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
        bidder = next((call for call in reversed(calls) if isinstance(call.action, Bid)), None)
        if bidder is None:
            if len(calls) == deal.house.seats:
                events += void(deal)
        elif _stands(calls, deal.house):
            assert isinstance(bidder.action, Bid)
            events += [
                Seen(ContractChanged(Contract(bidder.seat, bidder.action, bidder.action.amount))),
                Seen(RoleRevealed(bidder.seat, Role.DECLARER)),
                Seen(PhaseChanged(Phase.TRUMP)),
            ]
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
    out = _passed(calls) if house.pass_is_final else set()
    seat = (calls[-1].seat - 1) % house.seats
    while seat in out:
        seat = (seat - 1) % house.seats
    return seat


def _lowest_bid(deal: NapoleonDeal) -> int:
    last = next((call.action for call in reversed(deal.shared.calls) if isinstance(call.action, Bid)), None)
    return deal.house.min_bid if last is None else last.amount + 1


def _stands(calls: Calls, house: HouseRules) -> bool:
    """Tell whether the last bid wins the auction; there is one."""
    if calls[-1].action == Bid(house.courts):
        return True
    if house.pass_is_final:
        return len(_passed(calls)) == house.seats - 1
    since = calls[1 - house.seats :]
    return len(calls) >= house.seats and all(isinstance(call.action, Pass) for call in since)


def _passed(calls: Calls) -> set[int]:
    return {call.seat for call in calls if isinstance(call.action, Pass)}

"""The phase of the offer: the candidate takes the pot and becomes emperor, or lets it pass on.

A seat that does not qualify is asked like any other, and can only decline. Were it passed over by the rules, all
would see that it had nothing to decide, and so what it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import AcceptOffer, Action, DeclineOffer
from junto.games.baohuang.naming import is_qualified
from junto.games.core import IllegalAction, Step
from junto.games.ending import ended, hands_shown
from junto.games.events import ActionTaken, CardsMoved, PhaseChanged, RoleRevealed, Seen
from junto.games.phases import HANDS, POT, PhaseRule
from junto.games.view import Choices, DealResult, Declining, Outcome, Phase, Role

if TYPE_CHECKING:
    from junto.games.baohuang.deal import BaohuangDeal


class Asking(PhaseRule["BaohuangDeal"]):
    """The candidate accepts, if he qualifies, or declines, unless too many deals in a row were void."""

    def choices(self, deal: BaohuangDeal) -> Choices:
        """Say what may be done, and what declining puts into the pot."""
        declining = Declining(deal.contribution) if _why_not_decline(deal) is None else None
        return Choices(accepting=_why_not_accept(deal) is None, declining=declining)

    def check(self, deal: BaohuangDeal, action: Action) -> None:
        """Check that the candidate may answer so."""
        match action:
            case AcceptOffer():
                reason = _why_not_accept(deal)
            case DeclineOffer():
                reason = _why_not_decline(deal)
            case _:
                reason = "now you must accept the offer or decline it"
        if reason is not None:
            raise IllegalAction(reason)

    def apply(self, deal: BaohuangDeal, action: Action) -> Step:
        """Make the candidate emperor, or let the offer pass on; nobody else being left, the deal is void."""
        seat, taken = deal.seat, Seen(ActionTaken(deal.seat, action))
        if isinstance(action, AcceptOffer):
            pot = deal.details.pot
            events = [
                taken,
                Seen(CardsMoved(POT, HANDS[seat], len(pot), pot)),
                Seen(RoleRevealed(seat, Role.DECLARER)),
                Seen(PhaseChanged(Phase.SHOW)),
            ]
            return deal.after(events, hands=deal.hands_with(seat, (*deal.hand, *pot)))
        card = deal.contribution
        hands, events = deal.hands, [taken]
        if card is not None:
            events.append(Seen(CardsMoved(HANDS[seat], POT, 1, (card,))))
            hands = deal.without(seat, (card,))
        if deal.offering.candidate(deal.declined + 1) is None:
            events += ended(DealResult(Outcome.VOID), hands_shown(hands))
        return deal.after(events, hands=hands)

    def legal(self, deal: BaohuangDeal) -> Iterator[Action]:
        """Yield both answers, or the only one."""
        for answer, reason in ((AcceptOffer(), _why_not_accept(deal)), (DeclineOffer(), _why_not_decline(deal))):
            if reason is None:
                yield answer

    def default(self, deal: BaohuangDeal) -> Action:
        """Decline where that is allowed."""
        return DeclineOffer() if _why_not_decline(deal) is None else AcceptOffer()


def _why_not_accept(deal: BaohuangDeal) -> str | None:
    """Return why the candidate may not accept; None if he may."""
    if is_qualified(deal.hand):
        return None
    return "an emperor must have three equal cards to show, of one rank from 3 to A and one suit; you can only decline"


def _why_not_decline(deal: BaohuangDeal) -> str | None:
    """Return why the candidate may not decline; None if he may."""
    if not deal.must_accept or not is_qualified(deal.hand):
        return None
    return "so many deals in a row were void that the first who can be emperor must accept"

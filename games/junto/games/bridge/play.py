"""The play of bridge: declarer plays dummy's cards too, and may claim.

A claim (a simple form of Law 68) is made between tricks, when declarer is to lead from his hand or from dummy. It
shows no hand. Both defenders are asked in turn; if one refuses, play goes on as if nothing had been said, and the
next claim waits for the next trick.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from junto.games.actions import Action, AgreeToClaim, Claim, RefuseClaim
from junto.games.bridge.ending import claimed
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, Seen
from junto.games.phases import PhaseRule
from junto.games.tricks.play import Tricks
from junto.games.view import Choices

if TYPE_CHECKING:
    from junto.games.bridge.game import BridgeDeal

_CARDS: Final = Tricks()
_DEFENDERS: Final = 2


class Playing(PhaseRule["BridgeDeal"]):
    """Play a card, or claim some of the tricks that are left; answer a claim."""

    def choices(self, deal: BridgeDeal) -> Choices:
        """Name the legal cards and how many tricks may be claimed; or ask for the answer to a claim."""
        if deal.claim is not None:
            return Choices(answering_claim=True)
        return replace(_CARDS.choices(deal), claim_up_to=deal.tricks_left if _may_claim(deal) else None)

    def check(self, deal: BridgeDeal, action: Action) -> None:
        """Check a card, a claim or the answer to one."""
        match action:
            case AgreeToClaim() | RefuseClaim():
                if deal.claim is None:
                    raise IllegalAction("there is no claim to answer")
            case _ if deal.claim is not None:
                raise IllegalAction("now you must agree to the claim or refuse it")
            case Claim(tricks):
                _check_claim(deal, tricks)
            case _:
                _CARDS.check(deal, action)

    def apply(self, deal: BridgeDeal, action: Action) -> Step:
        """Lay a card down, or note a claim or its answer: the second defender who agrees ends the deal."""
        events = [Seen(ActionTaken(deal.seat, action))]
        match action:
            case Claim():
                return deal.after(events)
            case AgreeToClaim():
                assert deal.claim is not None
                last = len(deal.claim.agreed) + 1 == _DEFENDERS
                return deal.after([*events, *claimed(deal, deal.claim.tricks)] if last else events)
            case RefuseClaim():
                return deal.after(events, refused_at=deal.trick_number)
            case _:
                return _CARDS.apply(deal, action)

    def legal(self, deal: BridgeDeal) -> Iterator[Action]:
        """Yield every card and every claim, or the two answers to one."""
        if deal.claim is not None:
            yield AgreeToClaim()
            yield RefuseClaim()
            return
        yield from _CARDS.legal(deal)
        if _may_claim(deal):
            yield from map(Claim, range(deal.tricks_left + 1))

    def default(self, deal: BridgeDeal) -> Action:
        """Play a card that gives little away; refuse a claim."""
        return _CARDS.default(deal) if deal.claim is None else RefuseClaim()


def _may_claim(deal: BridgeDeal) -> bool:
    return _why_no_claim(deal) is None


def _why_no_claim(deal: BridgeDeal) -> str | None:
    """Return why no tricks may be claimed now; None if some may."""
    if not deal.game.claims:
        return "at this table nobody claims"
    if deal.seat != deal.contract.declarer or deal.trick is not None:
        return "only declarer claims, when he or dummy is to lead"
    if deal.refused_at == deal.trick_number:
        return "your claim was refused: the next one waits for the next trick"
    return None


def _check_claim(deal: BridgeDeal, tricks: int) -> None:
    reason = _why_no_claim(deal)
    if reason is not None:
        raise IllegalAction(reason)
    if tricks not in range(deal.tricks_left + 1):
        raise IllegalAction(f"you can claim at most the {deal.tricks_left} tricks that are left")

"""What events add to the details of bridge: a pending claim, the pile. A game begins with its details."""

from __future__ import annotations

from dataclasses import replace

from junto.games.actions import AgreeToClaim, Claim, RefuseClaim
from junto.games.cards import Card
from junto.games.knowledge.sheet import Sheet
from junto.games.view import BridgeDetails, PendingClaim, Pile, PointReport


def note_claim(sheet: Sheet, seat: int, action: Claim | AgreeToClaim | RefuseClaim) -> None:
    """Write down a claim, or an answer to one."""
    details = _details_of(sheet)
    sheet.details = replace(details, claim=_claim_after(details.claim, seat, action))


def end_claim(sheet: Sheet) -> None:
    """Write down that no claim is pending any more."""
    if isinstance(sheet.details, BridgeDetails):
        sheet.details = replace(sheet.details, claim=None)


def lay_pile(sheet: Sheet, row: tuple[Card | None, ...]) -> None:
    """Write down the pile's row as everybody sees it."""
    details = _details_of(sheet)
    sheet.details = replace(details, pile=replace(details.pile or Pile(), row=row))


def report_points(sheet: Sheet, reports: tuple[PointReport, ...]) -> None:
    """Write down what each player's cards of the pile count."""
    details = _details_of(sheet)
    sheet.details = replace(details, pile=replace(details.pile or Pile(), reports=reports))


def _details_of(sheet: Sheet) -> BridgeDetails:
    assert isinstance(sheet.details, BridgeDetails), "a game of bridge begins with its details"
    return sheet.details


def _claim_after(
    claim: PendingClaim | None, seat: int, action: Claim | AgreeToClaim | RefuseClaim
) -> PendingClaim | None:
    match action:
        case Claim(tricks):
            return PendingClaim(seat, tricks)
        case AgreeToClaim() if claim is not None:
            return replace(claim, agreed=(*claim.agreed, seat))
        case _:
            return None

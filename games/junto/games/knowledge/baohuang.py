"""What events add to the details of Baohuang: pot, tribute, the named card, clearings. A game begins with them."""

from __future__ import annotations

from dataclasses import replace

from junto.games.actions import ShowCards
from junto.games.cards import Card
from junto.games.events import Location, Zone
from junto.games.knowledge.sheet import Sheet
from junto.games.view import BaohuangDetails, Clearing, Payment, Tribute


def note_named(sheet: Sheet, shown: ShowCards) -> None:
    """Write down which card the emperor showed."""
    sheet.details = replace(_details_of(sheet), named=shown)


def note_declined(sheet: Sheet, seat: int) -> None:
    """Write down that a seat declined; what it pays into the pot is seen next."""
    details = _details_of(sheet)
    sheet.details = replace(details, payments=(*details.payments, Payment(seat)))


def note_clearing(sheet: Sheet, clearing: Clearing) -> None:
    """Write down that a seat was cleared."""
    details = _details_of(sheet)
    sheet.details = replace(details, clearings=(*details.clearings, clearing))


def fill_pot(sheet: Sheet, source: Location, cards: tuple[Card, ...]) -> None:
    """Write down cards that went into the pot: set aside, or paid by the last who declined."""
    details = _details_of(sheet)
    payments = details.payments
    if source.zone is Zone.HAND:
        payments = (*payments[:-1], replace(payments[-1], card=cards[0]))
    sheet.details = replace(details, pot=(*details.pot, *cards), payments=payments)


def note_taken(sheet: Sheet, source: Location, taker: int, cards: tuple[Card, ...]) -> None:
    """Write down cards that came into a hand: the pot, or a tribute."""
    details = sheet.details
    if not isinstance(details, BaohuangDetails):
        return
    if source.zone is Zone.POT:
        sheet.details = replace(details, pot=())
    elif source.zone is Zone.HAND and source.seat is not None:
        paid = (Tribute(source.seat, taker, card) for card in cards)
        sheet.details = replace(details, tributes=(*details.tributes, *paid))


def _details_of(sheet: Sheet) -> BaohuangDetails:
    assert isinstance(sheet.details, BaohuangDetails), "a game of Baohuang begins with its details"
    return sheet.details

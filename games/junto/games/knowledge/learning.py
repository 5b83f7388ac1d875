"""Events folded into knowledge, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from junto.games.actions import (
    AcceptOffer,
    AgreeToClaim,
    Bid,
    CallCard,
    Claim,
    DeclineOffer,
    DoubleBid,
    Pass,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
)
from junto.games.cards import Card
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    DealEnded,
    DealStarted,
    Event,
    Location,
    PhaseChanged,
    PileLaid,
    PlacesSwapped,
    PointsReported,
    RoleRevealed,
    RoundBegan,
    SeatCleared,
    SeatFinished,
    Seen,
    TrickLed,
    TrickWon,
    TrumpChanged,
    Zone,
)
from junto.games.knowledge import baohuang, bridge, climbing, hands, tricks
from junto.games.knowledge.own import own_after
from junto.games.knowledge.sheet import Settle, Sheet
from junto.games.view import CalledCard, Own, Phase, SeatAction, SeatRole, Shared

_CALLS: Final = (Pass, Bid, DoubleBid, RedoubleBid, AcceptOffer, DeclineOffer)
_PERSONAL: Final = (CardsMoved, RoleRevealed, PileLaid)


def learn(
    shared: Shared, owns: tuple[Own, ...], events: Iterable[Seen], settle: Settle
) -> tuple[Shared, tuple[Own, ...]]:
    """Return everybody's knowledge after the events."""
    sheet = Sheet(shared)
    own_list = list(owns)
    for seen in events:
        public = seen.for_all()
        if public is not None:
            _note(sheet, public)
        if isinstance(seen.event, _PERSONAL):
            for seat in _concerned(seen.event, len(own_list)):
                own_list[seat] = own_after(own_list[seat], seen.for_seat(seat))
    settle(sheet)
    return sheet.shared(), tuple(own_list)


def learn_shared(shared: Shared, events: Iterable[Event], settle: Settle) -> Shared:
    """Return what everybody knows after public events."""
    sheet = Sheet(shared)
    for event in events:
        _note(sheet, event)
    settle(sheet)
    return sheet.shared()


def learn_own(own: Own, events: Iterable[Event]) -> Own:
    """Return what a seat itself knows after the events that it may see."""
    for event in events:
        own = own_after(own, event)
    return own


def _concerned(event: CardsMoved | RoleRevealed | PileLaid, seats: int) -> list[int]:
    """Return the seats that an event can tell something about themselves: whose hand changes, whose role is told."""
    if isinstance(event, CardsMoved):
        told = [place.seat for place in (event.source, event.target) if place.zone is Zone.HAND]
    else:
        told = [event.seat]
    return [seat for seat in told if seat is not None and seat < seats]


def _note(sheet: Sheet, event: Event) -> None:
    match event:
        case CardsMoved():
            _note_move(sheet, event)
        case ActionTaken():
            _note_action(sheet, event)
        case TrickLed(leader, led_suit, calls):
            tricks.note_led(sheet, leader, led_suit, calls)
        case TrickWon(winner, points):
            tricks.note_trick(sheet, winner, points)
        case PhaseChanged(phase):
            sheet.phase = phase
        case CardsShown(at, cards):
            _note_showing(sheet, at, cards)
        case ContractChanged(contract):
            sheet.contract = contract
        case TrumpChanged(trump):
            tricks.note_trump(sheet, trump)
        case RoleRevealed(seat, role):
            if all(known.seat != seat or known.role != role for known in sheet.roles):
                sheet.roles = (*sheet.roles, SeatRole(seat, role))
        case DealStarted(number, dealer):
            sheet.number, sheet.dealer = number, dealer
        case DealEnded(result):
            sheet.result = result
            bridge.end_claim(sheet)
        case PileLaid() | PointsReported() | PlacesSwapped():
            _note_places(sheet, event)
        case RoundBegan() | SeatFinished() | SeatCleared():
            _note_round(sheet, event)


def _note_places(sheet: Sheet, event: PileLaid | PointsReported | PlacesSwapped) -> None:
    match event:
        case PileLaid(row, None):
            bridge.lay_pile(sheet, row)
        case PointsReported(reports):
            bridge.report_points(sheet, reports)
        case PlacesSwapped(order):
            by_seat = {hand.seat: hand for hand in sheet.hands}
            sheet.hands = tuple(by_seat[seat] for seat in order)


def _note_round(sheet: Sheet, event: RoundBegan | SeatFinished | SeatCleared) -> None:
    match event:
        case RoundBegan(leader):
            climbing.begin_round(sheet, leader)
        case SeatFinished(seat):
            climbing.finish_seat(sheet, seat)
        case SeatCleared(clearing):
            baohuang.note_clearing(sheet, clearing)


def _note_action(sheet: Sheet, event: ActionTaken) -> None:
    seat, action = event.seat, event.action
    match action:
        case _ if sheet.climbing is not None and sheet.phase is Phase.PLAY:
            climbing.note_in_round(sheet, event)
        case CallCard(card):
            sheet.called = (*sheet.called, CalledCard(card))
        case ShowCards():
            baohuang.note_named(sheet, action)
        case Claim() | AgreeToClaim() | RefuseClaim():
            bridge.note_claim(sheet, seat, action)
        case _ if isinstance(action, _CALLS) and sheet.phase in {Phase.AUCTION, Phase.OFFER}:
            sheet.calls = (*sheet.calls, SeatAction(seat, action))
            if isinstance(action, DeclineOffer):
                baohuang.note_declined(sheet, seat)


def _note_move(sheet: Sheet, event: CardsMoved) -> None:
    source, target, count, cards = event.source, event.target, event.count, event.cards
    if source.zone is Zone.HAND and source.seat is not None:
        sheet.hands = hands.resized(sheet.hands, source.seat, -count, cards)
    elif source.zone is Zone.KITTY:
        sheet.kitty_size -= count
    match target.zone:
        case Zone.HAND if target.seat is not None:
            sheet.hands = hands.taken(sheet.hands, target.seat, count, cards)
            baohuang.note_taken(sheet, source, target.seat, cards)
        case Zone.POT:
            baohuang.fill_pot(sheet, source, cards)
        case Zone.KITTY:
            sheet.kitty_size += count
        case Zone.PUT_BACK:
            sheet.put_back += cards
        case Zone.CENTRE if source.seat is not None and sheet.tricks is not None:
            tricks.note_play(sheet, source.seat, cards)


def _note_showing(sheet: Sheet, at: Location, cards: tuple[Card, ...]) -> None:
    match at.zone:
        case Zone.HAND:
            assert at.seat is not None
            hands.show_hand(sheet, at.seat, cards)
            tricks.note_holder(sheet, at.seat, cards)
        case Zone.KITTY:
            sheet.kitty = hands.joined(sheet.kitty, cards)
        case Zone.PUT_BACK:
            sheet.put_back = hands.joined(sheet.put_back, cards)

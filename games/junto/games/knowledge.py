"""Fold events into what is known: the one place where `Shared` and `Own` come from.

`learn_shared` is given public events only, `learn_own` the events that its seat may see. No rule of any
game stands here: an event says what happened, and this says what that adds to a view.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from junto.games.actions import AcceptOffer, Bid, CallCard, DeclineOffer, DoubleBid, Pass, RedoubleBid
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    DealEnded,
    Event,
    Location,
    PhaseChanged,
    RoleRevealed,
    Seen,
    TrickLed,
    TrickWon,
    TrumpChanged,
    Zone,
)
from junto.games.view import CalledCard, HandView, Own, Phase, SeatAction, SeatRole, Shared, Trick, TrickCard

_CALLS = (Pass, Bid, DoubleBid, RedoubleBid, AcceptOffer, DeclineOffer)


def learn(shared: Shared, owns: tuple[Own, ...], events: Iterable[Seen]) -> tuple[Shared, tuple[Own, ...]]:
    """Return everybody's knowledge after the events."""
    own_list = list(owns)
    for seen in events:
        public = seen.for_all()
        if public is not None:
            shared = learn_shared(shared, public)
        for seat, own in enumerate(own_list):
            event = seen.for_seat(seat)
            if event is not None:
                own_list[seat] = learn_own(own, event)
    return shared, tuple(own_list)


def learn_shared(shared: Shared, event: Event) -> Shared:
    """Return what everybody knows after a public event."""
    match event:
        case PhaseChanged(phase):
            return replace(shared, phase=phase)
        case ActionTaken():
            return _after_action(shared, event)
        case CardsMoved():
            return _after_move(shared, event)
        case CardsShown(at, cards):
            return _after_showing(shared, at, cards)
        case ContractChanged(contract):
            return replace(shared, contract=contract)
        case TrumpChanged(trump) if shared.tricks is not None:
            return replace(shared, tricks=replace(shared.tricks, trump=trump))
        case RoleRevealed(seat, role) if shared.role_of(seat) != role:
            return replace(shared, roles=(*shared.roles, SeatRole(seat, role)))
        case TrickLed(leader, led_suit, calls) if shared.tricks is not None:
            tricks = (*shared.tricks.tricks, Trick(leader, (), led_suit, calls))
            return replace(shared, tricks=replace(shared.tricks, tricks=tricks))
        case TrickWon(winner, points):
            return _after_trick(shared, winner, points)
        case DealEnded(result):
            return replace(shared, result=result)
        case _:
            return shared


def learn_own(own: Own, event: Event) -> Own:
    """Return what a seat itself knows after an event that it may see."""
    match event:
        case CardsMoved(source, target, _, cards) if cards and own.seat in {source.seat, target.seat}:
            return _own_after_move(own, source, target, cards)
        case RoleRevealed(seat, role, _, alone) if seat == own.seat:
            return replace(own, role=role, alone=own.alone or alone)
        case _:
            return own


def _own_after_move(own: Own, source: Location, target: Location, cards: tuple[int, ...]) -> Own:
    hand = list(own.hand)
    if source == Location(Zone.HAND, own.seat):
        for card in cards:
            hand.remove(card)
    if target == Location(Zone.HAND, own.seat):
        hand.extend(cards)
        hand.sort()
    kitty = own.kitty + cards if source.zone is Zone.KITTY and target.zone is Zone.HAND else own.kitty
    put_back = own.put_back + cards if target.zone is Zone.PUT_BACK else own.put_back
    return replace(own, hand=tuple(hand), kitty=kitty, put_back=put_back)


def _after_action(shared: Shared, event: ActionTaken) -> Shared:
    if isinstance(event.action, CallCard):
        return replace(shared, called=(*shared.called, CalledCard(event.action.card)))
    if isinstance(event.action, _CALLS) and shared.phase in {Phase.AUCTION, Phase.OFFER}:
        return replace(shared, calls=(*shared.calls, SeatAction(event.seat, event.action)))
    return shared


def _after_move(shared: Shared, event: CardsMoved) -> Shared:
    hands = shared.hands
    for place, sign in ((event.source, -1), (event.target, 1)):
        if place.zone is Zone.HAND and place.seat is not None:
            hands = _resized(hands, place.seat, sign * event.count, event.cards)
    kitty_size = shared.kitty_size
    if event.source.zone is Zone.KITTY:
        kitty_size -= event.count
    elif event.target.zone is Zone.KITTY:
        kitty_size += event.count
    shared = replace(shared, hands=hands, kitty_size=kitty_size)
    if event.target.zone is Zone.PUT_BACK:
        return replace(shared, put_back=shared.put_back + event.cards)
    if event.target.zone is Zone.CENTRE and event.source.seat is not None and shared.tricks is not None:
        return _after_play(shared, event.source.seat, event.cards)
    return shared


def _resized(hands: tuple[HandView, ...], seat: int, by: int, cards: tuple[int, ...]) -> tuple[HandView, ...]:
    return tuple(
        replace(hand, size=hand.size + by, open=tuple(card for card in hand.open if by > 0 or card not in cards))
        if hand.seat == seat
        else hand
        for hand in hands
    )


def _after_play(shared: Shared, seat: int, cards: tuple[int, ...]) -> Shared:
    assert shared.tricks is not None
    *earlier, trick = shared.tricks.tricks
    trick = replace(trick, cards=(*trick.cards, *(TrickCard(seat, card) for card in cards)))
    called = shared.called
    if any(known.card in cards for known in called):
        called = tuple(replace(known, holder=seat) if known.card in cards else known for known in called)
    return replace(shared, called=called, tricks=replace(shared.tricks, tricks=(*earlier, trick)))


def _after_showing(shared: Shared, at: Location, cards: tuple[int, ...]) -> Shared:
    match at.zone:
        case Zone.HAND:
            hands = tuple(
                replace(hand, open=(*hand.open, *(card for card in cards if card not in hand.open)))
                if hand.seat == at.seat
                else hand
                for hand in shared.hands
            )
            called = tuple(replace(known, holder=at.seat) if known.card in cards else known for known in shared.called)
            return replace(shared, hands=hands, called=called)
        case Zone.KITTY:
            return replace(shared, kitty=cards)
        case Zone.PUT_BACK:
            return replace(shared, put_back=(*shared.put_back, *(c for c in cards if c not in shared.put_back)))
        case _:
            return shared


def _after_trick(shared: Shared, winner: int, points: int) -> Shared:
    assert shared.tricks is not None
    *earlier, trick = shared.tricks.tricks
    tallies = tuple(
        replace(tally, tricks=tally.tricks + 1, points=tally.points + points) if tally.seat == winner else tally
        for tally in shared.tricks.tallies
    )
    tricks = (*earlier, replace(trick, winner=winner, points=points))
    return replace(shared, tricks=replace(shared.tricks, tricks=tricks, tallies=tallies))


__all__ = ["learn", "learn_own", "learn_shared"]

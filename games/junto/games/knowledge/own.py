"""What one seat knows beyond the shared view, after an event that it may see."""

from __future__ import annotations

from dataclasses import replace

from junto.games.cards import Card
from junto.games.events import CardsMoved, Event, Location, PileLaid, RoleRevealed, Zone
from junto.games.view import Own


def own_after(own: Own, event: Event | None) -> Own:
    """Return what a seat itself knows after an event that it saw; None: it saw nothing."""
    match event:
        case CardsMoved(source, target, _, cards) if cards and own.seat in (source.seat, target.seat):
            return _own_after_move(own, source, target, cards)
        case RoleRevealed(seat, role, _, alone) if seat == own.seat:
            return Own(own.seat, own.hand, role, own.alone or alone, own.kitty, own.put_back, own.pile_row)
        case PileLaid(row, seat) if seat == own.seat:
            return replace(own, pile_row=row)
        case _:
            return own


def _own_after_move(own: Own, source: Location, target: Location, cards: tuple[Card, ...]) -> Own:
    hand, kitty, put_back = own.hand, own.kitty, own.put_back
    if source.zone is Zone.HAND and source.seat == own.seat:
        left = list(hand)
        for card in cards:
            left.remove(card)
        hand = tuple(left)
    if target.zone is Zone.HAND and target.seat == own.seat:
        hand = tuple(sorted((*hand, *cards)))
        if source.zone is Zone.KITTY:
            kitty += cards
    if target.zone is Zone.PUT_BACK:
        put_back += cards
    return Own(own.seat, hand, own.role, own.alone, kitty, put_back, own.pile_row)

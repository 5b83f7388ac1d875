"""What happened as messages, for those who may see it.

Which event a viewer gets is for `Seen` to say (`for_seat`, `for_all`); here an event only becomes a message.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from junto.games.actions import Play, text
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
    SeatsDrawn,
    Seen,
    TrickLed,
    TrickWon,
    TrumpChanged,
    Zone,
    seen_by,
)
from junto.games.shuffle import DealSeed
from junto.v1 import actions_pb2, cards_pb2, events_pb2
from junto.wire.actions import write_action
from junto.wire.cards import STRAINS, write_cards, write_row, write_suit
from junto.wire.combinations import write_combination
from junto.wire.promises import Promise, write_promise
from junto.wire.results import known, optional, write_clearing, write_contract, write_result, write_role
from junto.wire.views import write_report


def write_event(
    event: Event,
    actor: int = events_pb2.ACTOR_UNSPECIFIED,
    promise: Promise | None = None,
    reveal: DealSeed | None = None,
) -> events_pb2.Event:
    """Return the message of an event.

    `actor` is who made the decision of an `ActionTaken` (a number of the API's `Actor`); the promise
    comes with a `DealStarted`, what keeps it with a `DealEnded`.
    """
    match event:
        case CardsMoved():
            return events_pb2.Event(cards_moved=_write_move(event))
        case ActionTaken():
            return events_pb2.Event(action_taken=_write_action_taken(event, actor))
        case TrickLed(leader, led_suit, calls):
            led = events_pb2.TrickLed(leader=leader, led_suit=write_suit(led_suit), calls=write_cards(calls))
            return events_pb2.Event(trick_led=led)
        case TrickWon(winner, points):
            return events_pb2.Event(trick_won=events_pb2.TrickWon(winner=winner, points=points))
        case PhaseChanged(phase):
            changed = events_pb2.PhaseChanged(phase=actions_pb2.Phase.ValueType(phase))
            return events_pb2.Event(phase_changed=changed)
        case CardsShown(at, cards):
            shown = events_pb2.CardsShown(at=write_location(at), cards=write_cards(cards))
            return events_pb2.Event(cards_shown=shown)
        case ContractChanged(contract):
            made = events_pb2.ContractChanged(contract=write_contract(contract))
            return events_pb2.Event(contract_changed=made)
        case TrumpChanged(trump):
            return events_pb2.Event(trump_changed=events_pb2.TrumpChanged(trump=STRAINS[trump]))
        case RoleRevealed(seat, role, secret, alone):
            told = events_pb2.RoleRevealed(seat=seat, role=write_role(role), secret=secret, alone=alone)
            return events_pb2.Event(role_revealed=told)
        case DealStarted(number, dealer):
            commitment = None if promise is None else write_promise(promise)
            started = events_pb2.DealStarted(number=number, dealer=dealer, commitment=commitment)
            return events_pb2.Event(deal_started=started)
        case DealEnded(result):
            return events_pb2.Event(deal_ended=events_pb2.DealEnded(result=write_result(result, reveal)))
        case RoundBegan() | SeatFinished() | SeatCleared():
            return _write_in_round(event)
        case SeatsDrawn() | PileLaid() | PointsReported() | PlacesSwapped():
            return _write_about_places(event)


def write_events(
    events: Iterable[Seen],
    seat: int | None,
    actor: int = events_pb2.ACTOR_UNSPECIFIED,
    promise: Promise | None = None,
    reveal: DealSeed | None = None,
) -> list[events_pb2.Event]:
    """Return the messages of what a seat (None: a spectator) sees of the events."""
    return [write_event(event, actor, promise, reveal) for event in seen_by(events, seat)]


def event_bytes(event: Event, actor: int, promise: Promise | None, reveal: DealSeed | None) -> bytes:
    """Return the serialised message of an event. What recurs in every deal is remembered."""
    match event:
        case CardsMoved(source, target, 1, (card,)) if source.seat is not None:
            return _card_moved(source.zone.value, source.seat, target.zone.value, target.seat, card)
        case ActionTaken(seat, Play(card, None, ())):
            return _card_played(seat, card, actor)
        case TrickLed(leader, led_suit, ()) if led_suit is not None:
            return _trick_led(leader, led_suit)
        case TrickWon(winner, points):
            return _trick_won(winner, points)
        case _:
            return write_event(event, actor, promise, reveal).SerializeToString()


@lru_cache(4096)
def _card_moved(source: int, source_seat: int, target: int, target_seat: int | None, card: Card) -> bytes:
    event = CardsMoved(Location(Zone(source), source_seat), Location(Zone(target), target_seat), 1, (card,))
    return write_event(event).SerializeToString()


@lru_cache(4096)
def _card_played(seat: int, card: Card, actor: int) -> bytes:
    return write_event(ActionTaken(seat, Play(card)), actor).SerializeToString()


@lru_cache(256)
def _trick_led(leader: int, led_suit: int) -> bytes:
    return write_event(TrickLed(leader, led_suit)).SerializeToString()


@lru_cache(1024)
def _trick_won(winner: int, points: int) -> bytes:
    return write_event(TrickWon(winner, points)).SerializeToString()


def write_location(location: Location) -> cards_pb2.Location:
    """Return the message of a place for cards."""
    return cards_pb2.Location(zone=cards_pb2.Zone.ValueType(location.zone), seat=location.seat)


def read_location(message: cards_pb2.Location) -> Location:
    """Return a place for cards, out of its message.

    Raises:
        WireError: its zone is none of this game server's.
    """
    return Location(known(Zone, message.zone), optional(message, "seat"))


def _write_in_round(event: RoundBegan | SeatFinished | SeatCleared) -> events_pb2.Event:
    match event:
        case RoundBegan(leader):
            return events_pb2.Event(round_began=events_pb2.RoundBegan(leader=leader))
        case SeatFinished(seat, place):
            return events_pb2.Event(seat_finished=events_pb2.SeatFinished(seat=seat, place=place))
        case SeatCleared(clearing):
            return events_pb2.Event(seat_cleared=events_pb2.SeatCleared(clearing=write_clearing(clearing)))


def _write_about_places(event: SeatsDrawn | PileLaid | PointsReported | PlacesSwapped) -> events_pb2.Event:
    match event:
        case SeatsDrawn(draws):
            drawn = [
                events_pb2.SeatDraw(from_seat=draw.from_seat, suit=write_suit(draw.suit), to_seat=draw.to_seat)
                for draw in draws
            ]
            return events_pb2.Event(seats_drawn=events_pb2.SeatsDrawn(draws=drawn))
        case PileLaid(row, seat):
            return events_pb2.Event(pile_laid=events_pb2.PileLaid(row=write_row(row), seat=seat))
        case PointsReported(reports):
            reported = events_pb2.PointsReported(reports=map(write_report, reports))
            return events_pb2.Event(points_reported=reported)
        case PlacesSwapped(order):
            return events_pb2.Event(places_swapped=events_pb2.PlacesSwapped(order=order))


def _write_move(event: CardsMoved) -> events_pb2.CardsMoved:
    message = events_pb2.CardsMoved(to=write_location(event.target), count=event.count, cards=write_cards(event.cards))
    getattr(message, "from").CopyFrom(write_location(event.source))
    return message


def _write_action_taken(event: ActionTaken, actor: int) -> events_pb2.ActionTaken:
    return events_pb2.ActionTaken(
        seat=event.seat,
        action=write_action(event.action),
        combination=None if event.combination is None else write_combination(event.combination),
        actor=events_pb2.Actor.ValueType(actor),
        text=text(event.action),
    )

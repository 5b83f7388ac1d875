"""What is known of a deal as messages: views are built here, by inclusion, and nowhere else.

A field is in a view because a line of this module puts it into an empty message, out of `Shared` (for
everybody) or one seat's `Own` (for that seat). Nothing here sees a deal's hidden cards.
Most of a view is what it was a move ago, so each part is serialised on its own and remembered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from junto.games.cards import Card
from junto.games.shuffle import DealSeed
from junto.games.view import (
    BaohuangDetails,
    BridgeDetails,
    CalledCard,
    ClimbingPlay,
    Contract,
    DealResult,
    Details,
    DouDizhuDetails,
    NapoleonDetails,
    Own,
    PendingClaim,
    Pile,
    PointReport,
    Round,
    SeatAction,
    SeatRole,
    Shared,
    Spring,
    Trick,
    TrickPlay,
    WhistDetails,
)
from junto.v1 import actions_pb2, views_pb2
from junto.v1.views_pb2 import DealView, OwnView, SharedView
from junto.wire.actions import write_action
from junto.wire.cards import CARDS, write_cards, write_row, write_strain, write_suit
from junto.wire.combinations import write_combination
from junto.wire.errors import WireError
from junto.wire.joining import Remembered, nested, tag
from junto.wire.promises import Promise, write_promise
from junto.wire.results import write_clearing, write_contract, write_result, write_role

_SHARED: Final = tag(DealView, "shared")
_OWN: Final = tag(DealView, "own")
_PLAY: Final = tag(SharedView, "tricks")
_TRICK: Final = tag(views_pb2.TrickPlay, "tricks")
_CLIMBING: Final = tag(SharedView, "climbing")
_ROUND: Final = tag(views_pb2.ClimbingPlay, "rounds")
_ROUND_ACTION: Final = tag(views_pb2.Round, "actions")


def write_shared(shared: Shared, promise: Promise | None = None, reveal: DealSeed | None = None) -> SharedView:
    """Return what everybody at the table knows of a deal.

    Raises:
        WireError: a secret would be revealed before the deal is over.
    """
    return SharedView.FromString(shared_bytes(shared, promise, reveal))


def write_own(own: Own) -> OwnView:
    """Return what one seat knows beyond the shared view."""
    return OwnView(
        seat=own.seat,
        hand=write_cards(own.hand),
        role=None if own.role is None else write_role(own.role),
        alone=own.alone,
        kitty=write_cards(own.kitty),
        put_back=write_cards(own.put_back),
        pile_row=write_row(own.pile_row),
    )


def write_report(report: PointReport) -> views_pb2.PointReport:
    """Return the message of what a player's cards of the pile count."""
    return views_pb2.PointReport(seat=report.seat, points=report.points)


def shared_bytes(shared: Shared, promise: Promise | None = None, reveal: DealSeed | None = None) -> bytes:
    """Return the serialised `SharedView` of what everybody knows of a deal.

    Raises:
        WireError: a secret would be revealed before the deal is over.
    """
    parts = [_standing(shared.number, shared.phase.value, shared.dealer, shared.to_act, shared.kitty_size)]
    parts += [_hand(hand.seat, hand.size, hand.open) for hand in shared.hands]
    if shared.kitty:
        parts.append(_kitty(shared.kitty))
    if shared.put_back:
        parts.append(_put_back(shared.put_back))
    if shared.calls:
        parts.append(_calls(shared.calls))
    if shared.contract is not None:
        parts.append(_contract(shared.contract))
    if shared.called:
        parts.append(_called(shared.called))
    if shared.roles:
        parts.append(_roles(shared.roles))
    if promise is not None:
        parts.append(_promise(promise))
    if shared.result is not None:
        parts.append(_result(shared.result, reveal))
    elif reveal is not None:
        raise WireError("a deal's secret is revealed when the deal is over, not before")
    if shared.tricks is not None:
        parts.append(nested(_PLAY, _play(shared.tricks)))
    if shared.climbing is not None:
        parts.append(nested(_CLIMBING, _climbing(shared.climbing)))
    if shared.details is not None:
        parts.append(_details(shared.details))
    return b"".join(parts)


def shared_field(shared: Shared, promise: Promise | None = None, reveal: DealSeed | None = None) -> bytes:
    """Return the serialised `DealView` of a spectator; one seat's `own_field` after it makes that seat's.

    Raises:
        WireError: a secret would be revealed before the deal is over.
    """
    return nested(_SHARED, shared_bytes(shared, promise, reveal))


@Remembered
def own_field(own: Own) -> bytes:
    """Return the serialised part of a `DealView` that is one seat's own."""
    return nested(_OWN, write_own(own).SerializeToString())


@lru_cache(4096)
def _standing(number: int, phase: int, dealer: int | None, to_act: int | None, kitty_size: int) -> bytes:
    return SharedView(
        number=number,
        phase=actions_pb2.Phase.ValueType(phase),
        dealer=dealer,
        to_act=to_act,
        kitty_size=kitty_size,
    ).SerializeToString()


@lru_cache(4096)
def _hand(seat: int, size: int, known: tuple[Card, ...]) -> bytes:
    message = views_pb2.HandView(seat=seat, size=size, open=write_cards(known))
    return SharedView(hands=[message]).SerializeToString()


@Remembered
def _kitty(cards: tuple[Card, ...]) -> bytes:
    return SharedView(kitty=write_cards(cards)).SerializeToString()


@Remembered
def _put_back(cards: tuple[Card, ...]) -> bytes:
    return SharedView(put_back=write_cards(cards)).SerializeToString()


@Remembered
def _calls(calls: tuple[SeatAction, ...]) -> bytes:
    messages = [write_seat_action(call) for call in calls]
    return SharedView(calls=messages).SerializeToString()


def write_seat_action(done: SeatAction) -> views_pb2.SeatAction:
    """Return the message of what a seat did."""
    combination = None if done.combination is None else write_combination(done.combination)
    return views_pb2.SeatAction(seat=done.seat, action=write_action(done.action), combination=combination)


@Remembered
def _contract(contract: Contract) -> bytes:
    return SharedView(contract=write_contract(contract)).SerializeToString()


@Remembered
def _called(called: tuple[CalledCard, ...]) -> bytes:
    messages = [views_pb2.CalledCard(card=CARDS[one.card], holder=one.holder) for one in called]
    return SharedView(called=messages).SerializeToString()


@Remembered
def _roles(roles: tuple[SeatRole, ...]) -> bytes:
    messages = [views_pb2.SeatRole(seat=one.seat, role=write_role(one.role)) for one in roles]
    return SharedView(roles=messages).SerializeToString()


@lru_cache(4096)
def _promise(promise: Promise) -> bytes:
    return SharedView(commitment=write_promise(promise)).SerializeToString()


def _result(result: DealResult, reveal: DealSeed | None) -> bytes:
    return SharedView(result=write_result(result, reveal)).SerializeToString()


def _details(details: Details) -> bytes:
    match details:
        case NapoleonDetails(counting_cards, jokers_strong):
            return _napoleon(counting_cards, jokers_strong)
        case BridgeDetails():
            return _bridge(details)
        case WhistDetails(turned):
            return _whist(turned)
        case DouDizhuDetails(bombs, multiplier, spring):
            return _dou_dizhu(bombs, multiplier, spring)
        case BaohuangDetails():
            return _baohuang(details)


@lru_cache(256)
def _napoleon(counting_cards: int, jokers_strong: bool) -> bytes:
    napoleon = views_pb2.NapoleonDetails(counting_cards=counting_cards, jokers_strong=jokers_strong)
    return SharedView(napoleon=napoleon).SerializeToString()


@Remembered
def _bridge(details: BridgeDetails) -> bytes:
    bridge = views_pb2.BridgeDetails(
        board=details.board,
        vulnerability=views_pb2.Vulnerability.ValueType(details.vulnerability.value),
        dummy=details.dummy,
        pile=None if details.pile is None else _write_pile(details.pile),
        claim=None if details.claim is None else _write_claim(details.claim),
    )
    return SharedView(bridge=bridge).SerializeToString()


def _write_pile(pile: Pile) -> views_pb2.Pile:
    return views_pb2.Pile(row=write_row(pile.row), reports=map(write_report, pile.reports))


def _write_claim(claim: PendingClaim) -> views_pb2.PendingClaim:
    return views_pb2.PendingClaim(seat=claim.seat, tricks=claim.tricks, agreed=claim.agreed)


@lru_cache(64)
def _whist(turned: Card) -> bytes:
    return SharedView(whist=views_pb2.WhistDetails(turned=CARDS[turned])).SerializeToString()


@lru_cache(1024)
def _dou_dizhu(bombs: int, multiplier: int, spring: Spring | None) -> bytes:
    message = views_pb2.DouDizhuDetails(
        bombs=bombs,
        multiplier=multiplier,
        spring=views_pb2.Spring.ValueType(spring or views_pb2.SPRING_UNSPECIFIED),
    )
    return SharedView(dou_dizhu=message).SerializeToString()


@Remembered
def _baohuang(details: BaohuangDetails) -> bytes:
    message = views_pb2.BaohuangDetails(
        pot=write_cards(details.pot),
        named=None if details.named is None else write_action(details.named).show_cards,
        alliance=views_pb2.Alliance.ValueType(details.alliance or views_pb2.ALLIANCE_UNSPECIFIED),
        tributes=[
            views_pb2.Tribute(from_seat=paid.from_seat, to_seat=paid.to_seat, card=CARDS[paid.card])
            for paid in details.tributes
        ],
        clearings=map(write_clearing, details.clearings),
        payments=[
            views_pb2.Payment(seat=paid.seat, card=None if paid.card is None else CARDS[paid.card])
            for paid in details.payments
        ],
    )
    return SharedView(baohuang=message).SerializeToString()


def _climbing(play: ClimbingPlay) -> bytes:
    about = views_pb2.ClimbingPlay(finished=play.finished, applicant=play.applicant).SerializeToString()
    return b"".join([_round(one) for one in play.rounds]) + about


@Remembered
def _round(one: Round) -> bytes:
    about = views_pb2.Round(leader=one.leader).SerializeToString()
    return nested(_ROUND, b"".join([*map(_round_action, one.actions), about]))


@Remembered
def _round_action(done: SeatAction) -> bytes:
    return nested(_ROUND_ACTION, write_seat_action(done).SerializeToString())


def _play(play: TrickPlay) -> bytes:
    parts = [_trumps(play.trump, play.total_tricks)]
    parts += [_trick(trick) for trick in play.tricks]
    parts += [_tally(tally.seat, tally.tricks, tally.points) for tally in play.tallies]
    return b"".join(parts)


@lru_cache(256)
def _trumps(trump: int | None, total_tricks: int) -> bytes:
    return views_pb2.TrickPlay(trump=write_strain(trump), total_tricks=total_tricks).SerializeToString()


@Remembered
def _trick(trick: Trick) -> bytes:
    cards = [_trick_card(played.seat, played.card) for played in trick.cards]
    about = _about_trick(trick.leader, trick.led_suit, trick.calls, trick.winner, trick.points)
    return nested(_TRICK, about + b"".join(cards))


@lru_cache(4096)
def _about_trick(
    leader: int,
    led_suit: int | None,
    calls: tuple[Card, ...],
    winner: int | None,
    points: int,
) -> bytes:
    return views_pb2.Trick(
        leader=leader,
        led_suit=write_suit(led_suit),
        calls=write_cards(calls),
        winner=winner,
        points=points,
    ).SerializeToString()


@lru_cache(1024)
def _trick_card(seat: int, card: Card) -> bytes:
    return views_pb2.Trick(cards=[views_pb2.TrickCard(seat=seat, card=CARDS[card])]).SerializeToString()


@lru_cache(4096)
def _tally(seat: int, tricks: int, points: int) -> bytes:
    message = views_pb2.Tally(seat=seat, tricks=tricks, points=points)
    return views_pb2.TrickPlay(tallies=[message]).SerializeToString()

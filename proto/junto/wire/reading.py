"""Views read back out of their messages: what a worker does before it thinks."""

from __future__ import annotations

from functools import lru_cache

from junto.games.actions import ShowCards
from junto.games.cards import Card
from junto.games.view import (
    BaohuangDetails,
    BridgeDetails,
    CalledCard,
    ClimbingPlay,
    Details,
    DouDizhuDetails,
    HandView,
    NapoleonDetails,
    Own,
    Payment,
    PendingClaim,
    Pile,
    PointReport,
    Role,
    Round,
    SeatAction,
    SeatRole,
    Shared,
    Spring,
    Tally,
    Tribute,
    Trick,
    TrickCard,
    TrickPlay,
    Vulnerability,
    WhistDetails,
)
from junto.v1 import views_pb2
from junto.wire.actions import read_action
from junto.wire.cards import read_card, read_cards, read_row, read_strain, read_suit
from junto.wire.combinations import read_combination
from junto.wire.errors import WireError
from junto.wire.results import known, optional, read_alliance, read_clearing, read_contract, read_phase, read_result


def read_shared(message: views_pb2.SharedView) -> Shared:
    """Return what everybody knows of a deal; the promise and what keeps it are the table's, not the game's.

    Raises:
        WireError: a card, a suit or a number of a closed set is none of this game server's.
    """
    return Shared(
        number=message.number,
        phase=read_phase(message.phase),
        hands=tuple([HandView(hand.seat, hand.size, read_cards(hand.open)) for hand in message.hands]),
        dealer=optional(message, "dealer"),
        to_act=optional(message, "to_act"),
        kitty_size=message.kitty_size,
        kitty=read_cards(message.kitty),
        put_back=read_cards(message.put_back),
        calls=tuple(map(_read_seat_action, message.calls)),
        contract=read_contract(message.contract) if message.HasField("contract") else None,
        called=tuple([CalledCard(read_card(one.card), optional(one, "holder")) for one in message.called]),
        roles=tuple([SeatRole(one.seat, known(Role, one.role)) for one in message.roles]),
        result=read_result(message.result) if message.HasField("result") else None,
        tricks=_read_play(message.tricks) if message.HasField("tricks") else None,
        climbing=_read_climbing(message.climbing) if message.HasField("climbing") else None,
        details=_read_details(message),
    )


def read_own(message: views_pb2.OwnView) -> Own:
    """Return what one seat knows beyond the shared view.

    Raises:
        WireError: a card or a role is none of this game server's.
    """
    return Own(
        seat=message.seat,
        hand=read_cards(message.hand),
        role=known(Role, message.role) if message.HasField("role") else None,
        alone=message.alone,
        kitty=read_cards(message.kitty),
        put_back=read_cards(message.put_back),
        pile_row=read_row(message.pile_row),
    )


def _read_seat_action(message: views_pb2.SeatAction) -> SeatAction:
    combination = read_combination(message.combination) if message.HasField("combination") else None
    return SeatAction(message.seat, read_action(message.action), combination)


def _read_climbing(message: views_pb2.ClimbingPlay) -> ClimbingPlay:
    rounds = tuple([Round(one.leader, tuple(map(_read_seat_action, one.actions))) for one in message.rounds])
    return ClimbingPlay(rounds, tuple(message.finished), optional(message, "applicant"))


def _read_play(message: views_pb2.TrickPlay) -> TrickPlay:
    return TrickPlay(
        total_tricks=message.total_tricks,
        trump=read_strain(message.trump),
        tricks=tuple([_read_trick(trick) for trick in message.tricks]),
        tallies=tuple([Tally(won.seat, won.tricks, won.points) for won in message.tallies]),
    )


def _read_trick(message: views_pb2.Trick) -> Trick:
    return Trick(
        leader=message.leader,
        cards=tuple([_trick_card(played.seat, played.card) for played in message.cards]),
        led_suit=read_suit(message.led_suit) if message.led_suit else None,
        calls=read_cards(message.calls),
        winner=optional(message, "winner"),
        points=message.points,
    )


@lru_cache(1024)
def _trick_card(seat: int, number: int) -> TrickCard:
    card: Card = read_card(number)
    return TrickCard(seat, card)


def _read_details(message: views_pb2.SharedView) -> Details | None:
    match message.WhichOneof("details"):
        case None:
            return None
        case "napoleon":
            return NapoleonDetails(message.napoleon.counting_cards, message.napoleon.jokers_strong)
        case "bridge":
            return _read_bridge(message.bridge)
        case "whist":
            return WhistDetails(read_card(message.whist.turned))
        case "dou_dizhu":
            spring = message.dou_dizhu.spring
            return DouDizhuDetails(
                message.dou_dizhu.bombs, message.dou_dizhu.multiplier, known(Spring, spring) if spring else None
            )
        case "baohuang":
            return _read_baohuang(message.baohuang)
        case kind:
            raise WireError(f"no game of this server has {kind} details")


def _read_baohuang(message: views_pb2.BaohuangDetails) -> BaohuangDetails:
    named = message.named
    return BaohuangDetails(
        pot=read_cards(message.pot),
        payments=tuple(
            Payment(paid.seat, read_card(paid.card) if paid.HasField("card") else None) for paid in message.payments
        ),
        named=ShowCards(read_card(named.card), named.count) if message.HasField("named") else None,
        alliance=read_alliance(message.alliance),
        tributes=tuple(Tribute(paid.from_seat, paid.to_seat, read_card(paid.card)) for paid in message.tributes),
        clearings=tuple(map(read_clearing, message.clearings)),
    )


def _read_bridge(message: views_pb2.BridgeDetails) -> BridgeDetails:
    return BridgeDetails(
        board=message.board,
        vulnerability=known(Vulnerability, message.vulnerability),
        dummy=optional(message, "dummy"),
        pile=_read_pile(message.pile) if message.HasField("pile") else None,
        claim=_read_claim(message.claim) if message.HasField("claim") else None,
    )


def _read_pile(message: views_pb2.Pile) -> Pile:
    reports = tuple([PointReport(report.seat, report.points) for report in message.reports])
    return Pile(read_row(message.row), reports)


def _read_claim(message: views_pb2.PendingClaim) -> PendingClaim:
    return PendingClaim(message.seat, message.tricks, tuple(message.agreed))

"""What is known of a deal as messages, and back: views are built here, by inclusion, and nowhere else.

A field is in a message because a line of this module puts it there, out of `Shared` (for everybody) or
one seat's `Own` (for that seat). Nothing here sees a deal's hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TypeVar

from google.protobuf.message import Message

from junto.games.shuffle import VERSION, DealSeed
from junto.games.view import (
    CalledCard,
    Contract,
    DealResult,
    Details,
    Doubling,
    HandView,
    LastDeal,
    MatchView,
    NapoleonDetails,
    Outcome,
    Own,
    Phase,
    Role,
    SeatAction,
    SeatResult,
    SeatRole,
    Shared,
    Tally,
    Trick,
    TrickCard,
    TrickPlay,
)
from junto.v1 import actions_pb2, views_pb2
from junto.wire.actions import read_action, read_bid, write_action, write_bid
from junto.wire.cards import (
    CARDS,
    read_card,
    read_cards,
    read_strain,
    read_suit,
    write_cards,
    write_strain,
    write_suit,
)
from junto.wire.errors import WireError
from junto.wire.times import write_time

_Closed = TypeVar("_Closed", bound=IntEnum)


def write_commitment(sha256: str, entropy_deadline_ms: int | None = None) -> views_pb2.Commitment:
    """Return the promise of a deal: its secret's hash, and until when (ms since 1970) entropy is taken."""
    deadline = None if entropy_deadline_ms is None else write_time(entropy_deadline_ms)
    return views_pb2.Commitment(seed_sha256=sha256, shuffle_version=VERSION, entropy_deadline=deadline)


def write_reveal(seed: DealSeed) -> views_pb2.Reveal:
    """Return what keeps the promise of a deal. Only for a deal that is over."""
    return views_pb2.Reveal(seed=seed.secret.hex(), entropy=[part.hex() for part in seed.entropy])


def write_shared(
    shared: Shared,
    commitment: views_pb2.Commitment | None = None,
    reveal: views_pb2.Reveal | None = None,
) -> views_pb2.SharedView:
    """Return what everybody at the table knows of a deal.

    Raises:
        WireError: a secret would be revealed before the deal is over.
    """
    message = write_shared_but_tricks(shared, commitment, reveal)
    if shared.tricks is not None:
        message.tricks.tricks.extend([write_trick(trick) for trick in shared.tricks.tricks])
    return message


def write_shared_but_tricks(
    shared: Shared,
    commitment: views_pb2.Commitment | None = None,
    reveal: views_pb2.Reveal | None = None,
) -> views_pb2.SharedView:
    """Return what everybody knows, the list of tricks aside: it grows, and is serialised bit by bit."""
    message = views_pb2.SharedView(
        number=shared.number,
        phase=actions_pb2.Phase.ValueType(shared.phase),
        dealer=shared.dealer,
        to_act=shared.to_act,
        hands=[_write_hand(hand) for hand in shared.hands],
        kitty_size=shared.kitty_size,
        kitty=write_cards(shared.kitty),
        put_back=write_cards(shared.put_back),
        calls=[_write_seat_action(call) for call in shared.calls],
        called=[views_pb2.CalledCard(card=CARDS[called.card], holder=called.holder) for called in shared.called],
        roles=[views_pb2.SeatRole(seat=known.seat, role=write_role(known.role)) for known in shared.roles],
        commitment=commitment,
    )
    if shared.contract is not None:
        message.contract.CopyFrom(write_contract(shared.contract))
    if shared.result is not None:
        message.result.CopyFrom(write_result(shared.result, reveal))
    elif reveal is not None:
        raise WireError("a deal's secret is revealed when it is over, not before")
    if shared.tricks is not None:
        message.tricks.CopyFrom(_write_play_but_tricks(shared.tricks))
    if shared.details is not None:
        _add_details(message, shared.details)
    return message


def write_own(own: Own) -> views_pb2.OwnView:
    """Return what one seat knows beyond the shared view."""
    return views_pb2.OwnView(
        seat=own.seat,
        hand=write_cards(own.hand),
        role=None if own.role is None else write_role(own.role),
        alone=own.alone,
        kitty=write_cards(own.kitty),
        put_back=write_cards(own.put_back),
    )


def write_trick(trick: Trick) -> views_pb2.Trick:
    """Return the message of a trick."""
    return views_pb2.Trick(
        leader=trick.leader,
        cards=[views_pb2.TrickCard(seat=played.seat, card=CARDS[played.card]) for played in trick.cards],
        led_suit=write_suit(trick.led_suit),
        calls=write_cards(trick.calls),
        winner=trick.winner,
        points=trick.points,
    )


def write_contract(contract: Contract) -> views_pb2.Contract:
    """Return the message of a contract."""
    return views_pb2.Contract(
        declarer=contract.declarer,
        bid=write_bid(contract.bid),
        target=contract.target,
        doubling=views_pb2.Doubling.ValueType(contract.doubling or views_pb2.DOUBLING_UNSPECIFIED),
    )


def write_result(result: DealResult, reveal: views_pb2.Reveal | None = None) -> views_pb2.DealResult:
    """Return the message of a deal's result."""
    return views_pb2.DealResult(
        outcome=views_pb2.Outcome.ValueType(result.outcome),
        seats=[_write_seat_result(share) for share in result.seats],
        captured=result.captured,
        reveal=reveal,
    )


def write_role(role: Role | None) -> views_pb2.Role.ValueType:
    """Return the wire's number of a role; `ROLE_UNSPECIFIED` for none."""
    return views_pb2.ROLE_UNSPECIFIED if role is None else views_pb2.Role.ValueType(role)


def write_match_view(match: MatchView) -> views_pb2.MatchView:
    """Return what is carried from deal to deal, as everybody sees it."""
    return views_pb2.MatchView(
        deals_done=match.deals_done,
        deals_total=match.deals_total,
        scores=[views_pb2.SeatScore(seat=seat, score=score) for seat, score in enumerate(match.scores)],
        last_deal=None if match.last_deal is None else write_last_deal(match.last_deal),
    )


def write_last_deal(last: LastDeal) -> views_pb2.LastDeal:
    """Return the message of the last scored deal."""
    return views_pb2.LastDeal(number=last.number, result=write_result(last.result))


def _write_hand(hand: HandView) -> views_pb2.HandView:
    return views_pb2.HandView(seat=hand.seat, size=hand.size, open=write_cards(hand.open))


def _write_seat_action(taken: SeatAction) -> views_pb2.SeatAction:
    return views_pb2.SeatAction(seat=taken.seat, action=write_action(taken.action))


def _write_seat_result(share: SeatResult) -> views_pb2.SeatResult:
    return views_pb2.SeatResult(seat=share.seat, score=share.score, role=write_role(share.role), place=share.place)


def _write_play_but_tricks(play: TrickPlay) -> views_pb2.TrickPlay:
    return views_pb2.TrickPlay(
        trump=write_strain(play.trump),
        total_tricks=play.total_tricks,
        tallies=[views_pb2.Tally(seat=won.seat, tricks=won.tricks, points=won.points) for won in play.tallies],
    )


def _add_details(message: views_pb2.SharedView, details: Details) -> None:
    match details:
        case NapoleonDetails(counting_cards, jokers_strong):
            napoleon = views_pb2.NapoleonDetails(counting_cards=counting_cards, jokers_strong=jokers_strong)
            message.napoleon.CopyFrom(napoleon)


def read_shared(message: views_pb2.SharedView) -> Shared:
    """Return what everybody knows, out of its message. Commitment and reveal are the table's, not the game's.

    Raises:
        WireError: a card, a suit or a number of a closed set is none of this game server's.
    """
    return Shared(
        number=message.number,
        phase=read_phase(message.phase),
        hands=tuple(HandView(hand.seat, hand.size, read_cards(hand.open)) for hand in message.hands),
        dealer=optional(message, "dealer"),
        to_act=optional(message, "to_act"),
        kitty_size=message.kitty_size,
        kitty=read_cards(message.kitty),
        put_back=read_cards(message.put_back),
        calls=tuple(SeatAction(call.seat, read_action(call.action)) for call in message.calls),
        contract=_read_contract(message.contract) if message.HasField("contract") else None,
        called=tuple(CalledCard(read_card(known.card), optional(known, "holder")) for known in message.called),
        roles=tuple(SeatRole(known.seat, _known(Role, known.role)) for known in message.roles),
        result=read_result(message.result) if message.HasField("result") else None,
        tricks=_read_play(message.tricks) if message.HasField("tricks") else None,
        details=_read_details(message),
    )


def read_own(message: views_pb2.OwnView) -> Own:
    """Return what one seat knows beyond the shared view, out of its message.

    Raises:
        WireError: a card or a role is none of this game server's.
    """
    return Own(
        seat=message.seat,
        hand=read_cards(message.hand),
        role=_known(Role, message.role) if message.HasField("role") else None,
        alone=message.alone,
        kitty=read_cards(message.kitty),
        put_back=read_cards(message.put_back),
    )


def read_match_view(message: views_pb2.MatchView) -> MatchView:
    """Return what is carried from deal to deal, out of its message.

    Raises:
        WireError: the scores are not those of seats 0, 1, 2, …; an outcome or a role is unknown.
    """
    if any(score.seat != seat for seat, score in enumerate(message.scores)):
        raise WireError("a match's scores are listed by seat, from 0")
    return MatchView(
        deals_done=message.deals_done,
        deals_total=optional(message, "deals_total"),
        scores=tuple(score.score for score in message.scores),
        last_deal=read_last_deal(message.last_deal) if message.HasField("last_deal") else None,
    )


def read_last_deal(message: views_pb2.LastDeal) -> LastDeal:
    """Return the last scored deal, out of its message.

    Raises:
        WireError: an outcome or a role is unknown.
    """
    return LastDeal(message.number, read_result(message.result))


def read_result(message: views_pb2.DealResult) -> DealResult:
    """Return the result of a deal, out of its message.

    Raises:
        WireError: an outcome or a role is unknown.
    """
    return DealResult(
        outcome=_known(Outcome, message.outcome),
        seats=tuple(
            SeatResult(share.seat, share.score, read_role(share.role), optional(share, "place"))
            for share in message.seats
        ),
        captured=optional(message, "captured"),
    )


def read_phase(number: int) -> Phase:
    """Return the phase of a number.

    Raises:
        WireError: there is no such phase.
    """
    return _known(Phase, number)


def read_role(number: int) -> Role | None:
    """Return the role of a number; None for `ROLE_UNSPECIFIED`.

    Raises:
        WireError: there is no such role.
    """
    return _known(Role, number) if number else None


def optional(message: Message, field: str) -> int | None:
    """Return the value of a message's optional number; None where it is absent."""
    value: int = getattr(message, field)
    return value if message.HasField(field) else None


def _known(closed: type[_Closed], number: int) -> _Closed:
    try:
        return closed(number)
    except ValueError:
        raise WireError(f"there is no {closed.__name__.lower()} with the number {number}") from None


def _read_contract(message: views_pb2.Contract) -> Contract:
    return Contract(
        declarer=message.declarer,
        bid=read_bid(message.bid),
        target=optional(message, "target"),
        doubling=_known(Doubling, message.doubling) if message.doubling else None,
    )


def _read_play(message: views_pb2.TrickPlay) -> TrickPlay:
    return TrickPlay(
        total_tricks=message.total_tricks,
        trump=read_strain(message.trump),
        tricks=tuple(_read_trick(trick) for trick in message.tricks),
        tallies=_read_tallies(message.tallies),
    )


def _read_trick(message: views_pb2.Trick) -> Trick:
    return Trick(
        leader=message.leader,
        cards=tuple(TrickCard(played.seat, read_card(played.card)) for played in message.cards),
        led_suit=read_suit(message.led_suit) if message.led_suit else None,
        calls=read_cards(message.calls),
        winner=optional(message, "winner"),
        points=message.points,
    )


def _read_tallies(messages: Iterable[views_pb2.Tally]) -> tuple[Tally, ...]:
    return tuple(Tally(won.seat, won.tricks, won.points) for won in messages)


def _read_details(message: views_pb2.SharedView) -> Details | None:
    match message.WhichOneof("details"):
        case None:
            return None
        case "napoleon":
            return NapoleonDetails(message.napoleon.counting_cards, message.napoleon.jokers_strong)
        case kind:
            raise WireError(f"no game of this server has {kind} details")

"""Fold events into what is known: the one place where `Shared` and `Own` come from.

The shared part is given public events only, a seat's own part the events that this seat may see. No rule
of any game stands here: an event says what happened, and this says what that adds to a view. Only what
follows from the shared part itself (whose turn it is, a game's details) is filled in by the game's
`settle`, which sees nothing else. A game of bridge begins with its `BridgeDetails` (`Game.blank`), Baohuang with
its own: the pile and a pending claim, the pot, tributes and clearings are folded into them here, and `settle` replaces
no more than what it derives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from operator import attrgetter
from typing import Final

from junto.games.actions import (
    AcceptOffer,
    AgreeToClaim,
    ApplyForLead,
    Bid,
    CallCard,
    Claim,
    DeclineOffer,
    DoubleBid,
    Pass,
    PlayCards,
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
from junto.games.view import (
    BaohuangDetails,
    BridgeDetails,
    CalledCard,
    ClimbingPlay,
    Contract,
    DealResult,
    Details,
    HandView,
    Own,
    Payment,
    PendingClaim,
    Phase,
    Pile,
    Round,
    SeatAction,
    SeatRole,
    Shared,
    Tally,
    Tribute,
    Trick,
    TrickCard,
    TrickPlay,
)

_CALLS: Final = (Pass, Bid, DoubleBid, RedoubleBid, AcceptOffer, DeclineOffer)
_PERSONAL: Final = (CardsMoved, RoleRevealed, PileLaid)
_SHARED_FIELDS: Final = tuple(field.name for field in fields(Shared))
_all_fields: Final = attrgetter(*_SHARED_FIELDS)


class Sheet:
    """The shared knowledge while events are being written down: `Shared`'s fields, open to change."""

    number: int
    phase: Phase
    hands: tuple[HandView, ...]
    dealer: int | None
    to_act: int | None
    kitty_size: int
    kitty: tuple[Card, ...]
    put_back: tuple[Card, ...]
    calls: tuple[SeatAction, ...]
    contract: Contract | None
    called: tuple[CalledCard, ...]
    roles: tuple[SeatRole, ...]
    result: DealResult | None
    tricks: TrickPlay | None
    climbing: ClimbingPlay | None
    details: Details | None

    def __init__(self, shared: Shared) -> None:
        self.__dict__.update(zip(_SHARED_FIELDS, _all_fields(shared), strict=True))

    def shared(self) -> Shared:
        """Return what is written."""
        return Shared(*_all_fields(self))


Settle = Callable[[Sheet], None]
"""Fills in what follows from the rest of the sheet: whose turn it is, and the game's details."""


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
                own_list[seat] = _own_after(own_list[seat], seen.for_seat(seat))
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
        own = _own_after(own, event)
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
            play = _play_of(sheet)
            trick = Trick(leader, (), led_suit, calls)
            sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks, trick), play.tallies)
        case TrickWon(winner, points):
            _note_trick(sheet, winner, points)
        case PhaseChanged(phase):
            sheet.phase = phase
        case CardsShown(at, cards):
            _note_showing(sheet, at, cards)
        case ContractChanged(contract):
            sheet.contract = contract
        case TrumpChanged(trump):
            play = _play_of(sheet)
            sheet.tricks = TrickPlay(play.total_tricks, trump, play.tricks, play.tallies)
        case RoleRevealed(seat, role):
            if all(known.seat != seat or known.role != role for known in sheet.roles):
                sheet.roles = (*sheet.roles, SeatRole(seat, role))
        case DealStarted(number, dealer):
            sheet.number, sheet.dealer = number, dealer
        case DealEnded(result):
            sheet.result = result
            if isinstance(sheet.details, BridgeDetails):
                sheet.details = replace(sheet.details, claim=None)
        case PileLaid() | PointsReported() | PlacesSwapped():
            _note_places(sheet, event)
        case RoundBegan() | SeatFinished() | SeatCleared():
            _note_round(sheet, event)


def _note_places(sheet: Sheet, event: PileLaid | PointsReported | PlacesSwapped) -> None:
    match event:
        case PileLaid(row, None):
            _note_pile(sheet, replace(_pile_of(sheet), row=row))
        case PointsReported(reports):
            _note_pile(sheet, replace(_pile_of(sheet), reports=reports))
        case PlacesSwapped(order):
            hands = {hand.seat: hand for hand in sheet.hands}
            sheet.hands = tuple(hands[seat] for seat in order)


def _note_round(sheet: Sheet, event: RoundBegan | SeatFinished | SeatCleared) -> None:
    play = _climbing_of(sheet)
    match event:
        case SeatCleared(clearing):
            baohuang = _baohuang_of(sheet)
            sheet.details = replace(baohuang, clearings=(*baohuang.clearings, clearing))
        case RoundBegan(leader):
            sheet.climbing = replace(play, rounds=(*play.rounds, Round(leader)), applicant=None)
        case SeatFinished(seat):
            sheet.climbing = replace(play, finished=(*play.finished, seat))


def _note_in_round(sheet: Sheet, play: ClimbingPlay, event: ActionTaken) -> None:
    last, applicant = play.rounds[-1], play.applicant
    if isinstance(event.action, PlayCards):
        applicant = None
    elif isinstance(event.action, ApplyForLead):
        applicant = event.seat
    done = SeatAction(event.seat, event.action, event.combination)
    rounds = (*play.rounds[:-1], Round(last.leader, (*last.actions, done)))
    sheet.climbing = ClimbingPlay(rounds, play.finished, applicant)


def _climbing_of(sheet: Sheet) -> ClimbingPlay:
    assert sheet.climbing is not None, "a climbing game begins with an empty ClimbingPlay"
    return sheet.climbing


def _baohuang_of(sheet: Sheet) -> BaohuangDetails:
    assert isinstance(sheet.details, BaohuangDetails), "a game of Baohuang begins with its details"
    return sheet.details


def _play_of(sheet: Sheet) -> TrickPlay:
    assert sheet.tricks is not None, "a game of tricks begins with an empty TrickPlay"
    return sheet.tricks


def _note_action(sheet: Sheet, event: ActionTaken) -> None:
    seat, action = event.seat, event.action
    match action:
        case _ if sheet.climbing is not None and sheet.phase is Phase.PLAY:
            _note_in_round(sheet, sheet.climbing, event)
        case CallCard(card):
            sheet.called = (*sheet.called, CalledCard(card))
        case ShowCards():
            sheet.details = replace(_baohuang_of(sheet), named=action)
        case Claim() | AgreeToClaim() | RefuseClaim():
            bridge = _bridge_of(sheet)
            sheet.details = replace(bridge, claim=_claim_after(bridge.claim, seat, action))
        case _ if isinstance(action, _CALLS) and sheet.phase in {Phase.AUCTION, Phase.OFFER}:
            sheet.calls = (*sheet.calls, SeatAction(seat, action))
            if isinstance(action, DeclineOffer):
                baohuang = _baohuang_of(sheet)
                sheet.details = replace(baohuang, payments=(*baohuang.payments, Payment(seat)))


def _bridge_of(sheet: Sheet) -> BridgeDetails:
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


def _pile_of(sheet: Sheet) -> Pile:
    return _bridge_of(sheet).pile or Pile()


def _note_pile(sheet: Sheet, pile: Pile) -> None:
    sheet.details = replace(_bridge_of(sheet), pile=pile)


def _note_move(sheet: Sheet, event: CardsMoved) -> None:
    source, target, count, cards = event.source, event.target, event.count, event.cards
    if source.zone is Zone.HAND and source.seat is not None:
        sheet.hands = _resized(sheet.hands, source.seat, -count, cards)
    elif source.zone is Zone.KITTY:
        sheet.kitty_size -= count
    match target.zone:
        case Zone.HAND if target.seat is not None:
            sheet.hands = _taken(sheet.hands, target.seat, count, cards)
            if isinstance(sheet.details, BaohuangDetails):
                sheet.details = _after_taking(sheet.details, source, target.seat, cards)
        case Zone.POT:
            sheet.details = _after_payment(_baohuang_of(sheet), source, cards)
        case Zone.KITTY:
            sheet.kitty_size += count
        case Zone.PUT_BACK:
            sheet.put_back += cards
        case Zone.CENTRE if source.seat is not None and sheet.tricks is not None:
            _note_play(sheet, source.seat, cards)


def _after_taking(details: BaohuangDetails, source: Location, taker: int, cards: tuple[Card, ...]) -> BaohuangDetails:
    if source.zone is Zone.POT:
        return replace(details, pot=())
    if source.zone is Zone.HAND and source.seat is not None:
        paid = (Tribute(source.seat, taker, card) for card in cards)
        return replace(details, tributes=(*details.tributes, *paid))
    return details


def _after_payment(details: BaohuangDetails, source: Location, cards: tuple[Card, ...]) -> BaohuangDetails:
    payments = details.payments
    if source.zone is Zone.HAND:
        payments = (*payments[:-1], replace(payments[-1], card=cards[0]))
    return replace(details, pot=(*details.pot, *cards), payments=payments)


def _resized(hands: tuple[HandView, ...], seat: int, by: int, gone: tuple[Card, ...]) -> tuple[HandView, ...]:
    place = _place(hands, seat)
    hand = hands[place]
    left = hand.open
    if left:
        still = list(left)
        for card in gone:
            if card in still:
                still.remove(card)
        left = tuple(still)
    return (*hands[:place], HandView(seat, hand.size + by, left), *hands[place + 1 :])


def _taken(hands: tuple[HandView, ...], seat: int, count: int, cards: tuple[Card, ...]) -> tuple[HandView, ...]:
    """Return the hands after a seat took cards; those that were seen on their way lie open in its hand."""
    place = _place(hands, seat)
    hand = hands[place]
    return (*hands[:place], HandView(seat, hand.size + count, (*hand.open, *cards)), *hands[place + 1 :])


def _place(hands: tuple[HandView, ...], seat: int) -> int:
    """Return where a seat's hand lies: hands that changed places are not in the order of their numbers."""
    return seat if hands[seat].seat == seat else next(at for at, hand in enumerate(hands) if hand.seat == seat)


def _note_play(sheet: Sheet, seat: int, cards: tuple[Card, ...]) -> None:
    play = _play_of(sheet)
    trick = play.tricks[-1]
    played = (*trick.cards, *[TrickCard(seat, card) for card in cards])
    trick = Trick(trick.leader, played, trick.led_suit, trick.calls)
    sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks[:-1], trick), play.tallies)
    _note_holder(sheet, seat, cards)


def _note_holder(sheet: Sheet, seat: int | None, cards: tuple[Card, ...]) -> None:
    for known in sheet.called:
        if known.holder is None and known.card in cards:
            sheet.called = tuple(
                CalledCard(other.card, seat) if other.card in cards else other for other in sheet.called
            )


def _note_showing(sheet: Sheet, at: Location, cards: tuple[Card, ...]) -> None:
    match at.zone:
        case Zone.HAND:
            assert at.seat is not None
            place = _place(sheet.hands, at.seat)
            hand = sheet.hands[place]
            shown = HandView(at.seat, hand.size, _joined(hand.open, cards))
            sheet.hands = (*sheet.hands[:place], shown, *sheet.hands[place + 1 :])
            _note_holder(sheet, at.seat, cards)
        case Zone.KITTY:
            sheet.kitty = _joined(sheet.kitty, cards)
        case Zone.PUT_BACK:
            sheet.put_back = _joined(sheet.put_back, cards)


def _joined(known: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return what lies open when these cards, of those in a place, are shown: of equal ones as many as were seen."""
    missing = list(cards)
    for card in known:
        if card in missing:
            missing.remove(card)
    return (*known, *missing)


def _note_trick(sheet: Sheet, winner: int, points: int) -> None:
    play = _play_of(sheet)
    last = play.tricks[-1]
    trick = Trick(last.leader, last.cards, last.led_suit, last.calls, winner, points)
    tallies = tuple(
        Tally(winner, tally.tricks + 1, tally.points + points) if tally.seat == winner else tally
        for tally in play.tallies
    )
    sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks[:-1], trick), tallies)


def _own_after(own: Own, event: Event | None) -> Own:
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

"""The call (秘書, 副官): the declarer names a card, and its holder is his partner; only the holder knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, CallCard
from junto.games.cards import Card, mask_of, suit_of
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsShown, PhaseChanged, RoleRevealed, Seen, only
from junto.games.napoleon.exchange import kitty_taken
from junto.games.phases import HANDS, PhaseRule
from junto.games.view import Choices, Phase, Role

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

_JOKER = 4


class Call(PhaseRule["NapoleonDeal"]):
    """The declarer calls the card whose holder is his partner; only the holder knows.

    Any suit card that he did not put back; a joker where the house allows it. A card of his own makes him
    play alone, which nobody else knows until it is played; where that is forced it must be his own, and everybody
    knows. Two cards are called one after the other, and may turn out to be one player's. Where he calls
    before he has seen the kitty, the card may lie there, and then he plays alone, too.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Name every card that may be called."""
        return Choices(callable=_callable(deal))

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that the card may be called."""
        if not isinstance(action, CallCard):
            raise IllegalAction("now you must call a card")
        reason = _why_not(deal, action.card)
        if reason is not None:
            raise IllegalAction(reason)

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Tell the holder; after the last call, tell the others what they are."""
        assert isinstance(action, CallCard)
        card, declarer = action.card, deal.seat
        holder = next((seat for seat, hand in enumerate(deal.hands) if hand >> card & 1), declarer)
        holders = (*deal.holders, holder)
        events = [Seen(ActionTaken(declarer, action))]
        if deal.house.forced_solo:
            events.append(Seen(CardsShown(HANDS[declarer], (card,))))
        elif holder != declarer and holder not in deal.holders:
            events.append(only(holder, RoleRevealed(holder, Role.PARTNER, secret=True)))
        if len(holders) < deal.house.secretaries:
            return deal.after(events, holders=holders)
        events += _roles_told(deal, holders, card)
        rules = deal.rules_with(deal.trump, *(called.card for called in deal.shared.called), card)
        if not deal.house.call_first:
            return deal.after([*events, Seen(PhaseChanged(Phase.PLAY))], holders=holders, rules=rules)
        events += kitty_taken(deal)
        if card in deal.kitty:
            events.append(_told(_alone(deal, declarer)))
        hands = deal.hands_with(deal.hand | mask_of(deal.kitty))
        return deal.after(events, holders=holders, rules=rules, hands=hands, kitty=())

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield every call."""
        yield from map(CallCard, _callable(deal))

    def default(self, deal: NapoleonDeal) -> Action:
        """Call what the game calls for a seat whose time is up."""
        return CallCard(deal.game.idle_call(deal, _callable(deal)))


def roles_shown(deal: NapoleonDeal, seat: int, card: Card) -> Iterator[Seen]:
    """Yield what everybody learns when `seat` plays a called card: its role, with the last one all roles."""
    declarer = deal.contract.declarer
    if seat != declarer and deal.shared.role_of(seat) is None:
        yield Seen(RoleRevealed(seat, Role.PARTNER))
    unseen = [called.card for called in deal.shared.called if called.holder is None and called.card != card]
    if unseen or deal.house.forced_solo:
        return
    if all(holder == declarer for holder in deal.holders):
        yield Seen(RoleRevealed(declarer, Role.DECLARER, alone=True))
    for other in _allies(deal, deal.holders):
        yield Seen(RoleRevealed(other, Role.OPPONENT))


def _roles_told(deal: NapoleonDeal, holders: tuple[int, ...], card: Card) -> Iterator[Seen]:
    """Yield what each seat is told of its own role once all cards are called."""
    declarer, public = deal.seat, deal.house.forced_solo
    if all(holder == declarer for holder in holders) and card not in deal.kitty:
        yield _told(_alone(deal, declarer))
    for seat in _allies(deal, holders):
        yield _told(RoleRevealed(seat, Role.OPPONENT, secret=not public))


def _alone(deal: NapoleonDeal, declarer: int) -> RoleRevealed:
    return RoleRevealed(declarer, Role.DECLARER, secret=not deal.house.forced_solo, alone=True)


def _told(role: RoleRevealed) -> Seen:
    return only(role.seat, role) if role.secret else Seen(role)


def _allies(deal: NapoleonDeal, holders: tuple[int, ...]) -> Iterator[int]:
    """Yield the seats against the declarer."""
    return (seat for seat in range(deal.house.seats) if seat != deal.contract.declarer and seat not in holders)


def _callable(deal: NapoleonDeal) -> tuple[Card, ...]:
    return tuple(card for card in deal.game.pack if _why_not(deal, card) is None)


def _why_not(deal: NapoleonDeal, card: Card) -> str | None:
    """Return why this card may not be called; None if it may."""
    if card not in deal.game.pack:
        return "there is no such card in the pack"
    if suit_of(card) == _JOKER and not deal.house.joker_secretary:
        return "a joker may not be called at this table"
    if card in deal.put_back:
        return "a card that was put back may not be called"
    if any(card == called.card for called in deal.shared.called):
        return "the second card called must be another one"
    if deal.house.forced_solo and not deal.hand >> card & 1:
        return "you must call a card of your own: you play alone"
    return None

"""Phase 4, the secretary (秘書): Napoleon calls a card, and its holder is his partner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, CallCard
from junto.games.cards import Card, rank_of, suit_of
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsShown, PhaseChanged, RoleRevealed, Seen, only
from junto.games.napoleon.phase import HANDS, PhaseRule
from junto.games.tricks import kernel
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Choices, Phase, Role

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

_JOKER = 4


class Call(PhaseRule):
    """Napoleon calls the card whose holder is his secretary; only the holder knows.

    Any suit card that he did not put back; a joker where the house allows it. A card of his own makes him
    solo, which he alone knows until it is played; where a solo is forced it must be his own, and everybody
    knows. Two secretaries are called one after the other, and may turn out to be one player.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Name every card that may be called."""
        return Choices(callable=_callable(deal))

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that the card may be called."""
        if not isinstance(action, CallCard):
            raise IllegalAction("now you must call the secretary card")
        reason = _why_not(deal, action.card)
        if reason is not None:
            raise IllegalAction(reason)

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Tell the holder; after the last call, tell the others what they are."""
        assert isinstance(action, CallCard)
        card, napoleon = action.card, deal.seat
        holder = next(seat for seat, hand in enumerate(deal.hands) if hand >> card & 1)
        holders = (*deal.holders, holder)
        events = [Seen(ActionTaken(napoleon, action))]
        if deal.house.forced_solo:
            events.append(Seen(CardsShown(HANDS[napoleon], (card,))))
        elif holder != napoleon and holder not in deal.holders:
            events.append(only(holder, RoleRevealed(holder, Role.PARTNER, secret=True)))
        if len(holders) < deal.house.secretaries:
            return deal.after(events, holders=holders)
        events += [*_roles_told(deal, holders), Seen(PhaseChanged(Phase.PLAY))]
        cards = (*(called.card for called in deal.shared.called), card, kernel.NO_CARD)
        rules = rules_of_deal(deal.house.terms, deal.trump, cards[0], cards[1])
        return deal.after(events, holders=holders, rules=rules)

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield every call."""
        yield from map(CallCard, _callable(deal))

    def default(self, deal: NapoleonDeal) -> Action:
        """Call the highest trump that another holds, else the highest such card; forced to play solo, of his own."""
        cards = [
            card
            for card in _callable(deal)
            if suit_of(card) != _JOKER and bool(deal.hand >> card & 1) == deal.house.forced_solo
        ]
        return CallCard(max(cards, key=lambda card: (suit_of(card) == deal.trump, rank_of(card), -card)))


def roles_shown(deal: NapoleonDeal, seat: int, card: Card) -> Iterator[Seen]:
    """Yield what everybody learns when `seat` plays a secretary card: its role, with the last one all roles."""
    napoleon = deal.contract.declarer
    if seat != napoleon and deal.shared.role_of(seat) is None:
        yield Seen(RoleRevealed(seat, Role.PARTNER))
    unseen = [called.card for called in deal.shared.called if called.holder is None and called.card != card]
    if unseen or deal.house.forced_solo:
        return
    if all(holder == napoleon for holder in deal.holders):
        yield Seen(RoleRevealed(napoleon, Role.DECLARER, alone=True))
    for other in _allies(deal, deal.holders):
        yield Seen(RoleRevealed(other, Role.OPPONENT))


def _roles_told(deal: NapoleonDeal, holders: tuple[int, ...]) -> Iterator[Seen]:
    """Yield what each seat is told of its own role once all secretary cards are called."""
    napoleon, public = deal.seat, deal.house.forced_solo
    if all(holder == napoleon for holder in holders):
        yield _told(RoleRevealed(napoleon, Role.DECLARER, secret=not public, alone=True))
    for seat in _allies(deal, holders):
        yield _told(RoleRevealed(seat, Role.OPPONENT, secret=not public))


def _told(role: RoleRevealed) -> Seen:
    return only(role.seat, role) if role.secret else Seen(role)


def _allies(deal: NapoleonDeal, holders: tuple[int, ...]) -> Iterator[int]:
    """Yield the seats against Napoleon."""
    return (seat for seat in range(deal.house.seats) if seat != deal.contract.declarer and seat not in holders)


def _callable(deal: NapoleonDeal) -> tuple[Card, ...]:
    return tuple(card for card in deal.house.pack if _why_not(deal, card) is None)


def _why_not(deal: NapoleonDeal, card: Card) -> str | None:
    """Return why this card may not be called; None if it may."""
    if card not in deal.house.pack:
        return "there is no such card in the pack"
    if suit_of(card) == _JOKER and not deal.house.joker_secretary:
        return "a joker may not be the secretary card at this table"
    if card in deal.put_back:
        return "a card that was put back may not be called"
    if any(card == called.card for called in deal.shared.called):
        return "the second secretary card must be another one"
    if deal.house.forced_solo and not deal.hand >> card & 1:
        return "you must call a card of your own: Napoleon plays alone"
    return None

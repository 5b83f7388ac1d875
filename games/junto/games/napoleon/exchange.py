"""Trumps are named, and the declarer takes the kitty and puts cards back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from junto.games.actions import Action, ChooseTrump, Discard
from junto.games.cards import Card, cards_in, mask_of
from junto.games.core import IllegalAction, Step
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    PhaseChanged,
    Seen,
    TrumpChanged,
    only,
)
from junto.games.napoleon.ending import hopeless
from junto.games.phases import HANDS, KITTY, PUT_BACK, PhaseRule
from junto.games.tricks import kernel
from junto.games.view import Choices, Contract, DiscardChoice, Phase

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

_SUITS = range(4)


class Trump(PhaseRule["NapoleonDeal"]):
    """The declarer names trumps before he sees the kitty; then he takes it, and he alone sees it."""

    def choices(self, deal: NapoleonDeal) -> Choices:  # noqa: ARG002  # always the same
        """Allow the four suits."""
        return Choices(trumps=tuple(_SUITS))

    def check(self, deal: NapoleonDeal, action: Action) -> None:  # noqa: ARG002  # always the same
        """Check that a suit is named: there is no no-trump."""
        if not isinstance(action, ChooseTrump):
            raise IllegalAction("now you must name the trump suit")
        if action.suit not in _SUITS:
            raise IllegalAction("trumps must be spades, hearts, diamonds or clubs")

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Settle trumps and give the declarer the kitty."""
        assert isinstance(action, ChooseTrump)
        events = [Seen(ActionTaken(deal.seat, action)), Seen(TrumpChanged(action.suit)), *kitty_taken(deal)]
        return deal.after(events, hands=deal.hands_with(deal.hand | mask_of(deal.kitty)), kitty=())

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:  # noqa: ARG002  # always the same
        """Yield the four suits."""
        yield from map(ChooseTrump, _SUITS)

    def default(self, deal: NapoleonDeal) -> Action:
        """Name the longest suit."""
        return ChooseTrump(deal.longest_suit)


class Exchange(PhaseRule["NapoleonDeal"]):
    """The declarer puts back as many cards as the kitty had, any that he holds.

    In some games cards put back that count are shown and raise the contract by one each; a contract for more
    than there is to capture ends the deal at once, and the declarer alone loses. Where the house allows it he may
    first, once, name another trump suit; that, too, raises the contract by one.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Describe the discard, and name the other suits while trumps may be changed."""
        house = deal.house
        cards = tuple(cards_in(deal.hand))
        costly = house.counting_among(cards) if house.court_penalty else ()
        limit = house.most_points - deal.target if house.court_penalty else None
        suits = tuple(suit for suit in _SUITS if _why_no_change(deal, suit) is None)
        discard = DiscardChoice(house.kitty, cards, costly, limit)
        return Choices(trumps=suits, contract_rise=1 if suits else 0, discard=discard)

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that as many cards are put back as were taken, or that trumps may be changed."""
        match action:
            case Discard(cards):
                _check_discard(deal, cards)
            case ChooseTrump(suit):
                reason = _why_no_change(deal, suit)
                if reason is not None:
                    raise IllegalAction(reason)
            case _:
                raise IllegalAction(f"now you must put back {deal.house.kitty} cards")

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Change trumps or put cards back."""
        if isinstance(action, Discard):
            return _put_back(deal, action)
        assert isinstance(action, ChooseTrump)
        rise = ContractChanged(_raised(deal, 1))
        return deal.after([Seen(ActionTaken(deal.seat, action)), Seen(TrumpChanged(action.suit)), Seen(rise)])

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield the changes of trumps, then every discard, one by one."""
        choices = self.choices(deal)
        yield from map(ChooseTrump, choices.trumps)
        assert choices.discard is not None
        yield from map(Discard, combinations(choices.discard.cards, choices.discard.count))

    def default(self, deal: NapoleonDeal) -> Action:
        """Put back the lowest cards that do not count, plain suits before trumps; then those that do, then jokers."""

        def worth(card: Card) -> tuple[bool, bool, int, Card]:
            joker = card >= kernel.SMALL_JOKER
            return joker, bool(deal.house.counting_among((card,))), 0 if joker else deal.height(card), card

        return Discard(tuple(sorted(cards_in(deal.hand), key=worth)[: deal.house.kitty]))


def kitty_taken(deal: NapoleonDeal) -> list[Seen]:
    """Return what begins the exchange: the declarer takes the kitty."""
    kitty = deal.kitty
    taken = _for_declarer(deal, CardsMoved(KITTY, HANDS[deal.seat], len(kitty), kitty))
    return [Seen(PhaseChanged(Phase.EXCHANGE)), taken]


def _for_declarer(deal: NapoleonDeal, moved: CardsMoved) -> Seen:
    """Let the declarer see which cards are moved, and the others how many."""
    return only(deal.seat, moved, CardsMoved(moved.source, moved.target, moved.count))


def _why_no_change(deal: NapoleonDeal, suit: int) -> str | None:
    """Return why trumps may not be changed to this suit; None if they may."""
    bid = deal.contract.bid.amount
    if not deal.house.trump_change:
        return "trumps may not be changed at this table"
    if deal.target != bid:
        return "trumps may be changed only once"
    if bid == deal.house.most_points:
        return f"after a bid of {bid} trumps may not be changed"
    if suit == deal.trump or suit not in _SUITS:
        return "trumps may be changed to one of the other suits only"
    return None


def _check_discard(deal: NapoleonDeal, cards: tuple[Card, ...]) -> None:
    for card in cards:
        if card not in range(64) or not deal.hand >> card & 1:
            raise IllegalAction("a card that you put back is not in your hand")
    if len(cards) != deal.house.kitty or len(set(cards)) != len(cards):
        raise IllegalAction(f"you must put back {deal.house.kitty} cards")


def _put_back(deal: NapoleonDeal, action: Discard) -> Step:
    cards = action.cards
    shown = deal.house.counting_among(cards) if deal.house.court_penalty else ()
    contract = _raised(deal, len(shown))
    hands = deal.hands_with(deal.hand & ~mask_of(cards))
    events = [
        only(deal.seat, ActionTaken(deal.seat, action), ActionTaken(deal.seat, Discard(()))),
        _for_declarer(deal, CardsMoved(HANDS[deal.seat], PUT_BACK, len(cards), cards)),
    ]
    if shown:
        events += [Seen(CardsShown(PUT_BACK, shown)), Seen(ContractChanged(contract))]
    if deal.target + len(shown) > deal.house.most_points:
        events += hopeless(deal, contract, hands, tuple(card for card in cards if card not in shown))
    else:
        events.append(Seen(PhaseChanged(deal.house.phase_after(Phase.EXCHANGE))))
    return deal.after(events, hands=hands, put_back=cards)


def _raised(deal: NapoleonDeal, by: int) -> Contract:
    return Contract(deal.contract.declarer, deal.contract.bid, deal.target + by)

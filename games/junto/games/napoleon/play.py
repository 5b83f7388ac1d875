"""Phase 5, the play: clockwise, the winner of a trick leads to the next.

Two niceties that the rule pages leave open. A lead calls at most one secretary card; a joker that is a
secretary card and is called with the three or two of trumps counts as a called joker, not as that one.
And whoever has to answer a called joker, secretary card or not, may answer with the other joker or with a
secretary card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from junto.games.actions import Action, Play
from junto.games.cards import Card, card_text, cards_in, mask_of, rank_of, suit_of
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsMoved, Seen, TrickLed, TrickWon
from junto.games.napoleon.call import roles_shown
from junto.games.napoleon.ending import played_out
from junto.games.napoleon.phase import CAPTURED, CENTRE, HANDS, PhaseRule
from junto.games.tricks import kernel
from junto.games.view import Choices, LeadCall, PlayChoice, Trick

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal

_SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")
_JOKER: Final = 4


class Tricks(PhaseRule):
    """Play a card to the trick: lead any, follow as the led suit and the calls demand.

    A led joker names the suit. Napoleon may call a secretary card with his lead; whoever leads the three or
    two of trumps to one of the first tricks may call the big or the small joker.
    """

    def choices(self, deal: NapoleonDeal) -> Choices:
        """Name the legal cards; for a lead, those that name a suit, and the calls that each may make."""
        trick = deal.trick
        cards = tuple(cards_in(_legal_cards(deal, trick)))
        if trick is not None:
            return Choices(play=PlayChoice(deal.seat, cards, trick.led_suit))
        naming = tuple(card for card in cards if kernel.names_suit(deal.rules, card))
        return Choices(play=PlayChoice(deal.seat, cards, None, naming, _lead_calls(deal)))

    def check(self, deal: NapoleonDeal, action: Action) -> None:
        """Check that the card is in the hand and may be played, and what is said with it."""
        if not isinstance(action, Play):
            raise IllegalAction("now you must play a card")
        if action.card not in range(64) or not deal.hand >> action.card & 1:
            raise IllegalAction("that card is not in your hand")
        trick = deal.trick
        if trick is None:
            _check_lead(deal, action)
        elif action.calls:
            raise IllegalAction("only a lead can call a card")
        elif action.naming is not None:
            raise IllegalAction("only a lead can name a suit")
        elif not _legal_cards(deal, trick) >> action.card & 1:
            raise IllegalAction(_why_not(deal, trick))

    def apply(self, deal: NapoleonDeal, action: Action) -> Step:
        """Lay the card down; the last card of a trick ends it, the last trick ends the deal."""
        assert isinstance(action, Play)
        seat, card, trick = deal.seat, action.card, deal.trick
        events = [Seen(ActionTaken(seat, action))]
        if trick is None:
            led = kernel.led_suit(deal.rules, card, -1 if action.naming is None else action.naming)
            trick = Trick(seat, (), led, action.calls)
            events.append(Seen(TrickLed(seat, led, action.calls)))
        events.append(Seen(CardsMoved(HANDS[seat], CENTRE, 1, (card,))))
        if any(called.card == card for called in deal.shared.called):
            events += roles_shown(deal, seat, card)
        hands = deal.hands_with(deal.hand & ~(1 << card))
        if len(trick.cards) + 1 == deal.house.seats:
            events += _trick_won(deal, trick, card, last=not any(hands))
        return deal.after(events, hands=hands)

    def legal(self, deal: NapoleonDeal) -> Iterator[Action]:
        """Yield every card, with each suit that it may name and each call that it may make."""
        trick = deal.trick
        for card in cards_in(_legal_cards(deal, trick)):
            if trick is not None:
                yield Play(card)
                continue
            for naming in range(4) if kernel.names_suit(deal.rules, card) else (None,):
                for calls in _call_sets(deal, card):
                    yield Play(card, naming, calls)

    def default(self, deal: NapoleonDeal) -> Action:
        """Play the lowest legal card without a call; if it names a suit, the longest one."""
        trick = deal.trick
        secretaries = {called.card for called in deal.shared.called}

        def height(card: Card) -> tuple[bool, bool, bool, int, int]:
            joker = suit_of(card) == _JOKER
            return card in secretaries, joker, suit_of(card) == deal.trump, 0 if joker else rank_of(card), card

        card = min(cards_in(_legal_cards(deal, trick)), key=height)
        names = trick is None and kernel.names_suit(deal.rules, card)
        return Play(card, deal.longest_suit if names else None)


def _legal_cards(deal: NapoleonDeal, trick: Trick | None) -> int:
    if trick is None:
        return deal.hand
    return int(kernel.legal_cards(deal.rules, deal.hand, _led_suit(trick), mask_of(trick.calls)))


def _led_suit(trick: Trick) -> int:
    assert trick.led_suit is not None
    return trick.led_suit


def _why_not(deal: NapoleonDeal, trick: Trick) -> str:
    """Return the rule that a card of the hand breaks which may not be played to this trick."""
    called = [card for card in trick.calls if deal.hand >> card & 1]
    if called:
        answers = " or ".join(map(card_text, cards_in(_legal_cards(deal, trick))))
        return f"{_listed(called)} {'was' if len(called) == 1 else 'were'} called: you must play {answers}"
    return f"you must follow {_SUIT_WORDS[_led_suit(trick)]}"


def _check_lead(deal: NapoleonDeal, action: Play) -> None:
    card = card_text(action.card)
    if kernel.names_suit(deal.rules, action.card):
        if action.naming not in range(4):
            raise IllegalAction(f"with {card} led you must name a suit")
    elif action.naming is not None:
        raise IllegalAction(f"with {card} led you cannot name a suit")
    if action.calls and action.calls not in _call_sets(deal, action.card):
        cards = _listed(action.calls) if set(action.calls) <= set(deal.house.pack) else "such a card"
        raise IllegalAction(f"with {card} led you cannot call {cards}")


def _listed(cards: Iterable[Card]) -> str:
    return " and ".join(map(card_text, cards))


def _callable_with(deal: NapoleonDeal, card: Card, *, by_napoleon: bool) -> int:
    """Return the set of cards that a lead of `card` may call."""
    held = 0
    for hand in deal.hands:
        held |= hand
    return int(kernel.callable_cards(deal.rules, deal.trick_number, card, by_napoleon, ~held))


def _call_sets(deal: NapoleonDeal, card: Card) -> list[tuple[Card, ...]]:
    """Return every set of cards that a lead of `card` may call, the empty one first."""
    any_leader = _callable_with(deal, card, by_napoleon=False)
    napoleon = _callable_with(deal, card, by_napoleon=True) if deal.seat == deal.contract.declarer else 0
    jokers = [(), *((called,) for called in cards_in(any_leader))]
    secretaries = [(), *((called,) for called in cards_in(napoleon & ~any_leader))]
    return [tuple(sorted((*joker, *secretary))) for joker in jokers for secretary in secretaries]


def _lead_calls(deal: NapoleonDeal) -> tuple[LeadCall, ...]:
    """Return each card that may be called, with the leads that may call it."""
    by_napoleon = deal.seat == deal.contract.declarer
    leads: dict[Card, list[Card]] = {}
    for card in cards_in(deal.hand):
        for called in cards_in(_callable_with(deal, card, by_napoleon=by_napoleon)):
            leads.setdefault(called, []).append(card)
    return tuple(LeadCall(called, tuple(leads[called])) for called in sorted(leads))


def _trick_won(deal: NapoleonDeal, trick: Trick, card: Card, *, last: bool) -> list[Seen]:
    """Return what ends a trick with its last card, and the deal with its last trick."""
    cards = (*(played.card for played in trick.cards), card)
    packed = 0
    for place, played in enumerate(cards):
        packed |= played << (6 * place)
    place = kernel.winning_place(deal.rules, deal.trick_number, _led_suit(trick), packed, len(cards))
    winner = (trick.leader + place) % deal.house.seats
    points = kernel.count_points(deal.rules, mask_of(cards))
    won = [Seen(TrickWon(winner, points)), Seen(CardsMoved(CENTRE, CAPTURED[winner], len(cards), cards))]
    return [*won, *played_out(deal, winner, points)] if last else won

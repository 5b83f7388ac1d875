"""The play of the cards, in every trick-taking game: clockwise, the winner of a trick leads to the next.

Two niceties that the rule pages leave open. A lead calls at most one secretary card; a joker that is a
secretary card and is called with the three or two of trumps counts as a called joker, not as that one.
And whoever has to answer a called joker, secretary card or not, may answer with the other joker or with a
secretary card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from junto.games.actions import Action, Play
from junto.games.cards import Card, card_text, cards_in, mask_of
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsMoved, Seen, TrickLed, TrickWon
from junto.games.phases import CAPTURED, CENTRE, HANDS, PhaseRule
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksDeal
from junto.games.view import Choices, LeadCall, PlayChoice, Trick

_SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")


class Tricks(PhaseRule[TricksDeal]):
    """Play a card to the trick: lead any, follow as the led suit and the calls demand.

    What else a lead may say (name a suit, call cards out) the kernel knows from the game's terms.
    """

    def choices(self, deal: TricksDeal) -> Choices:
        """Name the legal cards; for a lead, those that name a suit, and the calls that each may make."""
        trick = deal.trick
        cards = tuple(cards_in(_legal_cards(deal, trick)))
        if trick is not None:
            return Choices(play=PlayChoice(deal.hand_number, cards, trick.led_suit))
        naming = tuple(card for card in cards if kernel.names_suit(deal.rules, card))
        return Choices(play=PlayChoice(deal.hand_number, cards, None, naming, _lead_calls(deal)))

    def check(self, deal: TricksDeal, action: Action) -> None:
        """Check that the card is in the hand and may be played, and what is said with it."""
        if not isinstance(action, Play):
            raise IllegalAction("now you must play a card")
        if action.card not in range(64) or not deal.hand >> action.card & 1:
            hand = "your hand" if deal.hand_number == deal.seat else "the open hand, from which you play now"
            raise IllegalAction(f"that card is not in {hand}")
        trick = deal.trick
        if trick is None:
            _check_lead(deal, action)
        elif action.calls:
            raise IllegalAction("only a lead can call a card")
        elif action.naming is not None:
            raise IllegalAction("only a lead can name a suit")
        elif not _legal_cards(deal, trick) >> action.card & 1:
            raise IllegalAction(_why_not(deal, trick))

    def apply(self, deal: TricksDeal, action: Action) -> Step:
        """Lay the card down; the last card of a trick ends it, the last trick ends the deal."""
        assert isinstance(action, Play)
        hand, card, trick = deal.hand_number, action.card, deal.trick
        events = [Seen(ActionTaken(deal.seat, action))]
        if trick is None:
            led = kernel.led_suit(deal.rules, card, -1 if action.naming is None else action.naming)
            calls = tuple(sorted({*action.calls, *cards_in(kernel.forced_calls(deal.rules, card))}))
            trick = Trick(hand, (), led, calls)
            events.append(Seen(TrickLed(hand, led, calls)))
        events.append(Seen(CardsMoved(HANDS[hand], CENTRE, 1, (card,))))
        events += deal.game.shown_with(deal, hand, card)
        hands = deal.hands_with(deal.hand & ~(1 << card))
        if len(trick.cards) + 1 == len(hands):
            events += _trick_won(deal, trick, card, last=not any(hands))
        return deal.after(events, hands=hands)

    def legal(self, deal: TricksDeal) -> Iterator[Action]:
        """Yield every card, with each suit that it may name and each call that it may make."""
        trick = deal.trick
        for card in cards_in(_legal_cards(deal, trick)):
            if trick is not None:
                yield Play(card)
                continue
            for naming in range(4) if kernel.names_suit(deal.rules, card) else (None,):
                for calls in _call_sets(deal, card):
                    yield Play(card, naming, calls)

    def default(self, deal: TricksDeal) -> Action:
        """Play a card that gives little away, without a call; if it names a suit, the longest one."""
        trick = deal.trick
        card = deal.game.idle_card(deal, tuple(cards_in(_legal_cards(deal, trick))))
        names = trick is None and kernel.names_suit(deal.rules, card)
        return Play(card, deal.longest_suit if names else None)


def _legal_cards(deal: TricksDeal, trick: Trick | None) -> int:
    if trick is None:
        return deal.hand
    return int(kernel.legal_cards(deal.rules, deal.hand, _led_suit(trick), mask_of(trick.calls)))


def _led_suit(trick: Trick) -> int:
    assert trick.led_suit is not None
    return trick.led_suit


def _why_not(deal: TricksDeal, trick: Trick) -> str:
    """Return the rule that a card of the hand breaks which may not be played to this trick."""
    called = [card for card in trick.calls if deal.hand >> card & 1]
    if called:
        answers = " or ".join(map(card_text, cards_in(_legal_cards(deal, trick))))
        return f"{_listed(called)} {'was' if len(called) == 1 else 'were'} called: you must play {answers}"
    return f"you must follow {_SUIT_WORDS[_led_suit(trick)]}"


def _check_lead(deal: TricksDeal, action: Play) -> None:
    card = card_text(action.card)
    if kernel.names_suit(deal.rules, action.card):
        if action.naming not in range(4):
            raise IllegalAction(f"with {card} led you must name a suit")
    elif action.naming is not None:
        raise IllegalAction(f"with {card} led you cannot name a suit")
    if action.calls and action.calls not in _call_sets(deal, action.card):
        cards = _listed(action.calls) if set(action.calls) <= set(deal.game.pack) else "such a card"
        raise IllegalAction(f"with {card} led you cannot call {cards}")


def _listed(cards: Iterable[Card]) -> str:
    return " and ".join(map(card_text, cards))


def _callable_with(deal: TricksDeal, card: Card, *, by_declarer: bool) -> int:
    """Return the set of cards that a lead of `card` may call."""
    held = 0
    for hand in deal.hands:
        held |= hand
    return int(kernel.callable_cards(deal.rules, deal.trick_number, card, by_declarer, ~held))


def _call_sets(deal: TricksDeal, card: Card) -> list[tuple[Card, ...]]:
    """Return every set of cards that a lead of `card` may call, the empty one first."""
    any_leader = _callable_with(deal, card, by_declarer=False)
    declarer = _callable_with(deal, card, by_declarer=True) if _by_declarer(deal) else 0
    jokers = [(), *((called,) for called in cards_in(any_leader))]
    secretaries = [(), *((called,) for called in cards_in(declarer & ~any_leader))]
    return [tuple(sorted((*joker, *secretary))) for joker in jokers for secretary in secretaries]


def _by_declarer(deal: TricksDeal) -> bool:
    contract = deal.shared.contract
    return contract is not None and deal.seat == contract.declarer


def _lead_calls(deal: TricksDeal) -> tuple[LeadCall, ...]:
    """Return each card that may be called, with the leads that may call it."""
    by_declarer = _by_declarer(deal)
    leads: dict[Card, list[Card]] = {}
    for card in cards_in(deal.hand):
        for called in cards_in(_callable_with(deal, card, by_declarer=by_declarer)):
            leads.setdefault(called, []).append(card)
    return tuple(LeadCall(called, tuple(leads[called])) for called in sorted(leads))


def _trick_won(deal: TricksDeal, trick: Trick, card: Card, *, last: bool) -> list[Seen]:
    """Return what ends a trick with its last card, and the deal with its last trick."""
    cards = (*(played.card for played in trick.cards), card)
    packed = 0
    for place, played in enumerate(cards):
        packed |= played << (6 * place)
    place = kernel.winning_place(deal.rules, deal.trick_number, _led_suit(trick), packed, len(cards))
    winner = deal.game.hand_after(deal.shared, trick.leader, place)
    points = kernel.trick_points(deal.rules, mask_of(cards))
    won = [Seen(TrickWon(winner, points)), Seen(CardsMoved(CENTRE, CAPTURED[winner], len(cards), cards))]
    return [*won, *deal.game.played_out(deal, winner, points)] if last else won

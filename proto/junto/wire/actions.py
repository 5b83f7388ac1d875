"""Actions to messages and back. An action that no text form could name does not come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
)
from junto.v1 import actions_pb2
from junto.wire.cards import (
    CARDS,
    SUITS,
    read_card,
    read_cards,
    read_strain,
    read_suit,
    write_cards,
    write_strain,
)
from junto.wire.errors import WireError

_SIMPLE: Final[Mapping[str, Action]] = {
    "pass": Pass(),
    "double_bid": DoubleBid(),
    "redouble_bid": RedoubleBid(),
    "accept_offer": AcceptOffer(),
    "decline_offer": DeclineOffer(),
    "apply_for_lead": ApplyForLead(),
    "agree_to_claim": AgreeToClaim(),
    "refuse_claim": RefuseClaim(),
}
_KIND_OF: Final = {action: kind for kind, action in _SIMPLE.items()}
_SHOWN_COPIES: Final = (3, 4)


def write_action(action: Action) -> actions_pb2.Action:
    """Return the message of an action."""
    match action:
        case Play(card, naming, calls):
            named = None if naming is None else SUITS[naming]
            play = actions_pb2.PlayCard(card=CARDS[card], named_suit=named, calls=write_cards(calls))
            return actions_pb2.Action(play_card=play)
        case PlayCards(cards):
            return actions_pb2.Action(play_combination=actions_pb2.PlayCombination(cards=write_cards(cards)))
        case Bid():
            return actions_pb2.Action(bid=write_bid(action))
        case ChooseTrump(suit):
            return actions_pb2.Action(choose_trump=actions_pb2.ChooseTrump(suit=SUITS[suit]))
        case Discard(cards):
            return actions_pb2.Action(discard=actions_pb2.Discard(cards=write_cards(cards)))
        case CallCard(card):
            return actions_pb2.Action(call_card=actions_pb2.CallCard(card=CARDS[card]))
        case ShowCards(card, count):
            return actions_pb2.Action(show_cards=actions_pb2.ShowCards(card=CARDS[card], count=count))
        case Claim(tricks):
            return actions_pb2.Action(claim=actions_pb2.Claim(tricks=tricks))
        case _:
            message = actions_pb2.Action()
            getattr(message, _KIND_OF[action]).SetInParent()
            return message


def write_bid(bid: Bid) -> actions_pb2.Bid:
    """Return the message of a bid."""
    return actions_pb2.Bid(amount=bid.amount, strain=write_strain(bid.strain))


def read_action(message: actions_pb2.Action) -> Action:
    """Return the action of a message.

    Raises:
        WireError: its kind is unset, or a part of it names nothing: a card, a suit, a strain, a number
            below zero, a combination without cards, a showing of other than 3 or 4 copies.
    """
    match message.WhichOneof("kind"):
        case "play_card":
            return _read_play(message.play_card)
        case "play_combination":
            return _read_combination(message.play_combination)
        case "bid":
            return read_bid(message.bid)
        case "choose_trump":
            return ChooseTrump(read_suit(message.choose_trump.suit))
        case "discard":
            return Discard(read_cards(message.discard.cards))
        case "call_card":
            return CallCard(read_card(message.call_card.card))
        case "show_cards":
            return _read_showing(message.show_cards)
        case "claim":
            return Claim(_natural(message.claim.tricks, "a claim's number of tricks"))
        case None:
            raise WireError("the action's kind is not set")
        case kind:
            return _SIMPLE[kind]


def read_bid(message: actions_pb2.Bid) -> Bid:
    """Return the bid of a message.

    Raises:
        WireError: the amount is below zero, or there is no such strain.
    """
    return Bid(_natural(message.amount, "a bid's amount"), read_strain(message.strain))


def _read_play(message: actions_pb2.PlayCard) -> Play:
    naming = read_suit(message.named_suit) if message.HasField("named_suit") else None
    return Play(read_card(message.card), naming, read_cards(message.calls) if message.calls else ())


def _read_combination(message: actions_pb2.PlayCombination) -> PlayCards:
    if not message.cards:
        raise WireError("a combination has at least one card")
    return PlayCards(read_cards(message.cards))


def _read_showing(message: actions_pb2.ShowCards) -> ShowCards:
    if message.count not in _SHOWN_COPIES:
        raise WireError(f"3 or 4 copies of a card are shown, not {message.count}")
    return ShowCards(read_card(message.card), message.count)


def _natural(number: int, what: str) -> int:
    if number < 0:
        raise WireError(f"{what} is not {number}")
    return number

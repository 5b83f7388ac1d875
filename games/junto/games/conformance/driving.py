"""Drive a deal through what a case says, and ask it: what the adapters of all games share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from junto.games.actions import Action, Play
from junto.games.cards import Card, card_text, mask_of, parse_card
from junto.games.conformance.case import Case
from junto.games.core import Deal, RuleError
from junto.games.events import Event, TrickWon
from junto.games.tricks.deal import TricksDeal

D = TypeVar("D", bound=Deal)


def run(deal: D, actions: Iterable[Action]) -> tuple[D, list[Event]]:
    """Return the deal after some actions of whoever is to act, and what happened."""
    events: list[Event] = []
    for action in actions:
        step = deal.apply(action)
        assert isinstance(step.deal, type(deal))
        deal = step.deal
        events += [seen.event for seen in step.events]
    return deal, events


def after(deal: D, *actions: Action) -> D:
    """Return the deal after some actions."""
    return run(deal, actions)[0]


def is_legal(deal: Deal, action: Action) -> bool:
    """Tell whether the seat to act may do this."""
    try:
        deal.check(action)
    except RuleError:
        return False
    return True


def first_trick_won(events: Iterable[Event]) -> TrickWon:
    """Return how the first trick ended."""
    return next(event for event in events if isinstance(event, TrickWon))


def playable(deal: TricksDeal) -> tuple[Card, ...]:
    """Return the cards that may be played."""
    assert deal.prompt is not None
    assert deal.prompt.choices.play is not None
    return deal.prompt.choices.play.cards


def course(deal: TricksDeal) -> dict[str, Any]:
    """Return who won the tricks, and what the hands have captured in them."""
    tricks = deal.shared.tricks
    assert tricks is not None
    return {
        "winners": [trick.winner for trick in tricks.tricks],
        "points_by_seat": [tally.points for tally in tricks.tallies],
    }


# Cards as the cases write them.


def cards_of(texts: Iterable[str]) -> list[Card]:
    """Return the cards of their texts."""
    return [parse_card(text) for text in texts]


def texts_of(cards: Iterable[Card]) -> list[str]:
    """Return the texts of cards."""
    return [card_text(card) for card in cards]


def plays_of(case: Case) -> list[Play]:
    """Return the plays of a case's trick: what was played before its question, or is played then."""
    return [Play(parse_card(play["card"])) for play in case.given.get("plays") or case.when.get("plays") or ()]


def hands_at_trick(case: Case, places: int) -> tuple[list[int], int]:
    """Return what each place holds before a case's trick, as sets of cards, and who leads.

    Those who play in it hold the card that they play; whoever is next after them holds the case's `hand`, if it
    gives one. Where nothing is played place 0 leads.
    """
    plays = case.given.get("plays") or case.when.get("plays") or ()
    hands = [0] * places
    for play in plays:
        hands[play["seat"]] = 1 << parse_card(play["card"])
    leader = plays[0]["seat"] if plays else 0
    if "hand" in case.given:
        hands[(leader + len(plays)) % places] = mask_of(cards_of(case.given["hand"]))
    return hands, leader

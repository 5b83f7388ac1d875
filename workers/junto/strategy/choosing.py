"""What may be done at a decision, in any game, and what Junto's own rules of thumb would do: for strategies to use."""

from __future__ import annotations

from random import Random

from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
    CallCard,
    ChooseTrump,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
)
from junto.games.cards import Card
from junto.games.climbing.pick import cards_of
from junto.games.core import View
from junto.games.view import Trick
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy, random_strategy

_ONCE = Budget(iterations=1)


def options(view: View) -> list[Action]:
    """Return legal actions, one for each thing that may be done.

    Left out is what would make thousands of them: of a discard there is one, the first cards that may go; of a
    combination one with its ranks, whatever the suits; a lead calls no card, and with a joker
    that asks for a suit, for spades. Claims are left out.
    """
    choices = view.prompt.choices
    found: list[Action] = [*choices.bids, *map(ChooseTrump, choices.trumps), *map(CallCard, choices.callable)]
    found += choices.showing
    if choices.play:
        found += [Play(card, 0 if card in choices.play.naming else None) for card in choices.play.cards]
    if choices.combination:
        found += [PlayCards(cards_of(one.play, view.own.hand)) for one in choices.combination.plays]
    if choices.discard:
        found.append(Discard(choices.discard.cards[: choices.discard.count]))
    words: dict[Action, bool] = {
        Pass(): choices.passing,
        DoubleBid(): choices.doubling,
        RedoubleBid(): choices.redoubling,
        AcceptOffer(): choices.accepting,
        DeclineOffer(): choices.declining is not None,
        AgreeToClaim(): choices.answering_claim,
        RefuseClaim(): choices.answering_claim,
        ApplyForLead(): choices.applying,
    }
    return found + [word for word, is_allowed in words.items() if is_allowed]


def playable(view: View) -> tuple[Card, ...]:
    """Return the cards that may be played to the trick now; none, if something else is asked."""
    play = view.prompt.choices.play
    return play.cards if play else ()


def trick(view: View) -> Trick:
    """Return the trick on the table, without cards if this seat leads to it."""
    tricks = view.shared.tricks.tricks if view.shared.tricks else ()
    return tricks[-1] if tricks and tricks[-1].winner is None else Trick(view.seat)


def greedy(view: View) -> Action:
    """Return what Junto's rules of thumb do, in any game."""
    return greedy_strategy.decide(view, _ONCE).action


def anything(view: View, draw: Random) -> Action:
    """Return a legal action drawn at random."""
    return random_strategy.decide(view, Budget(iterations=1, seed=draw.getrandbits(63))).action

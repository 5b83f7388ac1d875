"""Choose at random among what a prompt allows: for any game, without knowing its rules."""

from __future__ import annotations

import secrets
import time
from random import Random
from typing import Final

from junto.games.actions import (
    Action,
    AgreeToClaim,
    CallCard,
    ChooseTrump,
    Claim,
    Discard,
    DoubleBid,
    Pass,
    Play,
    RedoubleBid,
    RefuseClaim,
)
from junto.games.cards import Card
from junto.games.core import View
from junto.games.view import Choices, DiscardChoice, PlayChoice
from junto.search.decisions import Budget, Decision, UnplayableGame

CLAIMS: Final = 0.02
"""How often a claim is made where one may be: most deals are played to their end all the same."""


class RandomStrategy:
    """Each legal action is as likely as any other of its kind, the kinds being equally likely.

    A discard counts as one kind; a lead picks its card first, then its suit, then for each call whether to
    make it. Tricks are claimed now and then (`CLAIMS`), any number of them.
    """

    def decide(self, view: View, budget: Budget) -> Decision:
        """Draw one action; the budget's seed fixes which."""
        began = time.perf_counter()
        draw = Random(secrets.randbits(64) if budget.seed is None else budget.seed)
        choices = view.prompt.choices
        kinds = _kinds(choices)
        claims = choices.claim_up_to
        if claims is not None and (not kinds or draw.random() < CLAIMS):
            kinds = [Claim(draw.randint(0, claims))]
        if not kinds:
            raise UnplayableGame(f"the random strategy knows no action for this prompt of {view.game.id}")
        match draw.choice(kinds):
            case DiscardChoice(count, cards):
                action: Action = Discard(tuple(draw.sample(cards, count)))
            case PlayChoice() as play:
                action = _random_play(draw, play, {called.card for called in view.shared.called})
            case other:
                action = other
        return Decision(action, elapsed_s=time.perf_counter() - began)


def _kinds(choices: Choices) -> list[Action | DiscardChoice | PlayChoice]:
    kinds: list[Action | DiscardChoice | PlayChoice] = [*choices.bids, *map(ChooseTrump, choices.trumps)]
    kinds += map(CallCard, choices.callable)
    if choices.passing:
        kinds.append(Pass())
    if choices.doubling:
        kinds.append(DoubleBid())
    if choices.redoubling:
        kinds.append(RedoubleBid())
    if choices.answering_claim:
        kinds += [AgreeToClaim(), RefuseClaim()]
    return kinds + [choice for choice in (choices.discard, choices.play) if choice is not None]


def _random_play(draw: Random, play: PlayChoice, secretaries: set[Card]) -> Play:
    card = draw.choice(play.cards)
    naming = draw.randrange(4) if card in play.naming else None
    calls: list[Card] = []
    for call in play.calls:
        second = call.called in secretaries and not secretaries.isdisjoint(calls)
        if card in call.leads and draw.random() < 0.5 and not second:
            calls.append(call.called)
    return Play(card, naming, tuple(calls))

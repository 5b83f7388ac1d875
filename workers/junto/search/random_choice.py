"""Choose at random among what a prompt allows: for any game, without knowing its rules."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from random import Random
from typing import Final

from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
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
)
from junto.games.cards import Card
from junto.games.climbing.combination import Combination
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import View
from junto.games.view import Choices, CombinationChoice, DiscardChoice, PlayChoice
from junto.search.decisions import Budget, Decision, UnplayableGame

CLAIMS: Final = 0.02
"""How often a claim is made where one may be: most deals are played to their end all the same."""


class RandomStrategy:
    """Each legal action is as likely as any other of its kind, the kinds being equally likely.

    A discard counts as one kind, and so do all combinations; a lead to a trick picks its card first, then its suit,
    then for each call whether to make it. Tricks are claimed now and then (`CLAIMS`), any number of them.
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
            case CombinationChoice(_, plays):
                action = PlayCards(_random_cards(draw, draw.choice(plays), view.own.hand))
            case PlayChoice() as play:
                action = _random_play(draw, play, {called.card for called in view.shared.called})
            case other:
                action = other
        return Decision(action, elapsed_s=time.perf_counter() - began)


Kind = Action | DiscardChoice | PlayChoice | CombinationChoice


def _kinds(choices: Choices) -> list[Kind]:
    kinds: list[Kind] = [*choices.bids, *map(ChooseTrump, choices.trumps)]
    kinds += [*map(CallCard, choices.callable), *choices.showing]
    if choices.passing:
        kinds.append(Pass())
    if choices.doubling:
        kinds.append(DoubleBid())
    if choices.redoubling:
        kinds.append(RedoubleBid())
    if choices.answering_claim:
        kinds += [AgreeToClaim(), RefuseClaim()]
    if choices.accepting:
        kinds.append(AcceptOffer())
    if choices.declining is not None:
        kinds.append(DeclineOffer())
    if choices.applying:
        kinds.append(ApplyForLead())
    several = (choices.discard, choices.play, choices.combination)
    return kinds + [choice for choice in several if choice is not None]


def _random_cards(draw: Random, combination: Combination, hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Draw cards of a combination's ranks: of equal ranks any suits."""
    cards: list[Card] = []
    for rank, count in Counter(combination.ranks).items():
        cards += draw.sample([card for card in hand if rank_of_card(card) == rank], count)
    return tuple(cards)


def _random_play(draw: Random, play: PlayChoice, secretaries: set[Card]) -> Play:
    card = draw.choice(play.cards)
    naming = draw.randrange(4) if card in play.naming else None
    calls: list[Card] = []
    for call in play.calls:
        second = call.called in secretaries and not secretaries.isdisjoint(calls)
        if card in call.leads and draw.random() < 0.5 and not second:
            calls.append(call.called)
    return Play(card, naming, tuple(calls))

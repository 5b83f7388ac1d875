"""What the rules of thumb do in every decision of a climbing game: `greedy`, and what a search begins with."""

from __future__ import annotations

from collections.abc import Sequence

from junto.games.actions import AcceptOffer, Action, Bid, DeclineOffer, Pass, ShowCards
from junto.games.baohuang.naming import COPIES
from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.ranks import Vector, counts_of, rank_of_card
from junto.games.core import View
from junto.games.view import BaohuangDetails, Choices, Phase
from junto.search.climbing import before_play
from junto.search.climbing.habits import habits_of
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.policy import choose
from junto.search.climbing.position import position_of
from junto.search.climbing.trials import own_desk
from junto.search.decisions import UnplayableGame


def greedy_action(view: View, known: Knowledge) -> Action:
    """Return what the rules of thumb do."""
    game, choices = view.game, view.prompt.choices
    assert isinstance(game, ClimbingGame)
    match view.shared.phase:
        case Phase.AUCTION:
            limit = before_play.bid_limit(_worth(game, before_play.LANDLORD, view.own.hand))
            return Bid(limit) if Bid(limit) in choices.bids else Pass()
        case Phase.OFFER:
            return _answer_offer(view, choices)
        case Phase.SHOW:
            return show_candidates(view)[0]
        case Phase.PLAY:
            position = position_of(view, known)
            desk = own_desk()
            return position.action_of(int(choose(position.terms, position.habits, position.state, position.hand, desk)))
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {view.shared.phase.name}")


def _worth(game: ClimbingGame, weights: Vector, cards: Sequence[Card]) -> int:
    terms = game.terms
    return int(before_play.worth_of(terms.vector, habits_of(terms), weights, counts_of(cards), own_desk()))


def _answer_offer(view: View, choices: Choices) -> Action:
    game, details = view.game, view.shared.details
    assert isinstance(game, ClimbingGame)
    assert isinstance(details, BaohuangDetails)
    worth = _worth(game, before_play.EMPEROR, (*view.own.hand, *details.pot))
    wanted = choices.accepting and worth >= before_play.ACCEPTED_FROM
    return AcceptOffer() if wanted or choices.declining is None else DeclineOffer()


def show_candidates(view: View) -> list[ShowCards]:
    """Return what may be shown, what the rule of thumb shows first: it seeks a guard, by a card of high rank."""
    hand = view.own.hand

    def order(show: ShowCards) -> tuple[bool, int, int]:
        return show.count == COPIES, hand.count(show.card), -rank_of_card(show.card)

    return sorted(view.prompt.choices.showing, key=order)

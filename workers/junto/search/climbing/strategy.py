"""The `greedy` and `pimc` strategies for the climbing games."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import AcceptOffer, Action, Bid, DeclineOffer, Pass, ShowCards
from junto.games.baohuang.naming import COPIES as ALL_COPIES
from junto.games.baohuang.standing import stakes_of
from junto.games.cards import Card
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.kernel import size_of
from junto.games.climbing.ranks import counts_of, rank_of_card
from junto.games.climbing.scoring import STAKES
from junto.games.core import View
from junto.games.dou_dizhu import HIGHEST_BID, DouDizhu
from junto.games.events import Location, Zone
from junto.games.view import Alliance, BaohuangDetails, Choices, Phase, Role
from junto.search.climbing import before_play
from junto.search.climbing.candidates import play_candidates
from junto.search.climbing.habits import habits_of
from junto.search.climbing.history import history_of, no_history
from junto.search.climbing.knowledge import Knowledge, knowledge_of
from junto.search.climbing.policy import choose
from junto.search.climbing.position import position_of, state_before_lead
from junto.search.climbing.state import ALL_KNOW, STAKES_AT
from junto.search.climbing.trials import AS_IT_IS, new_desk, tables_for, try_bids, try_plays
from junto.search.decisions import Budget, Decision, Evaluation, UnplayableGame
from junto.search.racing import Trial, race
from junto.search.worlds.ranks import RankWorlds

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_SEARCH_SHARE: Final = 0.9
"""The share of the time that the trials may take; the rest is for what is believed and for telling it."""
_FIRST_BATCH: Final = 4
_LEAST_WORLDS: Final = 24
_CAUTION: Final = 2.0
"""What the rules of thumb would do is left for a play that is better by more than so many standard errors."""
_MOST_TRIED: Final = 40
_LEAST_TRIED: Final = 3
_CARDS_A_SECOND: Final = 25_000
"""How many plays are tried: at most, at least, and so many for a second of time and each card that is left."""


class GreedyClimbing:
    """Decide by rules of thumb, without search."""

    def decide(self, view: View, budget: Budget) -> Decision:  # noqa: ARG002  # it takes next to no time
        """Decide; the budget does not matter."""
        began = time.monotonic()
        return Decision(greedy_action(view, knowledge_of(view)), elapsed_s=time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class PimcClimbing:
    """Try every candidate in sampled worlds, played on by the rules of thumb, and take the best on average.

    Worlds weigh alike unless it `infers` from what others have done; `knowledge` is what it takes from a view.
    """

    infers: bool = True
    knowledge: Callable[[View], Knowledge] = knowledge_of

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide within the budget; with iterations as its only limit and a seed, always alike."""
        began = time.monotonic()
        deadline = None if budget.time_s is None else began + _SEARCH_SHARE * budget.time_s
        seed = secrets.randbits(63) if budget.seed is None else budget.seed & (1 << 63) - 1
        known = self.knowledge(view)
        worlds = known.worlds()
        actions, trial = _contest(view, known, worlds, seed, budget, infers=self.infers)
        if trial is None:
            return Decision(actions[0], elapsed_s=time.monotonic() - began)
        outcome = race(trial, len(actions), budget.iterations, deadline, _FIRST_BATCH, _LEAST_WORLDS, _CAUTION)
        evaluations = tuple(
            Evaluation(actions[standing.candidate], standing.mean, standing.standard_error, standing.worlds)
            for standing in outcome.standings
        )
        cards, roles = guard_beliefs(view, known, worlds)
        return Decision(
            evaluations[0].action,
            evaluations,
            roles=roles,
            cards=cards,
            worlds=outcome.worlds,
            playouts=outcome.playouts,
            elapsed_s=time.monotonic() - began,
        )


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
            desk = new_desk()
            return position.action_of(int(choose(position.terms, position.habits, position.state, position.hand, desk)))
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {view.shared.phase.name}")


def _worth(game: ClimbingGame, weights: Vector, cards: Sequence[Card]) -> int:
    terms = game.terms
    return int(before_play.worth_of(terms.vector, habits_of(terms), weights, counts_of(cards), new_desk()))


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
        return show.count == ALL_COPIES, hand.count(show.card), -rank_of_card(show.card)

    return sorted(view.prompt.choices.showing, key=order)


Contest = tuple[Sequence[Action], Trial | None]


def _contest(view: View, known: Knowledge, worlds: RankWorlds, seed: int, budget: Budget, *, infers: bool) -> Contest:
    """Return the candidates of a decision and the trial that plays them; without one the first is taken."""
    match view.shared.phase:
        case Phase.PLAY:
            return _play_contest(view, known, worlds, seed, budget, infers=infers)
        case Phase.AUCTION:
            return _bid_contest(view, known, worlds, seed)
        case Phase.SHOW if len(view.prompt.choices.showing) > 1:
            return _show_contest(view, known, seed)
        case _:
            return [greedy_action(view, known)], None


def _play_contest(
    view: View, known: Knowledge, worlds: RankWorlds, seed: int, budget: Budget, *, infers: bool
) -> Contest:
    position = position_of(view, known)
    most = _MOST_TRIED
    if budget.time_s is not None:
        cards = sum(hand.size for hand in view.shared.hands)
        most = min(most, max(_LEAST_TRIED, int(_CARDS_A_SECOND * budget.time_s / cards)))
    tables = tables_for(len(known.sizes))
    candidates = np.array(play_candidates(position, view.prompt.choices, most, new_desk()), np.int64)
    actions = [position.action_of(candidate) for candidate in candidates.tolist()]
    if len(actions) == 1 or size_of(candidates[0]) == len(view.own.hand):
        return actions, None  # there is nothing else to do, or nothing better than to go out
    seen, copies = known.counts, known.copies
    history = history_of(view, known, position) if infers else no_history()

    def trial(active: Vector, first: int, results: Matrix) -> None:
        try_plays(
            worlds.plan, worlds.odds, seen, copies, position.terms, position.habits, position.state, view.seat,
            history.states, history.done, history.since, candidates, active, seed, first, results, *tables,
        )  # fmt: skip

    return actions, trial


def _bid_contest(view: View, known: Knowledge, worlds: RankWorlds, seed: int) -> Contest:
    game, shared = view.game, view.shared
    assert isinstance(game, DouDizhu)
    usual = greedy_action(view, known)
    amounts: dict[Action, int] = {Pass(): 0, **{bid: bid.amount for bid in view.prompt.choices.bids}}
    actions = sorted(amounts, key=lambda action: action != usual)
    candidates = np.array([amounts[action] for action in actions], np.int64)
    bids = [(call.action.amount, call.seat) for call in shared.calls if isinstance(call.action, Bid)]
    highest, bidder = max(bids, default=(0, NOBODY))
    order = [(view.seat + step) % game.seats for step in range(1, game.seats)]
    if game.options["bidding"] == "one_round":
        order = order[: game.seats - 1 - len(shared.calls)]
    callers, terms = np.array(order, np.int64), game.terms
    tables, seen = tables_for(len(known.sizes)), known.counts

    def trial(active: Vector, first: int, results: Matrix) -> None:
        try_bids(
            worlds.plan, worlds.odds, seen, terms.vector, habits_of(terms), before_play.LANDLORD,
            before_play.BIDS_FROM, view.seat, callers, highest, bidder, candidates, active, seed, first, results,
            *tables[:-2],
        )  # fmt: skip

    return actions, trial


def _show_contest(view: View, known: Knowledge, seed: int) -> Contest:
    game, shows = view.game, show_candidates(view)
    assert isinstance(game, ClimbingGame)
    terms, tables, settings = game.terms, tables_for(len(known.sizes)), []
    for show in shows:
        named = replace(known, named=show.card)
        is_open = show.count == ALL_COPIES
        state = state_before_lead(view, named)
        state[ALL_KNOW] = is_open
        state[STAKES_AT : STAKES_AT + STAKES] = stakes_of(
            view.seat, None, Alliance.OPEN_SOLO if is_open else Alliance.PARTNER
        )
        settings.append((named.worlds(), named.counts, named.copies, state))
    nothing_done, history = np.full(len(shows), AS_IT_IS, np.int64), no_history()

    def trial(active: Vector, first: int, results: Matrix) -> None:
        for show in active.tolist():
            worlds, seen, copies, state = settings[show]
            try_plays(
                worlds.plan, worlds.odds, seen, copies, terms.vector, habits_of(terms), state, view.seat,
                history.states, history.done, history.since, nothing_done, np.array([show]), seed, first, results,
                *tables,
            )  # fmt: skip

    return shows, trial


def guard_beliefs(
    view: View, known: Knowledge, worlds: RankWorlds
) -> tuple[Mapping[Card, Mapping[Location, float]], Mapping[int, Mapping[Role, float]]]:
    """Return where the guard's card may lie, and what the seats may be, as far as that is open."""
    if known.named is None or known.named not in known.hidden:
        return {}, {}
    chances = worlds.chances(known.named)
    cards = {known.named: {Location(Zone.HAND, seat): chance for seat, chance in enumerate(chances) if chance > 0.0}}
    roles = {
        seat: {Role.PARTNER: chances[seat], Role.OPPONENT: 1.0 - chances[seat]}
        for seat in range(view.game.seats)
        if seat != view.seat and view.shared.role_of(seat) is None
    }
    return cards, roles


def warm_up() -> None:
    """Compile all kernels of both strategies, with the types they are called with."""
    game, cards = DouDizhu(), range(len(DouDizhu().pack))
    deal = game.deal_hands(1, [cards[:17], cards[17:34], cards[34:51]], cards[51:], 0).deal
    once = Budget(iterations=1, seed=1)
    PimcClimbing().decide(deal.view(0), once)
    deal = deal.apply(Bid(HIGHEST_BID)).deal
    PimcClimbing().decide(deal.view(0), once)
    deal = deal.apply(GreedyClimbing().decide(deal.view(0), once).action).deal
    PimcClimbing().decide(deal.view(1), once)

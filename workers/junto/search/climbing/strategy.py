"""The `greedy` and `pimc` strategies for the climbing games."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from junto.games.actions import Bid
from junto.games.core import View
from junto.games.dou_dizhu import HIGHEST_BID, DouDizhu
from junto.search.climbing.contests import MOST_TRIED, Conditions, contest_of
from junto.search.climbing.guard import guard_beliefs
from junto.search.climbing.inference import Evidence
from junto.search.climbing.knowledge import Knowledge, knowledge_of
from junto.search.climbing.pool import pool_of
from junto.search.climbing.rules import greedy_action
from junto.search.decisions import Budget, Decision
from junto.search.racing import race

_EVIDENCE_SHARE: Final = 0.3
"""The share of the time after which worlds are no longer made to agree better with what others have done."""
_FIRST_BATCH: Final = 1
"""A world takes long here: how long, is seen in the first."""
_LEAST_WORLDS: Final = 24
_CAUTION: Final = 1.5
"""What the rules of thumb would do is left for a play that is better by more than so many standard errors. Of 1, 1.5, 2
and 3 this gained most or as much as any, in decisions of rules of thumb that were played on from the true cards."""
_LEAST_TRIED: Final = 3
_CARDS_A_SECOND: Final = 25_000
"""How many plays are tried: at least, and so many for a second of time and each card that is left; set by hand."""


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
        known = self.knowledge(view)
        contest = contest_of(view, known, self._conditions(view, budget, began))
        if contest.trial is None:
            return Decision(contest.actions[0], elapsed_s=time.monotonic() - began)
        deadline = budget.trials_end(began)
        outcome = race(
            contest.trial, len(contest.actions), budget.iterations, deadline, _FIRST_BATCH, _LEAST_WORLDS, _CAUTION,
            None if contest.pool is None else contest.pool.independent,
        )  # fmt: skip
        evaluations = outcome.evaluations(contest.actions)
        cards, roles = ({}, {}) if contest.pool is None else guard_beliefs(view, known, contest.pool)
        return Decision(
            evaluations[0].action,
            evaluations,
            roles=roles,
            cards=cards,
            worlds=outcome.worlds,
            playouts=outcome.playouts,
            elapsed_s=time.monotonic() - began,
        )

    def _conditions(self, view: View, budget: Budget, began: float) -> Conditions:
        seed = budget.seed_or_new()
        if budget.time_s is None:
            return Conditions(seed, infers=self.infers)
        cards = sum(hand.size for hand in view.shared.hands)
        most = max(_LEAST_TRIED, int(_CARDS_A_SECOND * budget.time_s / cards))
        return Conditions(seed, min(MOST_TRIED, most), self.infers, began + _EVIDENCE_SHARE * budget.time_s)


def warm_up() -> None:
    """Compile all kernels of both strategies, with the types they are called with."""
    game, cards = DouDizhu(), range(len(DouDizhu().pack))
    deal = game.deal_hands(1, [cards[:17], cards[17:34], cards[34:51]], cards[51:], 0).deal
    once = Budget(iterations=1, seed=1)
    PimcClimbing().decide(deal.view(0), once)
    deal = deal.apply(Bid(HIGHEST_BID)).deal
    PimcClimbing().decide(deal.view(0), once)
    deal = deal.apply(GreedyClimbing().decide(deal.view(0), once).action).deal
    view = deal.view(1)
    PimcClimbing().decide(view, once)
    known = knowledge_of(view)
    evidence, pool = Evidence(view, known), pool_of(view, known, 1, infers=False)
    pool.draw(1)
    evidence.stir(pool.table, evidence.weigh(pool.table), 1.0, 1, 1, 0, 0)

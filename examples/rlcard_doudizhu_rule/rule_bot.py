r"""RLCard's `doudizhu-rule-v1` as a strategy for Dou Dizhu.

    uv pip install --group peers
    junto tournament run --game dou-dizhu --strategies greedy,examples/rlcard_doudizhu_rule/rule_bot.py:RuleBot \
        --deals 200 --seed 7 --out DIR

It shows the bot a deal as RLCard would, the answers that it may choose from made by RLCard itself. What it chooses and
our rules do not allow, our rules of thumb play instead. RLCard: https://github.com/datamllab/rlcard
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar, Final

import numpy as np
from rlcard.games.base import Card as PeerCard
from rlcard.games.doudizhu.utils import get_gt_cards
from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

from junto.games.actions import Action, Pass, PlayCards
from junto.games.cards import Card
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import round_of
from junto.games.climbing.kernel import NO_PLAY, beats, classify
from junto.games.climbing.pick import cards_of
from junto.games.climbing.ranks import RANKS, counts_of, letters_of, parse_ranks, rank_of_card
from junto.games.core import View
from junto.games.dou_dizhu import DouDizhu
from junto.games.view import Phase, Role
from junto.search.decisions import Budget, Decision
from junto.search.strategies import greedy_strategy

PASS: Final = "pass"
SEATS: Final = 3
_GAME: Final = DouDizhu()


@dataclass(slots=True)
class RuleBot:
    """RLCard's bot; it counts its decisions in the play, and what our rules refuse of them."""

    games: ClassVar = ("dou-dizhu",)

    agent: Any = field(default_factory=DouDizhuRuleAgentV1)
    decisions: int = 0
    refused: int = 0

    def decide(self, view: View, budget: Budget) -> Decision:
        """Ask it what to play; the auction is left to our rules of thumb, since it has none."""
        if view.shared.phase is not Phase.PLAY:
            return greedy_strategy.decide(view, budget)
        np.random.seed((budget.seed or 0) & 0xFFFFFFFF)  # it draws from there when it does not know
        self.decisions += 1
        answer = self.agent.step({"raw_obs": peer_state(view)})
        action = action_of(view, answer)
        if action is None:
            self.refused += 1
            return greedy_strategy.decide(view, budget)
        return Decision(action)


def peer_state(view: View) -> dict[str, object]:
    """Return what RLCard tells its bots of a deal in the play: its landlord is player 0."""
    shared, landlord = view.shared, landlord_of(view)
    assert shared.climbing is not None
    trace = [
        ((done.seat - landlord) % SEATS, text_of(done.combination))
        for one in shared.climbing.rounds
        for done in one.actions
    ]
    top = round_of(shared).top
    return {
        "landlord": 0,
        "self": (view.seat - landlord) % SEATS,
        "trace": trace,
        "current_hand": letters_of(sorted(map(rank_of_card, view.own.hand))),
        "actions": [] if top is None else answers(view.own.hand, text_of(top.combination)),  # to lead it looks at none
    }


def text_of(combination: Combination | None) -> str:
    """Return a play as RLCard writes it: ranks low to high; a pass as a word."""
    return PASS if combination is None else letters_of(sorted(combination.ranks))


def landlord_of(view: View) -> int:
    """Return the landlord's seat."""
    return next(known.seat for known in view.shared.roles if known.role is Role.DECLARER)


def answers(hand: tuple[Card, ...], top: str) -> list[str]:
    """Return the actions that RLCard allows on a top play."""
    player = SimpleNamespace(current_hand=[peer_card(rank) for rank in sorted(map(rank_of_card, hand))])
    allowed: list[str] = get_gt_cards(player, SimpleNamespace(played_cards=top))
    return allowed


def peer_card(rank: int) -> Any:
    """Return a card of RLCard's: of any suit."""
    letter = RANKS[rank]
    return PeerCard(f"{letter}J", "") if letter in "BR" else PeerCard("S", letter)


def action_of(view: View, answer: str | None) -> Action | None:
    """Return RLCard's action as ours, None if our rules do not allow it."""
    top = round_of(view.shared).top
    beaten = NO_PLAY if top is None or top.combination is None else top.combination.play
    if answer == PASS:
        return Pass() if beaten != NO_PLAY else None
    if not answer:
        return None
    terms, counts = _GAME.terms.vector, parse_ranks(answer)
    play = int(classify(terms, counts))
    legal = play != NO_PLAY and (beaten == NO_PLAY or beats(terms, beaten, play))
    return PlayCards(cards_of(play, view.own.hand)) if legal and (counts <= counts_of(view.own.hand)).all() else None

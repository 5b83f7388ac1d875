"""Climbing deals that are told in ranks what to do: `0 34567`, `1 pass`, `2 bid 3`."""

from __future__ import annotations

import re

import pytest

from junto.games.actions import Action, PlayCards, parse, text
from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.climbing import action_of, cards_of_ranks, ranks_of
from junto.games.core import IllegalAction, Step
from junto.games.events import Event


class Table:
    """A deal that is told what to do, and remembers what was told last."""

    def __init__(self, step: Step) -> None:
        self._take(step)

    def does(self, *sayings: str) -> Table:
        """Let seats act in turn; each says who it is."""
        for saying in sayings:
            seat, words = saying.split(" ", 1)
            assert int(seat) == self.deal.to_act, saying
            self._take(self.deal.apply(self._action(words)))
        return self

    def plays_out(self) -> Table:
        """Let the table act for everybody, to the end."""
        while not self.deal.is_over:
            self._take(self.deal.apply(self.deal.default_action()))
        return self

    def refuses(self, words: str, reason: str) -> None:
        """The seat to act may not do this, for this reason."""
        with pytest.raises(IllegalAction, match=f"^{re.escape(reason)}$"):
            self.deal.check(self._action(words))

    def _action(self, words: str) -> Action:
        in_ranks = set(words) <= set(RANKS)
        return action_of(words, self.deal.hand) if in_ranks else parse(words, combination=True)

    def _take(self, step: Step) -> None:
        assert isinstance(step.deal, ClimbingDeal)
        self.deal: ClimbingDeal = step.deal
        self.events: list[Event] = [seen.event for seen in step.events]

    @property
    def default(self) -> str:
        """What is done for the seat to act when its time is up."""
        action = self.deal.default_action()
        return ranks_of(action.cards) if isinstance(action, PlayCards) else text(action)


def hands_of(*texts: str) -> list[tuple[Card, ...]]:
    """Return hands of these ranks."""
    return [cards_of_ranks(one) for one in texts]

"""A deal that is told in words what to do: for tests that read like a table at play."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import pytest

from junto.games.actions import Action, parse, text
from junto.games.cards import cards_text, parse_cards
from junto.games.core import IllegalAction, Step
from junto.games.events import seen_by
from junto.games.napoleon import NapoleonDeal, NapoleonGame

E = TypeVar("E")


class Table:
    """A deal that is told what to do in words, and remembers what happened."""

    def __init__(self, step: Step) -> None:
        self.steps = [step]

    @property
    def deal(self) -> NapoleonDeal:
        deal = self.steps[-1].deal
        assert isinstance(deal, NapoleonDeal)
        return deal

    def does(self, *words: str) -> Table:
        for word in words:
            self.apply(parse(word))
        return self

    def apply(self, action: Action) -> Table:
        self.steps.append(self.deal.apply(action))
        return self

    def refuses(self, word: str, reason: str) -> None:
        with pytest.raises(IllegalAction, match=f"^{re.escape(reason)}$"):
            self.deal.apply(parse(word))

    def allows(self, word: str) -> bool:
        try:
            self.deal.check(parse(word))
        except IllegalAction:
            return False
        return True

    def plays_out(self) -> Table:
        while not self.deal.is_over:
            self.apply(self.deal.default_action())
        return self

    def told(self, seat: int | None, kind: type[E]) -> list[E]:
        """Return what a seat (None: a spectator) saw of one kind in the last step."""
        return [event for event in seen_by(self.steps[-1].events, seat) if isinstance(event, kind)]

    @property
    def plays(self) -> str:
        assert self.deal.prompt is not None
        assert self.deal.prompt.choices.play is not None
        return cards_text(self.deal.prompt.choices.play.cards)

    @property
    def default(self) -> str:
        return text(self.deal.default_action())


def table_of(game: NapoleonGame, hands: Sequence[str], kitty: str, *words: str) -> Table:
    """Return a table where these hands were dealt, seat 0 bids first, and these words were said."""
    return Table(game.deal_hands(1, [parse_cards(hand) for hand in hands], parse_cards(kitty), 0)).does(*words)

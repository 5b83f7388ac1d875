"""Worlds of plain tricks, solved: by whichever solver, the plays are worth the same."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.playing import first_deal, random_action

from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.view import Phase
from junto.search.tricks import solving
from junto.search.tricks.candidates import play_candidates
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import knowledge_of

WORLDS = 8


def endings(game: str, deals: int) -> list[Deal]:
    """Return decisions of random deals with at most five cards in a hand."""
    found = []
    for number in range(deals):
        rng = Random(number)
        deal = first_deal(open_game(game), rng).deal
        while not deal.is_over:
            sizes = [hand.size for hand in deal.shared.hands]
            choices = deal.prompt.choices if deal.prompt is not None else None
            if deal.phase is Phase.PLAY and max(sizes) <= 5 and choices is not None and choices.play is not None:
                found.append(deal)
            deal = deal.apply(random_action(deal, rng)).deal
    return found


def worth(deal: Deal) -> np.ndarray:
    """Return what each candidate scores in some worlds."""
    assert deal.to_act is not None
    view = deal.view(deal.to_act)
    known = knowledge_of(view)
    assert view.prompt.choices.play is not None
    plays = play_candidates(known, view.prompt.choices.play)
    results = np.zeros((len(plays), WORLDS))
    trial = solving.solved_trial(known, plays, Pool(known, known.worlds(), seed=1))
    trial(np.arange(len(plays)), 0, results)
    return results


@pytest.mark.parametrize("game", ["bridge", "bridge-3p", "whist"])
def test_both_solvers_judge_an_ending_alike(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own, which is asked for hands of a few cards, and Bo Haglund's."""
    deals = endings(game, 3)
    own = [worth(deal) for deal in deals]
    monkeypatch.setattr(solving, "_ENDING", 0)
    others = [worth(deal) for deal in deals]

    assert len(deals) > 10
    for mine, other in zip(own, others, strict=True):
        assert (mine == other).all()

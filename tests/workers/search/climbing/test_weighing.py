"""The weights of worlds, against an independent reckoning, and stirring, against going through all worlds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.kernel import NO_PLAY, RANKS, size_of
from junto.games.climbing.scoring import DECLARER, PARTNER
from junto.games.options import OptionValue
from junto.search.climbing.habits import habits_of
from junto.search.climbing.history import history_of
from junto.search.climbing.inference import Evidence
from junto.search.climbing.knowledge import Knowledge, knowledge_of
from junto.search.climbing.policy import choose
from junto.search.climbing.pool import Pool
from junto.search.climbing.state import ALL_KNOW, COPIES, NAMED_RANK, PASS, STAKES_AT, TOP, TURN
from junto.search.climbing.strata import whole
from junto.search.climbing.trials import new_desk
from junto.search.climbing.weighing import ANSWER, DOUBTS, JOINED, LEAD, SAT_OUT
from junto.search.climbing.worlds import COPIES_AT, Table

from .begun import GAMES
from .playing import after_rules_of_thumb, true_world

EVERY_GAME = pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
_MAIN = (1 << 13) - 1
"""Kind, key and length of a play."""


def reckoned(deal: ClimbingDeal, known: Knowledge, world: Table) -> float:
    """Return the logarithm of a world's weight by its plays, step by step and with nothing kept."""
    game = deal.game
    assert isinstance(game, ClimbingGame)
    history, found = history_of(deal.view(known.seat), known), 0.0
    for state, done, since in zip(history.states.copy(), history.done.tolist(), history.since, strict=True):
        seat = int(state[TURN])
        hand = world[seat, :COPIES_AT].astype(np.int64) + since[:RANKS]
        if state[NAMED_RANK] != NOBODY:
            state[COPIES + seat] = world[seat, COPIES_AT] + since[COPIES_AT]
            if state[COPIES + seat] and not state[ALL_KNOW] and seat != state[STAKES_AT + DECLARER]:
                state[STAKES_AT + PARTNER] = seat
        chosen = int(choose(game.terms.vector, habits_of(game.terms), state, hand, new_desk()))
        plays = chosen > PASS and done > PASS
        if chosen == done or (plays and chosen & _MAIN == done & _MAIN and size_of(chosen) == size_of(done)):
            continue
        if state[TOP] == NO_PLAY:
            found += DOUBTS[LEAD]
        else:
            found += DOUBTS[SAT_OUT if done <= PASS else ANSWER if chosen > PASS else JOINED]
    return found


@EVERY_GAME
def test_weights_are_those_of_an_independent_reckoning(game_id: str, options: Mapping[str, OptionValue]) -> None:
    """One factor for each decision that the rules of thumb would have made otherwise."""
    deal = after_rules_of_thumb(game_id, options, 3, 17)
    view = deal.view(deal.seat)
    known = knowledge_of(view)
    evidence, pool = Evidence(view, known), Pool([whole(known)], None, 5)
    pool.rows(0, 24)
    calls = Evidence(view, known, 0).weigh(pool.table).sum(axis=1)
    weights = evidence.weigh(pool.table).sum(axis=1) - calls
    assert weights == pytest.approx([reckoned(deal, known, world) for world in pool.table], abs=1e-9)
    assert len(set(np.round(weights, 6))) > 1


@EVERY_GAME
def test_the_latest_of_a_history_are_those_of_a_history_of_the_latest(
    game_id: str, options: Mapping[str, OptionValue]
) -> None:
    """Seat by seat, with where each seat's decisions begin."""
    deal = after_rules_of_thumb(game_id, options, 3, 17)
    view = deal.view(deal.seat)
    known = knowledge_of(view)
    for number in (1, 5, 64):
        cut, told = history_of(view, known).latest(number), history_of(view, known, number)
        for one, other in zip(
            (cut.states, cut.done, cut.since, cut.starts, cut.when),
            (told.states, told.done, told.since, told.starts, told.when),
            strict=True,
        ):
            assert one.tolist() == other.tolist()


@EVERY_GAME
def test_evidence_is_kept_as_far_as_there_is_time_to_weigh_it(game_id: str, options: Mapping[str, OptionValue]) -> None:
    """In a minute nothing is left out; in no time everything is."""
    deal = after_rules_of_thumb(game_id, options, 3, 17)
    view = deal.view(deal.seat)
    known = knowledge_of(view)
    evidence, pool = Evidence(view, known), Pool([whole(known)], None, 5)
    pool.rows(0, 24)
    before = evidence.weigh(pool.table)
    evidence.fit(pool.table, 60.0)
    assert not evidence.empty
    assert (evidence.weigh(pool.table) == before).all()
    evidence.fit(pool.table, 0.0)
    assert evidence.empty


@EVERY_GAME
def test_nothing_speaks_against_the_true_world_of_rules_of_thumb(
    game_id: str, options: Mapping[str, OptionValue]
) -> None:
    """All that was done in the play is what they do."""
    deal = after_rules_of_thumb(game_id, options, 6, 14)
    view = deal.view(deal.seat)
    known = knowledge_of(view)
    true = true_world(deal, known)
    assert Evidence(view, known).weigh(true).sum() == Evidence(view, known, 0).weigh(true).sum()

"""What a decision of a climbing game is between, and the trial that plays each candidate in sampled worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action, Bid, Pass
from junto.games.baohuang.naming import COPIES
from junto.games.baohuang.standing import stakes_of
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.kernel import size_of
from junto.games.climbing.scoring import STAKES
from junto.games.core import View
from junto.games.dou_dizhu import DouDizhu
from junto.games.view import Alliance, Phase
from junto.search.climbing import before_play
from junto.search.climbing.candidates import play_candidates
from junto.search.climbing.habits import habits_of
from junto.search.climbing.knowledge import Knowledge
from junto.search.climbing.pool import Pool, pool_of
from junto.search.climbing.position import position_of, state_before_lead
from junto.search.climbing.rules import greedy_action, show_candidates
from junto.search.climbing.state import ALL_KNOW, STAKES_AT
from junto.search.climbing.strata import whole
from junto.search.climbing.trials import AS_IT_IS, own_desk, tables_for, try_bids, try_plays
from junto.search.racing import Trial

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

MOST_TRIED: Final = 40
"""At most so many plays are tried."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The candidates of a decision, first what the rules of thumb do, and the `trial` that plays them.

    Without a trial the first is taken. `pool` are the worlds that they are tried in, where these are one pool.
    """

    actions: Sequence[Action]
    trial: Trial | None = None
    pool: Pool | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a contest is held: the `seed`, how many plays are tried at `most`, and how worlds are got.

    They weigh alike unless one `infers` from what others have done; until the `deadline` (of `time.monotonic`).
    """

    seed: int
    most: int = MOST_TRIED
    infers: bool = True
    deadline: float | None = None


def contest_of(view: View, known: Knowledge, held: Conditions) -> Contest:
    """Return what a decision is between.

    The offer to become emperor is answered by rule of thumb: what an emperor's hand is worth hangs on the card that he
    can show, on suits, and a deal in which all decline is void and dealt anew.

    Raises:
        NoWorld: what is known contradicts itself.
    """
    match view.shared.phase:
        case Phase.PLAY:
            return _play_contest(view, known, held)
        case Phase.AUCTION:
            return _bid_contest(view, known, held)
        case Phase.SHOW if len(view.prompt.choices.showing) > 1:
            return _show_contest(view, known, held)
        case _:
            return Contest([greedy_action(view, known)])


def _play_contest(view: View, known: Knowledge, held: Conditions) -> Contest:
    position = position_of(view, known)
    candidates = np.array(play_candidates(position, view.prompt.choices, held.most, own_desk()), np.int64)
    actions = [position.action_of(candidate) for candidate in candidates.tolist()]
    if len(actions) == 1 or size_of(candidates[0]) == len(view.own.hand):
        return Contest(actions)  # there is nothing else to do, or nothing better than to go out
    pool, tables = pool_of(view, known, held.seed, held.deadline, infers=held.infers), tables_for()
    pool.draw(1)  # before the race, which goes by how long playouts take

    def trial(active: Vector, first: int, results: Matrix) -> None:
        rows = pool.rows(first, results.shape[1])
        try_plays(
            position.terms, position.habits, position.state, view.seat, pool.table, rows, candidates, active,
            held.seed, first, results, *tables,
        )  # fmt: skip

    return Contest(actions, trial, pool)


def _bid_contest(view: View, known: Knowledge, held: Conditions) -> Contest:
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
    pool, tables = pool_of(view, known, held.seed, held.deadline, infers=held.infers), tables_for()
    pool.draw(1)  # before the race, which goes by how long playouts take

    def trial(active: Vector, first: int, results: Matrix) -> None:
        rows = pool.rows(first, results.shape[1])
        try_bids(
            terms.vector, habits_of(terms), before_play.LANDLORD, before_play.BIDS_FROM, view.seat, callers, highest,
            bidder, pool.table, rows, candidates, active, held.seed, first, results, *tables,
        )  # fmt: skip

    return Contest(actions, trial, pool)


def _show_contest(view: View, known: Knowledge, held: Conditions) -> Contest:
    """Return the cards to show as candidates: each names its guard, in the same worlds."""
    game, shows = view.game, show_candidates(view)
    assert isinstance(game, ClimbingGame)
    terms, tables, settings = game.terms, tables_for(), []
    for show in shows:
        named = replace(known, named=show.card)
        is_open = show.count == COPIES
        state = state_before_lead(view, named)
        state[ALL_KNOW] = is_open
        state[STAKES_AT : STAKES_AT + STAKES] = stakes_of(
            view.seat, None, Alliance.OPEN_SOLO if is_open else Alliance.PARTNER
        )
        settings.append((Pool([whole(named)], None, held.seed), state))
    nothing_done = np.full(len(shows), AS_IT_IS, np.int64)

    def trial(active: Vector, first: int, results: Matrix) -> None:
        for show in active.tolist():
            pool, state = settings[show]
            rows = pool.rows(first, results.shape[1])
            try_plays(
                terms.vector, habits_of(terms), state, view.seat, pool.table, rows, nothing_done,
                np.array([show]), held.seed, first, results, *tables,
            )  # fmt: skip

    return Contest(shows, trial)

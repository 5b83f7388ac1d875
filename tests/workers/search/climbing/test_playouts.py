"""Playouts of climbing games: the same deals as the rules play, no card or point lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.kernel import Vector, without_named
from junto.games.climbing.moves import tell_apart, write_plays
from junto.games.climbing.scoring import BID, BOMBS, DECLARER, DECLARER_PLAYS, IS_OPEN, OTHER_PLAYS, PARTNER
from junto.games.climbing.terms import Terms
from junto.games.options import OptionValue
from junto.games.view import BaohuangDetails
from junto.search.climbing.habits import habits_of
from junto.search.climbing.openings import as_numbers
from junto.search.climbing.playouts import MOST_PLAYS, play_deals, random_action
from junto.search.climbing.state import (
    ALL_KNOW,
    COPIES,
    LEFT,
    MOST_SEATS,
    NAMED_RANK,
    PLACES,
    STAKES_AT,
    TOP,
    TURN,
    act,
    may_ask,
    score,
)
from junto.search.climbing.trials import new_desk
from junto.search.streams import start_stream

from .begun import GAMES, Matrix, as_action, deal_to_play

Options = Mapping[str, OptionValue]
EVERY_GAME = pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
DEALS = 4


def terms_of(deal: ClimbingDeal) -> Vector:
    """Return the constants of a deal's game, as the kernels read them."""
    assert isinstance(deal.game, ClimbingGame)
    return deal.game.terms.vector


@EVERY_GAME
@pytest.mark.parametrize("seed", range(DEALS))
def test_a_random_playout_is_a_deal_by_the_rules(game_id: str, options: Options, seed: int) -> None:
    """At each step the same seat is to act, with as many actions, and all know as much; the scores are the same."""
    deal = deal_to_play(game_id, options, seed)
    terms, (state, hands) = terms_of(deal), as_numbers(deal)
    plays, stream = np.zeros(MOST_PLAYS, np.int64), np.zeros(2, np.int64)
    start_stream(stream, seed, 0, 0)
    while state[TURN] != NOBODY:
        assert deal.to_act == state[TURN]
        assert (0 if deal.top is None else deal.top.play) == without_named(state[TOP])
        hand, copies = hands[state[TURN]], state[COPIES + state[TURN]]
        number = write_plays(terms, hand, state[TOP], plays)
        number = tell_apart(hand, state[NAMED_RANK], copies, plays, number) if copies else number
        others = (deal.top is not None) + bool(may_ask(terms, state))
        assert sum(1 for _ in deal.legal_actions()) == number + others
        action = random_action(terms, state, hand, plays, stream)
        deal = deal.apply(as_action(deal, action)).deal  # type: ignore[assignment]
        act(terms, state, hands, action)
        if isinstance(deal.shared.details, BaohuangDetails) and state[TURN] != NOBODY:
            assert (deal.shared.details.alliance is not None) == state[ALL_KNOW]
    assert deal.is_over
    scores = np.zeros(MOST_SEATS, np.int64)
    score(terms, state, scores)
    assert deal.scores == tuple(scores[: deal.game.seats].tolist())


Playout = Callable[[Terms, Vector, Matrix], tuple[Vector, Matrix, Vector]]
"""From a state and hands to those at the deal's end, and the scores."""


def by_rules_of_thumb(terms: Terms, begun: Vector, dealt: Matrix) -> tuple[Vector, Matrix, Vector]:
    """Play a deal as all seats' habits are."""
    state, hands, scores = np.zeros_like(begun), np.zeros_like(dealt), np.zeros((1, MOST_SEATS), np.int64)
    habits = habits_of(terms)
    play_deals(terms.vector, habits, habits, 0, begun[None], dealt[None], state, hands, new_desk(), scores)
    return state, hands, scores[0]


def at_random(terms: Terms, begun: Vector, dealt: Matrix) -> tuple[Vector, Matrix, Vector]:
    """Play a deal, all at random."""
    state, hands, scores = begun.copy(), dealt.copy(), np.zeros(MOST_SEATS, np.int64)
    plays, stream = np.zeros(MOST_PLAYS, np.int64), np.zeros(2, np.int64)
    start_stream(stream, 7, 0, 0)
    while state[TURN] != NOBODY:
        act(terms.vector, state, hands, random_action(terms.vector, state, hands[state[TURN]], plays, stream))
    score(terms.vector, state, scores)
    return state, hands, scores


@EVERY_GAME
@pytest.mark.parametrize("play", [by_rules_of_thumb, at_random], ids=["rules of thumb", "random"])
def test_playouts_end_and_keep_every_card(game_id: str, options: Options, play: Playout) -> None:
    """What has not been played lies in the hands, and the seats that have a place have gone out."""
    begun, dealt = zip(*(as_numbers(deal_to_play(game_id, options, seed)) for seed in range(DEALS)), strict=True)
    deal = deal_to_play(game_id, options, 0)
    assert isinstance(deal.game, ClimbingGame)
    for state, hands in zip(begun, dealt, strict=True):
        after, left, scores = play(deal.game.terms, state, hands)
        assert after[TURN] == NOBODY
        assert (left >= 0).all()
        assert after[LEFT:].tolist() == left.sum(axis=0).tolist()
        places = after[PLACES : PLACES + deal.game.seats].tolist()
        assert [seat for seat in range(deal.game.seats) if left[seat].sum() == 0] == [
            seat for seat, place in enumerate(places) if 0 < place < deal.game.seats
        ]
        assert scores[: deal.game.seats].tolist() == by_the_page(deal, state, after, places)


def by_the_page(deal: ClimbingDeal, begun: Vector, after: Vector, places: list[int]) -> list[int]:
    """Return the points by seat, as the pages of the games put it, independently of the kernels."""
    stakes, options, seats = after[STAKES_AT:], deal.game.options, range(deal.game.seats)
    if deal.game.id == "shuangkou":
        first = places.index(1)
        points = {2: 2, 3: 1}.get(places[(first + 2) % 4], 0)
        lost = -points if options["zero_sum"] else 0
        return [points if seat in (first, (first + 2) % 4) else lost for seat in seats]
    declarer, partner = int(begun[STAKES_AT + DECLARER]), int(begun[STAKES_AT + PARTNER])
    if deal.game.id == "dou-dizhu":
        won, bombs = places[declarer] == 1, int(stakes[BOMBS])
        multiplier = 2**bombs if options["bomb_factor"] == "double" else max(1, bombs)
        if (stakes[OTHER_PLAYS] == 0) if won else (stakes[DECLARER_PLAYS] == 1):
            multiplier *= 2
        cap = options["multiplier_cap"]
        unit = int(stakes[BID]) * (min(int(cap), multiplier) if cap else multiplier) * (1 if won else -1)
        return [2 * unit if seat == declarer else -unit for seat in seats]
    side = [seat for seat in seats if seat in (declarer, partner)]
    if options["preset"] == "classic":
        total = sum((4, 2, 0, -2, -4)[places[seat] - 1] for seat in side) * (2 if stakes[IS_OPEN] else 1)
    else:
        emperor, guard = places[declarer], places[partner] if len(side) == 2 else None
        if guard is None:
            total = 1 if emperor == 1 else -1
        elif emperor == 1:
            total = 0 if guard == 5 else 1
        else:
            total = {2: 1, 3: 0}.get(emperor, -1) if guard == 1 else -1
    shares = (4 if len(side) == 1 else 2) if options["payout"] == "shares" else 1
    return [total * shares if seat == declarer else total if seat in side else -total for seat in seats]

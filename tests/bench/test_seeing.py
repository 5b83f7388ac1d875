"""The player that sees all cards: one world is left to it, and that is the deal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench.strength.players import player_of
from bench.strength.playing import fresh_deal
from bench.strength.seeing import climbing_cards, tricks_cards

from junto.games.cards import mask_of
from junto.games.catalog import GAMES
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import counts_of
from junto.games.core import Deal
from junto.games.tricks.deal import TricksDeal
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy

ONCE = Budget(iterations=1)


def course(game_id: str) -> Iterator[Deal]:
    """Yield the states of a deal that the rules of thumb play."""
    deal = fresh_deal(GAMES[game_id](), 5)
    while (seat := deal.to_act) is not None:
        yield deal
        deal = deal.apply(greedy_strategy.decide(deal.view(seat), ONCE).action).deal


@pytest.mark.parametrize("game_id", GAMES)
def test_the_one_world_is_the_deal(game_id: str) -> None:
    """Before every decision of a deal, in each phase: every hand, and what lies hidden beside the hands."""
    for deal in course(game_id):
        assert deal.to_act is not None
        view = deal.view(deal.to_act)
        if isinstance(deal, ClimbingDeal):
            known = climbing_cards(deal, view)
            counts, _ = known.worlds().sample(1, 0)
            assert known.worlds().count == 1.0
            drawn = (counts + known.counts)[: len(deal.hands)]
            assert [row.tolist() for row in drawn[: len(deal.hands)]] == [
                counts_of(hand).tolist() for hand in deal.hands
            ]
        else:
            assert isinstance(deal, TricksDeal)
            seen = tricks_cards(deal, view)
            assert seen.worlds().count == 1.0
            hands = seen.worlds().sample(1, 0)
            hands[seen.place] = seen.own
            assert hands[: len(deal.hands)] == [deal.hands[hand.seat] for hand in view.shared.hands]
            if deal.phase is Phase.PLAY:
                assert seen.put_back == mask_of(card for own in deal.owns for card in own.put_back)


@pytest.mark.parametrize("game_id", GAMES)
def test_it_plays_every_game(game_id: str) -> None:
    """Each decision of it is legal; in the play it decides like the search, from a single world."""
    seeing = player_of("seeing:iterations=2")
    for step, deal in enumerate(course(game_id)):
        assert deal.to_act is not None
        if step % 7 == 0:
            deal.check(seeing.strategy(deal).decide(deal.view(deal.to_act), Budget(iterations=2, seed=step)).action)

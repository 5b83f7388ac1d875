"""What the rule of thumb does has a place among what a search tries."""

from __future__ import annotations

import pytest

from junto.games.actions import Bid, Pass, Play
from junto.games.cards import Card
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.deal import ClimbingGame
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.view import Phase
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.tricks.candidates import number_of, play_candidates
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.strategy import greedy_action

TRICKS = [game_id for game_id in GAMES if not isinstance(open_game(game_id), ClimbingGame)]


def worth(known: Knowledge, card: Card) -> int:
    """Return what a card counts."""
    return (known.terms.counting >> card & 1) + (known.terms.counting_twice >> card & 1)


@pytest.mark.parametrize("game_id", TRICKS)
def test_each_play_by_the_rule_of_thumb_is_among_those_tried(game_id: str) -> None:
    """Itself, or the highest of the seat's cards that are worth the same."""
    game = open_game(game_id)
    secret = (7).to_bytes(SECRET_BYTES, "big")
    deal = game.deal(game.new_match().opened(), DealSeed(secret, (b"",) * game.seats)).deal
    while (seat := deal.to_act) is not None:
        view = deal.view(seat)
        if view.shared.phase is Phase.PLAY and view.prompt.choices.play:
            known = knowledge_of(view)
            tried = play_candidates(known, view.prompt.choices.play)
            thumb = greedy_action(known, view.prompt.choices)
            assert isinstance(thumb, Play)
            number = number_of(thumb, tried)
            assert number is not None
            for card in range(thumb.card, tried[number].card):
                assert (known.hand | known.played | known.put_back) >> card & 1, "nobody else has one between them"
            assert worth(known, tried[number].card) == worth(known, thumb.card)
            assert thumb.card <= tried[number].card < 13 * (thumb.card // 13) + 13
        deal = deal.apply(greedy_strategy.decide(view, Budget(iterations=1)).action).deal


def test_the_lowest_higher_card_of_the_suit_stands_for_a_card() -> None:
    """Others of the suit are higher, lower, or of another suit."""
    tried = [Play(2), Play(9), Play(5), Play(18)]
    assert number_of(Play(4), tried) == 2
    assert number_of(Play(9), tried) == 1
    assert number_of(Play(12), tried) is None


def test_what_is_not_tried_has_no_number() -> None:
    """A bid that is not among the lowest ones, say."""
    assert number_of(Bid(15), [Pass(), Bid(12)]) is None
    assert number_of(Bid(12), [Pass(), Bid(12)]) == 1

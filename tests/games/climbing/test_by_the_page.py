"""Random matches of Dou Dizhu and Shuangkou, judged at each step by the pages read anew in plain Python."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.playing import random_action, random_game, random_seed

from junto.games.actions import Action, Bid, Pass, PlayCards
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import counts_of
from junto.games.core import Deal, Match
from junto.games.dou_dizhu import DouDizhu
from junto.games.shuangkou import Shuangkou
from junto.games.view import DouDizhuDetails, Outcome, Phase

from .by_the_page import Counts
from .hands import counts_of_play
from .tables import DouDizhuTable, ShuangkouTable, Table

MATCHES, DEALS = 6, 3


def counted(cards: tuple[int, ...]) -> Counts:
    return tuple(counts_of(cards).tolist())


def hands_of(deal: Deal) -> list[Counts]:
    return [counted(own.hand) for own in deal.owns]


@pytest.mark.parametrize("number", range(MATCHES))
def test_random_matches_of_dou_dizhu_go_as_the_page_says(number: int) -> None:
    """The auction, void deals and the last try, every play, bombs, spring and the score."""
    rng = Random(number)
    game = random_game(DouDizhu, rng)
    assert isinstance(game, DouDizhu)
    match, dealer, voids = game.new_match(), None, 0
    for _ in range(DEALS):
        match = match.opened()
        deal = game.deal(match, random_seed(3, rng)).deal
        assert dealer in {None, deal.shared.dealer}
        dealer = deal.shared.dealer or 0
        deal, landlord, bid = auctioned(deal, game, dealer, voids, rng)
        if landlord is None:
            assert deal.shared.result is not None
            assert deal.shared.result.outcome is Outcome.VOID
            voids += 1
        else:
            voids = 0
            table = DouDizhuTable(game.options, hands_of(deal), landlord, landlord=landlord, bid=bid)
            deal = played(deal, table, rng)
            assert isinstance(deal.shared.details, DouDizhuDetails)
            assert deal.shared.details.spring is not None
            assert deal.shared.details.spring.name.lower() == table.spring
            assert deal.shared.details.multiplier == table.multiplier
        match = game.after(match, deal)
        dealer = (dealer + 1) % 3


def auctioned(deal: Deal, game: DouDizhu, dealer: int, voids: int, rng: Random) -> tuple[Deal, int | None, int]:
    """Bid at random beside the page; return who is landlord, if anybody, and at which bid."""
    shy = rng.random() < 0.5
    calls: list[int] = []
    while True:
        seat, highest = (dealer + len(calls)) % 3, max(calls, default=0)
        assert (deal.phase, deal.to_act) == (Phase.AUCTION, seat)
        legal: list[Action] = [Pass(), *(Bid(amount) for amount in range(highest + 1, 4))]
        assert list(deal.legal_actions()) == legal
        action = Pass() if shy else rng.choice([*legal[:2], Pass()])
        deal = deal.apply(action).deal
        calls.append(action.amount if isinstance(action, Bid) else 0)
        once = game.options["bidding"] == "one_round" and len(calls) == 3
        if calls[-1] == 3 or once or calls == [0] * 3 or (any(calls) and calls[-2:] == [0, 0]):
            break
    if any(calls):
        return deal, (dealer + calls.index(max(calls))) % 3, max(calls)
    return (deal, dealer, 1) if voids + 1 >= int(game.options["max_consecutive_voids"]) else (deal, None, 0)


@pytest.mark.parametrize("number", range(MATCHES))
def test_random_matches_of_shuangkou_go_as_the_page_says(number: int) -> None:
    """Who leads, every play, who leads for a seat that is out, the end and the score."""
    rng = Random(number)
    game = random_game(Shuangkou, rng)
    match, first = game.new_match(), None
    for _ in range(DEALS):
        match = match.opened()
        deal = game.deal(match, random_seed(4, rng)).deal
        assert deal.to_act is not None
        if game.options["next_leader"] == "first_out":
            assert first in {None, deal.to_act}
        table = ShuangkouTable(game.options, hands_of(deal), deal.to_act)
        deal = played(deal, table, rng)
        match, first = game.after(match, deal), table.out[0]
    assert isinstance(match, Match)
    assert match.deals_done == DEALS


def played(deal: Deal, table: Table, rng: Random) -> Deal:
    """Play at random to the end, beside the page."""
    while not table.over:
        assert isinstance(deal, ClimbingDeal)
        assert (deal.phase, deal.to_act) == (Phase.PLAY, table.to_act)
        assert [hand.size for hand in deal.shared.hands] == list(map(sum, table.hands))
        check_prompt(deal, table)
        action = random_action(deal, rng)
        deal = deal.apply(action).deal
        table.do(counted(action.cards) if isinstance(action, PlayCards) else None)
        assert deal.shared.climbing is not None
        assert list(deal.shared.climbing.finished) == table.out
    assert deal.is_over
    assert list(deal.scores or ()) == table.scores()
    return deal


def check_prompt(deal: ClimbingDeal, table: Table) -> None:
    """Every play that is listed is one by the page; where all parts of the hand can be looked at, no other is."""
    assert deal.prompt is not None
    choices = deal.prompt.choices
    assert choices.passing == (table.top is not None)
    plays: tuple[Combination, ...] = choices.combination.plays if choices.combination is not None else ()
    told = [counts_of_play(one.play) for one in plays]
    assert len(set(told)) == len(told)
    assert all(table.may_play(cards) for cards in told)
    by_page = table.plays()
    assert by_page is None or by_page == set(told)

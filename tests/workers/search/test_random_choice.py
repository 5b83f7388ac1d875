"""What the random strategy makes of prompts that Taiwanese Napoleon does not have."""

from __future__ import annotations

from collections import Counter

from junto.games.actions import Action, AgreeToClaim, Bid, Claim, DoubleBid, Pass, Play, RedoubleBid, RefuseClaim
from junto.games.catalog import open_game
from junto.games.core import View
from junto.games.view import Choices, MatchView, Own, Phase, PlayChoice, Prompt, Shared
from junto.search.decisions import Budget
from junto.search.random_choice import RandomStrategy


def drawn(choices: Choices, times: int = 400) -> Counter[Action]:
    """Return how often each action was chosen."""
    view = View(
        open_game("napoleon-tw"),
        MatchView(),
        Shared(1, Phase.PLAY, ()),
        Own(0),
        Prompt(0, Phase.PLAY, choices),
    )
    strategy = RandomStrategy()
    return Counter(strategy.decide(view, Budget(iterations=1, seed=seed)).action for seed in range(times))


def test_every_call_of_an_auction_is_made() -> None:
    """Passing, doubling, redoubling and each bid are equally likely."""
    calls = drawn(Choices(passing=True, bids=(Bid(1, 0), Bid(7, 4)), doubling=True, redoubling=True))
    assert set(calls) == {Pass(), Bid(1, 0), Bid(7, 4), DoubleBid(), RedoubleBid()}
    assert min(calls.values()) > 40


def test_tricks_are_claimed_now_and_then() -> None:
    """Most of the time a card is played; what is claimed is any number of tricks up to those left."""
    actions = drawn(Choices(play=PlayChoice(2, (5,)), claim_up_to=1), 1000)
    assert set(actions) == {Play(5), Claim(0), Claim(1)}
    assert actions[Play(5)] > 900


def test_a_claim_is_agreed_to_or_refused() -> None:
    """Both answers come about equally often."""
    answers = drawn(Choices(answering_claim=True))
    assert set(answers) == {AgreeToClaim(), RefuseClaim()}
    assert min(answers.values()) > 100

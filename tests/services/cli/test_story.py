"""The story of a deal, told from what a spectator is sent."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from junto.cli.story import Story
from junto.games.actions import Action, Bid, CallCard, Pass, Play
from junto.games.catalog import open_game
from junto.games.core import Deal, Step
from junto.games.shuffle import DealSeed
from junto.games.view import Phase
from junto.v1 import catalog_pb2, views_pb2
from junto.wire.events import write_events

NAMES = [*(f"seat {seat}" for seat in range(5)), "the pile"]
GAME = catalog_pb2.Game(
    id="napoleon-tw",
    unit="court cards",
    role_names=[
        catalog_pb2.RoleName(role=views_pb2.ROLE_DECLARER, title="Napoleon"),
        catalog_pb2.RoleName(role=views_pb2.ROLE_PARTNER, title="secretary"),
        catalog_pb2.RoleName(role=views_pb2.ROLE_OPPONENT, title="ally"),
    ],
)


def played(number: int, *, bids: bool = True) -> Iterator[Step]:
    """Yield the steps of a deal that is played at random; without bids everybody passes."""
    rng = random.Random(number)
    game = open_game("napoleon-tw")
    step = game.deal(game.new_match().opened(), DealSeed(bytes([number] * 32), (b"",) * 5))
    yield step
    while not step.deal.is_over:
        step = step.deal.apply(choose(step.deal, rng, bids=bids))
        yield step


def choose(deal: Deal, rng: random.Random, *, bids: bool) -> Action:
    """Return some action: the first bidder bids the least and the others pass."""
    if deal.phase is Phase.AUCTION:
        return Bid(11) if bids and not deal.shared.calls else Pass()
    if deal.phase is Phase.EXCHANGE:
        return deal.default_action()
    return rng.choice(list(deal.legal_actions()))


def told(steps: Sequence[Step]) -> list[str]:
    """Return the whole story of some steps."""
    story = Story(NAMES, GAME)
    return [line for step in steps for event in write_events(step.events, None) for line in story.tell(event)]


@pytest.mark.parametrize("number", range(8))
def test_the_story_has_everything_that_happened(number: int) -> None:
    """The bids, trumps, the secretary card, every trick with its winner, who was who, and the score."""
    steps = list(played(number))
    story = "\n".join(told(steps))
    deal = steps[-1].deal
    shared = deal.shared
    assert shared.contract is not None
    assert shared.tricks is not None
    assert shared.result is not None

    napoleon = NAMES[shared.contract.declarer]
    assert f"{napoleon} bids 11" in story
    assert f"{napoleon} is Napoleon" in story
    assert f"{napoleon} names" in story
    assert f"{napoleon} takes the kitty, 4 cards" in story
    assert story.count("who holds it is the secretary") == 1
    assert story.count("  Trick ") == len(shared.tricks.tricks) == 10
    for trick in shared.tricks.tricks:
        assert f"-> {NAMES[trick.winner or 0]}" in story
    for share in shared.result.seats:
        assert any(
            line.startswith(f"  {NAMES[share.seat]}") and f"{share.score:+}" in line for line in story.split("\n")
        )


@pytest.mark.parametrize("number", range(8))
def test_the_secretary_is_told_when_the_card_is_seen_and_not_before(number: int) -> None:
    """The story knows no more than a spectator does."""
    steps = list(played(number))
    card = next(action.card for step in steps for action in actions(step) if isinstance(action, CallCard))
    seen = next(
        (n for n, step in enumerate(steps) for a in actions(step) if isinstance(a, Play) and a.card == card), None
    )
    if seen is None:
        pytest.skip("the secretary card was not played")

    def revealed(steps: Sequence[Step]) -> bool:
        return any("turns out" in line for line in told(steps))

    assert not revealed(steps[:seen])
    assert revealed(steps[: seen + 5])  # it is told with its trick


def actions(step: Step) -> Iterator[Action]:
    """Yield the actions in a step's events."""
    for seen in step.events:
        action = getattr(seen.event, "action", None)
        if action is not None:
            yield action


def test_a_deal_that_everybody_passes_is_told() -> None:
    """A void deal has no score, and is dealt again."""
    lines = told(list(played(1, bids=False)))

    assert lines[-1] == "Everybody passed: there is no score, and the cards are dealt again."

"""Every game of the catalogue in the terminal: its story, its board and its prompts, over whole deals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from junto.cli.board import Words, draw
from junto.cli.climbing_board import named_card
from junto.cli.climbing_typing import Held
from junto.cli.climbing_words import combination_letters
from junto.cli.controls import asked, read_line
from junto.cli.story import Story
from junto.games.actions import PlayCards, text
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import Deal, Game, Step
from junto.games.options import OptionValue
from junto.games.shuffle import DealSeed
from junto.games.view import Outcome, Role
from junto.search.decisions import Budget
from junto.search.random_choice import RandomStrategy
from junto.v1 import catalog_pb2, tables_pb2, views_pb2
from junto.wire.catalog import write_game
from junto.wire.events import write_events
from junto.wire.reading import read_own, read_shared
from junto.wire.views import write_own, write_shared

VARIANTS: list[tuple[str, dict[str, OptionValue]]] = [
    *((game, {}) for game in sorted(GAMES)),
    ("napoleon-tw", {"players": 3}),
    ("napoleon-tw", {"players": 7, "allow_trump_change": True, "secretary_lead_names_suit": True}),
    ("napoleon-jp", {"preset": "mobile", "players": 4, "jokers": 2}),
    ("baohuang", {"preset": "shandong_street"}),
]
CHOOSE = RandomStrategy()
CARD = re.compile(r"[♠♥♦♣][2-9TJQKA]|[RB]J(?!J)|[2-9TJQKABR]")
"""A card in a hand: with its suit, or in climbing games by its rank alone."""


def named(variant: tuple[str, dict[str, OptionValue]]) -> str:
    """Return a variant's name in a test's."""
    game, options = variant
    return " ".join([game, *(f"{name}={value}" for name, value in options.items())])


@pytest.fixture(scope="module", params=VARIANTS, ids=named)
def steps(request: pytest.FixtureRequest) -> list[Step]:
    """The steps of a random deal that is not void."""
    game = open_game(*request.param)
    played = (list(deal_of(game, number)) for number in range(1, 50))
    return next(steps for steps in played if outcome(steps[-1].deal) is not Outcome.VOID)


def deal_of(game: Game, number: int) -> Iterator[Step]:
    """Yield the steps of a deal that is played at random."""
    step = game.deal(game.new_match().opened(), DealSeed(bytes([number] * 32), (b"",) * game.seats))
    yield step
    seeds = count(1000 * number)
    while (seat := step.deal.to_act) is not None:
        budget = Budget(iterations=1, seed=next(seeds))
        step = step.deal.apply(CHOOSE.decide(step.deal.view(seat), budget).action)
        yield step


def outcome(deal: Deal) -> Outcome:
    """Return how a deal that is over ended."""
    assert deal.shared.result is not None
    return deal.shared.result.outcome


def entry(deal: Deal) -> catalog_pb2.Game:
    """Return the catalogue's entry of a deal's game."""
    return write_game(type(deal.game))


def names(deal: Deal) -> list[str]:
    """Return the hands' names."""
    return [*(f"seat {seat}" for seat in range(deal.game.seats)), "the pile"]


def test_the_story_has_everything_that_happened(steps: list[Step]) -> None:
    """The bids, the contract, every trick with its winner, every round with its owner, and every score."""
    deal = steps[-1].deal
    shared = deal.shared
    assert shared.result is not None
    story = Story(names(deal), entry(deal))
    lines: list[str] = []
    for step in steps:
        view = views_pb2.DealView(shared=write_shared(step.deal.shared))
        lines += story.tell_update(tables_pb2.TableUpdate(deal=view, events=write_events(step.events, None)))
    told = "\n".join(lines)

    tricks = [trick for trick in shared.tricks.tricks if trick.winner is not None] if shared.tricks is not None else []
    owners = [trick.winner for trick in tricks if trick.winner is not None]
    assert told.count("\n  Trick ") == len(tricks)
    if shared.climbing is not None:
        owners = [one.top.seat for one in shared.climbing.rounds if one.top is not None]
        assert told.count("\n  Round ") == len(owners)
        for place, seat in enumerate(shared.climbing.finished, start=1):
            assert f"seat {seat} is out, {place}" in told
    assert [
        int(seat) for seat in re.findall(r"  -> seat (\d)", told.replace("the pile", f"seat {deal.game.seats}"))
    ] == owners
    if shared.contract is not None:
        assert f"{names(deal)[shared.contract.declarer]} is {deal.game.role_names[Role.DECLARER]}; " in told
    for share in shared.result.seats:
        assert any(line.startswith(f"  seat {share.seat} ") and line.endswith(f"{share.score:+}") for line in lines)


def test_every_seat_can_be_drawn_at_every_step(steps: list[Step]) -> None:
    """The board of each seat has its cards, of the messages that it is sent, and marks whose turn it is."""
    for step in steps:
        deal = step.deal
        titles = {int(role.role): role.title for role in entry(deal).role_names}
        words = Words(names(deal), titles, entry(deal).unit)
        shared = read_shared(write_shared(deal.shared))
        for own in deal.owns:
            lines = list(draw(shared, read_own(write_own(own)), words))
            assert len(CARD.findall(lines[-1].removeprefix("  your hand: "))) == len(own.hand)
            assert sum(line.startswith("> ") for line in lines) == (0 if deal.is_over else 1)


def test_every_action_can_be_typed(steps: list[Step]) -> None:
    """Each prompt says what it asks for, and the text form of a legal action means that action."""
    for step in steps:
        prompt = step.deal.prompt
        if prompt is None:
            continue
        assert len(asked(prompt)) > len("you may ")
        for action in islice(step.deal.legal_actions(), 40):
            assert read_line(text(action), prompt) == action


def test_every_combination_can_be_typed_by_its_ranks_and_by_its_number(steps: list[Step]) -> None:
    """What a prompt lists is played with cards of the hand, copies of the named card last."""
    for step in steps:
        prompt = step.deal.prompt
        choice = prompt.choices.combination if prompt is not None else None
        if prompt is None or choice is None:
            continue
        own = step.deal.owns[prompt.seat]
        held = Held(own.hand, named_card(step.deal.shared))
        for number, play in islice(enumerate(choice.plays, start=1), 40):
            action = read_line(combination_letters(play), prompt, held)
            assert isinstance(action, PlayCards)
            assert action == read_line(f"#{number}", prompt, held)
            assert sorted(map(rank_of_card, action.cards)) == sorted(play.ranks)
            assert not Counter(action.cards) - Counter(own.hand)
            step.deal.check(action)

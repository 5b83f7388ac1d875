"""Whole deals of Taiwanese Napoleon, played at random by seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from junto.games.actions import Action, Bid, Discard
from junto.games.catalog import open_game
from junto.games.core import Deal, Game, Step
from junto.games.options import OptionValue
from junto.games.shuffle import DealSeed


def seed_of(number: int, seats: int = 5) -> DealSeed:
    """Return a deal's seed, made of a number."""
    return DealSeed(number.to_bytes(32, "big"), (b"", b"\x07") + (b"",) * (seats - 2))


def choose(deal: Deal, random: Random) -> Action:
    """Return a legal action: a bid if none was made yet, any discard, else one of the first few."""
    prompt = deal.prompt
    assert prompt is not None
    if (
        prompt.choices.bids
        and deal.shared.contract is None
        and not any(isinstance(call.action, Bid) for call in deal.shared.calls)
    ):
        return random.choice(prompt.choices.bids[:3])
    if prompt.choices.discard is not None:
        choice = prompt.choices.discard
        plain = [card for card in choice.cards if card not in choice.costly]
        return (
            Discard(tuple(random.sample(plain, choice.count))) if len(plain) > choice.count else deal.default_action()
        )
    return random.choice(list(islice(deal.legal_actions(), 30)))


def steps(number: int, options: dict[str, OptionValue] | None = None) -> Iterator[Step]:
    """Yield a deal's steps: dealt, then after every action, to the end."""
    game: Game = open_game("napoleon-tw", options)
    random = Random(number)
    step = game.deal(replace(game.new_match(), deals_opened=1), seed_of(number, game.seats))
    yield step
    while not step.deal.is_over:
        step = step.deal.apply(choose(step.deal, random))
        yield step

"""How many actions per second the rules apply in Python: whole random deals, with and without their prompts.

`junto bench apply --json`. One JSON object: `value` actions applied per second through `Deal.apply`, all
phases included; `play_us` and `prompt_us`, microseconds for one card played and for one prompt.
Deals and actions are drawn before the clock runs; each small batch of them counts at its best of several rounds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play
from junto.games.catalog import open_game
from junto.games.core import Deal, Game
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.view import Phase

DEALS = 10
BATCH = 20
ROUNDS = 30
Move = tuple[Deal, Action]
"""A decision, and the deal that it is made in."""


def main(game_id: str = "napoleon-tw") -> None:
    """Measure one game and print the figures."""
    game, rng = open_game(game_id), Random(1)
    scripts = [_script(game, rng) for _ in range(DEALS)]
    moves = [(deal, action) for script in scripts for deal, action in script]
    plays = [(deal, action) for deal, action in moves if deal.phase is Phase.PLAY]
    figures = {
        "bench": "apply",
        "game": game_id,
        "value": round(1e6 / _microseconds(_apply, moves)),
        "unit": "actions/s",
        "play_us": round(_microseconds(_apply, plays), 1),
        "prompt_us": round(_microseconds(_ask, plays), 1),
    }
    print(json.dumps(figures))


def _script(game: Game, rng: Random) -> list[Move]:
    """Return the decisions of one random deal, each with the deal that it is made in."""
    seed = DealSeed(rng.randbytes(SECRET_BYTES), (b"",) * game.seats)
    deal, script = game.deal(game.new_match().opened(), seed).deal, []
    while not deal.is_over:
        action = _action(deal, rng)
        script.append((deal, action))
        deal = deal.apply(action).deal
    return script


def _action(deal: Deal, rng: Random) -> Action:
    """Return a legal action as its prompt allows it; the first bid wins the auction, the default is put back."""
    assert deal.prompt is not None
    choices = deal.prompt.choices
    if choices.bids:
        return Pass() if deal.shared.calls else Bid(choices.bids[0].amount, choices.bids[0].strain)
    if choices.discard is not None:
        default = deal.default_action()
        assert isinstance(default, Discard)
        return default
    if choices.trumps:
        return ChooseTrump(rng.choice(choices.trumps))
    if choices.callable:
        return CallCard(rng.choice(choices.callable))
    assert choices.play is not None
    card = rng.choice(choices.play.cards)
    return Play(card, 0 if card in choices.play.naming else None)


def _apply(deal: Deal, action: Action) -> None:
    deal.apply(action)


def _ask(deal: Deal, _action: Action) -> None:
    _ = deal.prompt


def _forget(deal: Deal) -> None:
    """Forget a prompt that was made, so that it is made anew."""
    vars(deal).pop("prompt", None)


def _microseconds(work: Callable[[Deal, Action], None], moves: list[Move]) -> float:
    """Return the microseconds that a piece of work takes on average.

    The moves are timed in small batches, each at its best of several rounds: on a busy machine a long run is
    never undisturbed.
    """
    best = [float("inf")] * -(-len(moves) // BATCH)
    for _ in range(ROUNDS):
        for number in range(len(best)):
            batch = moves[number * BATCH : (number + 1) * BATCH]
            for deal, _action in batch:
                _forget(deal)
            start = time.perf_counter()
            for deal, action in batch:
                work(deal, action)
            best[number] = min(best[number], time.perf_counter() - start)
    return sum(best) / len(moves) * 1e6


if __name__ == "__main__":
    main()

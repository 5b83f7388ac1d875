"""How many actions per second the rules apply in Python: whole random deals, with and without their prompts.

`junto bench apply --json`. One JSON object: `value` actions applied per second through `Deal.apply`, all
phases included; `play_us` and `prompt_us`, microseconds for one card played and for one prompt.
Deals and actions are drawn before the clock runs; each figure is the best of several rounds of CPU time.
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

DEALS = 40
ROUNDS = 7


def main(game_id: str = "napoleon-tw") -> None:
    """Measure one game and print the figures."""
    game, rng = open_game(game_id), Random(1)
    scripts = [_script(game, rng) for _ in range(DEALS)]
    moves = [(deal, action) for script in scripts for deal, action in script]
    plays = [(deal, action) for deal, action in moves if deal.phase is Phase.PLAY]
    for deal, action in moves:
        deal.apply(action)
    figures = {
        "bench": "apply",
        "game": game_id,
        "value": round(len(moves) / _seconds(lambda: _apply(moves))),
        "unit": "actions/s",
        "play_us": round(_seconds(lambda: _apply(plays)) / len(plays) * 1e6, 1),
        "prompt_us": round(_prompts(plays) / len(plays) * 1e6, 1),
    }
    print(json.dumps(figures))


def _script(game: Game, rng: Random) -> list[tuple[Deal, Action]]:
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


def _apply(moves: list[tuple[Deal, Action]]) -> None:
    for deal, action in moves:
        deal.apply(action)


def _prompts(moves: list[tuple[Deal, Action]]) -> float:
    """Return the seconds for all prompts, each made anew."""

    def clear() -> None:
        for deal, _ in moves:
            vars(deal).pop("prompt", None)

    def ask() -> None:
        for deal, _ in moves:
            _ = deal.prompt

    return _seconds(ask, before=clear)


def _seconds(work: Callable[[], None], before: Callable[[], None] = lambda: None) -> float:
    """Return the CPU seconds that a piece of work takes at best."""
    best = float("inf")
    for _ in range(ROUNDS):
        before()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()

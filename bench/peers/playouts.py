"""Random playouts a second beside OpenSpiel's C++: both in one run on one thread, in bursts by turns, by CPU time.

    python -m bench.peers.playouts > results/playouts.jsonl

A JSON object a line: of Dou Dizhu and of the play of bridge both rates and their ratio, the median of that of so many
pairs of `--bursts`; of our other games, for which it has no such peer, ours alone. A ply is a decision of a player.
On a busy machine the best bursts are the ones to compare (`ratio_of_best`).

OpenSpiel's rollouts are reached through an `MCTSBot` that is asked for one simulation: it looks at the root's legal
actions once, and then its evaluator plays `ROLLOUTS` random games from it to the end, all in C++. The roots are states
in which the cards lie dealt, so that dealing is outside the clock; as it is outside ours, but for `with_deal_per_s`.
Its Dou Dizhu has the bidding in it, on average a few plies; ours begins at the first lead, with a landlord by our rules
of thumb. Bridge is played in three no trumps by both, each deal as often as its roots.

Needs the package open-spiel (dependency group `peers`); without it one line says so, and the exit code is 2.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any, Final

try:
    import pyspiel
except ImportError:
    print("the package open-spiel is not installed: uv pip install --group peers", file=sys.stderr)
    sys.exit(2)

from bench._numbers import time_s, whole_number

from junto.games.cards import NO_TRUMP, SPADES
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.deal import ClimbingGame
from junto.games.napoleon import NapoleonGame
from junto.games.tricks import scoring
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.kernel import SPADE_ACE
from junto.games.tricks.terms import rules_of_deal
from junto.search.climbing.openings import deals_to_play, tables
from junto.search.climbing.random_playouts import RandomClimbing
from junto.search.tricks.random_playouts import RANDOM, RandomDeals

ROLLOUTS: Final = 50
ROOTS: Final = 20
DEALS: Final = 1_000
"""Of ours, in a call: deals of a climbing game, or `DEALS` times `ROLLOUTS` playouts of one with tricks."""
PEERS: Final = {"dou-dizhu": "dou_dizhu", "bridge": "bridge(use_double_dummy_result=false)"}
COMPARED_PLIES: Final = 500
THREE_NO_TRUMPS: Final = ("3NT", "Pass", "Pass", "Pass")
DECLARER_SIDE: Final = 2


@dataclass(frozen=True)
class Side:
    """Who plays: `play` plays so many random games a call, of so many plies on average."""

    play: Callable[[], object]
    games: int
    plies: float


def main() -> None:
    """Measure, and print one JSON object a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=list(GAMES), help="a game; all if none is named")
    parser.add_argument("--bursts", type=whole_number(1, 10_000), default=9)
    parser.add_argument("--seconds", type=time_s(60.0), default=0.4, help="CPU time of a burst")
    options = parser.parse_args()
    for game_id in options.game or [*PEERS, *(game_id for game_id in GAMES if game_id not in PEERS)]:
        print(json.dumps(compare(game_id, options.bursts, options.seconds)), flush=True)


def compare(game_id: str, bursts: int, seconds: float) -> dict[str, Any]:
    """Return a game's figures."""
    sides = {"junto": our_side(game_id)}
    if game_id in PEERS:
        sides["open_spiel"] = their_side(game_id)
    if isinstance(open_game(game_id), TricksGame):
        sides["with_deal"] = our_side(game_id, dealing=True)
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for side in sides.values():
        side.play()
    for _ in range(bursts):
        for name, side in sides.items():
            rates[name].append(rate(side, seconds))
    ours = statistics.median(rates["junto"])
    figures: dict[str, Any] = {
        "bench": "peers/playouts",
        "game": game_id,
        "case": "random",
        "playouts_per_s": round(ours),
    }
    figures |= {"plies": round(sides["junto"].plies, 1), "ns_per_ply": round(1e9 / ours / sides["junto"].plies, 1)}
    if "with_deal" in rates:
        figures["with_deal_per_s"] = round(statistics.median(rates["with_deal"]))
    if game_id in PEERS:
        theirs, plies = statistics.median(rates["open_spiel"]), sides["open_spiel"].plies
        ratios = [mine / its for mine, its in zip(rates["junto"], rates["open_spiel"], strict=True)]
        figures |= {
            "peer": f"open-spiel {version('open-spiel')}",
            "peer_per_s": round(theirs),
            "peer_plies": round(plies, 1),
            "peer_ns_per_ply": round(1e9 / theirs / plies, 1),
            "ratio": round(statistics.median(ratios), 2),
            "ratio_least": round(min(ratios), 2),
            "ratio_of_best": round(max(rates["junto"]) / max(rates["open_spiel"]), 2),
            "ratio_by_ply": round(statistics.median(ratios) * sides["junto"].plies / plies, 2),
        }
    return figures | {"bursts": bursts, "burst_s": seconds}


def rate(side: Side, seconds: float) -> float:
    """Return how many games a side plays in a second of this thread's CPU time."""
    games, began = 0, time.thread_time()
    while (taken := time.thread_time() - began) < seconds:
        side.play()
        games += side.games
    return games / taken


def our_side(game_id: str, *, dealing: bool = False) -> Side:
    """Return our random playouts of a game; `dealing`: each of another deal, dealt inside the clock."""
    match open_game(game_id):
        case ClimbingGame() as game:
            begun, dealt = tables(deals_to_play(game, DEALS, 0))
            playouts = RandomClimbing.under(game.terms.vector, DEALS)
            return Side(partial(playouts.play, 1, begun, dealt), DEALS, playouts.play(0, begun, dealt) / DEALS)
        case TricksGame() as game:
            deals, contract = tricks_table(game)
            times, games = 1 if dealing else ROLLOUTS, DEALS * ROLLOUTS
            play = partial(deals.play, 1, games, noise=RANDOM, contract=contract, times=times)
            return Side(play, games, game.terms.seats * game.terms.tricks)
    raise AssertionError(game_id)


def tricks_table(game: TricksGame) -> tuple[RandomDeals, int]:
    """Return random deals of a game with tricks, and a contract: 3NT in bridge, the lowest bid in Napoleon's games."""
    if isinstance(game, NapoleonGame):
        return RandomDeals.under(rules_of_deal(game.terms, SPADES, SPADE_ACE)), game.house.min_bid
    if game.terms.scoring != scoring.DUPLICATE:
        return RandomDeals.under(rules_of_deal(game.terms, SPADES), DECLARER_SIDE), 0
    contract = int(scoring.packed_contract(3, NO_TRUMP, 0, 0))
    return RandomDeals.under(rules_of_deal(game.terms, NO_TRUMP), DECLARER_SIDE), contract


def their_side(game_id: str) -> Side:
    """Return OpenSpiel's rollouts of a game."""
    draw = random.Random(1)
    roots = [dealt_root(game_id, draw) for _ in range(ROOTS)]
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(
        game=roots[0].get_game(), evaluator=evaluator, uct_c=1.4, max_simulations=1, max_memory_mb=64, solve=False,
        seed=1, verbose=False,
    )  # fmt: skip
    plies = sum(plies_of(draw.choice(roots), draw) for _ in range(COMPARED_PLIES)) / COMPARED_PLIES
    return Side(lambda: bot.step(draw.choice(roots)), ROLLOUTS, plies)


def dealt_root(game_id: str, draw: random.Random) -> Any:
    """Return a state in which the cards are dealt; of bridge, one in which 3NT is the contract."""
    state = pyspiel.load_game(PEERS[game_id]).new_initial_state()
    while state.is_chance_node():
        at_random(state, draw)
    if game_id == "bridge":
        for call in THREE_NO_TRUMPS:
            seat = state.current_player()
            named = {state.action_to_string(seat, action): action for action in state.legal_actions()}
            state.apply_action(named[call])
    return state


def plies_of(root: Any, draw: random.Random) -> int:
    """Return how many decisions a random game from a state takes."""
    state, plies = root.clone(), 0
    while not state.is_terminal():
        plies += not state.is_chance_node()
        at_random(state, draw)
    return plies


def at_random(state: Any, draw: random.Random) -> None:
    """Let chance, or the player, do anything legal."""
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(draw.choices(actions, chances)[0])
    else:
        state.apply_action(draw.choice(state.legal_actions()))


if __name__ == "__main__":
    main()

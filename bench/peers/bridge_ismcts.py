"""Bridge play against OpenSpiel's `ISMCTSBot`: who takes more tricks from the same cards, and at what cost.

Each deal is played in 3NT by North and in a suit game by who has the trumps: four of the longest suit that a side
holds together, by the one who has more of it. Each contract is played four times: declarer's side and the defence by
Junto's strategy or by ISMCTSBot. Differences are paired by deal, the clusters of the 95 % intervals: "declarer
against ismcts" is what Junto takes more than ISMCTSBot does as declarer, both against ISMCTSBot's defence.

Junto's strategy is given its seat's view as at a table, but without the calls: ISMCTSBot draws its worlds without
them, and forced calls tell nothing. A card that must be played is nobody's decision. CPU time is the process's, with
that of the solver's thread.

Junto stops when a play is clear, so a decision may take longer than ISMCTSBot's where a deal does not. Its limit for
a decision is a multiple (`--times`) of what ISMCTSBot's decisions have taken so far on average, both in CPU time: so
what else the machine does makes no difference. Or it is wall-clock time (`--seconds`), as at a table.

    python -m bench.peers.bridge_ismcts --deals 100 --times 2.5 --out results > results/bridge.jsonl

Every deal is kept in a file of the folder `--out` (`bench.strength.store`) as soon as it is played; the same command
goes on where it ended. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from bench._numbers import time_s, whole_number
from bench.strength.errors import MeasurementError
from bench.strength.figures import mean_of
from bench.strength.store import Record, Spec, opened

from junto.arena.code import CODE
from junto.games.actions import Action, Bid, Pass, Play
from junto.games.bridge.four import Bridge
from junto.games.cards import Card
from junto.games.core import View
from junto.search.decisions import Budget
from junto.search.double_dummy import most_tricks
from junto.search.strategies import find_strategy
from junto.search.tricks import strategy

if find_spec("pyspiel") is not None:
    from examples.openspiel_bot.ismcts import own_card, peer_bot, peer_call, peer_card

GAME: Final = "bridge(use_double_dummy_result=false)"
PEER, OWN = "ismcts", "junto"
PAIRINGS: Final = ((PEER, PEER), (PEER, OWN), (OWN, PEER), (OWN, OWN))
CONTRACTS: Final = ("3NT", "suit game")
NO_TRUMPS: Final = 4
MOST: Final = 10_000_000
Row = dict[str, Any]


@dataclass(slots=True)
class Clock:
    """CPU seconds of the decisions of a side."""

    decisions: int = 0
    seconds: float = 0.0


peer_clock = Clock()
"""Of all decisions of ISMCTSBot in this process."""


def main() -> int:
    """Play what is not in the file yet, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = whole_number(1, MOST)
    parser.add_argument("--deals", type=number, default=100)
    parser.add_argument("--first", type=whole_number(0, MOST), default=0, help="number of the first deal")
    parser.add_argument("--strategy", default="pimc")
    parser.add_argument("--times", type=float, default=2.5, help="Junto's limit for a decision, ISMCTSBot's mean is 1")
    parser.add_argument("--seconds", type=time_s(60.0), help="Junto's limit for a decision in wall-clock time, instead")
    parser.add_argument("--simulations", type=number, default=1000, help="ISMCTSBot's for a decision")
    parser.add_argument("--jobs", type=whole_number(1, 1_000), default=2)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results, to go on from")
    options = parser.parse_args()
    if find_spec("pyspiel") is None:
        print("the package open-spiel is not installed: uv pip install --group peers", file=sys.stderr)
        return 2
    numbers = range(options.first, options.first + options.deals)
    try:
        with opened(options.out, spec_of(options)) as results:
            waiting = [number for number in numbers if number not in results.by_deal]
            with ProcessPoolExecutor(options.jobs, initializer=warm_up) as workers:
                for record in workers.map(partial(play_deal, options), waiting):
                    results.add(record)
            records = [results.by_deal[number] for number in numbers]
    except MeasurementError as error:
        print(f"bridge_ismcts: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report(records, options)))
    return 0


def spec_of(options: argparse.Namespace) -> Spec:
    """Return what the results are kept under."""
    limit = f"seconds={options.seconds:g}" if options.seconds else f"times={options.times:g}"
    peer = f"open-spiel {version('open-spiel')}"
    return Spec(
        "ismcts", "bridge", f"{options.strategy}:{limit}", f"ismcts:simulations={options.simulations}", {"peer": peer}
    )


def warm_up() -> None:
    """Load what a first decision would."""
    strategy.warm_up()
    wait_for_the_solver()


def play_deal(options: argparse.Namespace, number: int) -> dict[str, Any]:
    """Play a deal in both contracts; return its line of results."""
    return {
        "deal": number,
        "code": CODE,
        "contracts": {contract: play_contract(options, number, contract) for contract in CONTRACTS},
    }


def play_contract(options: argparse.Namespace, number: int, contract: str) -> list[Row]:
    """Play a deal in a contract by all four pairings; return tricks, scores and what the decisions took."""
    if options.seconds is None:
        time.monotonic = time.process_time
    pack = list(range(52))
    random.Random(number).shuffle(pack)
    hands = [pack[13 * seat : 13 * seat + 13] for seat in range(4)]
    declarer, strain = (0, NO_TRUMPS) if contract == "3NT" else trump_game(hands)
    games = []
    for pairing in PAIRINGS:
        clocks = {PEER: Clock(), OWN: Clock()}
        tricks, score = play(
            options, number, hands, declarer, Bid(3 if strain == NO_TRUMPS else 4, strain), pairing, clocks
        )
        took = {who: [clock.decisions, round(clock.seconds, 4)] for who, clock in clocks.items()}
        games.append({"declarer": pairing[0], "defence": pairing[1], "tricks": tricks, "score": score, "took": took})
    return games


def trump_game(hands: Sequence[Sequence[Card]]) -> tuple[int, int]:
    """Return who declares which suit: the longest that two partners hold together, by the one who has more of it."""
    lengths = [[sum(card // 13 == suit for card in hand) for suit in range(4)] for hand in hands]

    def together(choice: tuple[int, int]) -> tuple[int, int]:
        seat, suit = choice
        return lengths[seat][suit] + lengths[seat ^ 2][suit], lengths[seat][suit]

    return max(itertools.product(range(4), range(4)), key=together)


def play(
    options: argparse.Namespace,
    number: int,
    hands: Sequence[Sequence[Card]],
    declarer: int,
    bid: Bid,
    pairing: tuple[str, str],
    clocks: dict[str, Clock],
) -> tuple[int, int]:
    """Play a contract once; return declarer's tricks and his side's score. Both sets of rules see every card."""
    deal, state = auctioned(hands, declarer, bid)
    own, peer = find_strategy(options.strategy), peer_bot(options.simulations, number)
    while not deal.is_over:
        assert deal.prompt is not None
        assert deal.prompt.choices.play is not None
        assert deal.to_act is not None
        cards = deal.prompt.choices.play.cards
        assert sorted(map(peer_card, cards)) == state.legal_actions()
        card = cards[0]
        if len(cards) > 1:
            who = pairing[(deal.to_act - declarer) % 2]
            began = time.process_time()
            if who == PEER:
                card = own_card(peer.step(state))
            else:
                seed = hash((number, deal.shared.number, state.move_number()))
                seconds = options.seconds or options.times * peer_clock.seconds / peer_clock.decisions
                action = own.decide(untold(deal.view(deal.to_act)), Budget(seconds, seed=seed)).action
                wait_for_the_solver()
                assert isinstance(action, Play)
                card = action.card
            for clock in (clocks[who], *([peer_clock] if who == PEER else [])):
                clock.decisions += 1
                clock.seconds += time.process_time() - began
        state.apply_action(peer_card(card))
        deal = deal.apply(Play(card)).deal
    return deal.taken, int(state.returns()[declarer])


def wait_for_the_solver() -> None:
    """Wait until the solver's one thread has nothing left to do.

    A decision may leave behind a world that takes too long. It is solved to its end on the clock of who began it.
    """
    most_tricks([1, 2, 4, 8], NO_TRUMPS, 0)


def auctioned(hands: Sequence[Sequence[Card]], declarer: int, bid: Bid) -> tuple[Any, Any]:
    """Return a `BridgeDeal` after an auction of one bid, and OpenSpiel's state. North deals, nobody is vulnerable."""
    import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415  # only where it is installed

    deal: Any = Bridge({"first_caller": "dealer", "vulnerability": "none"}).deal_hands(1, hands).deal
    state = pyspiel.load_game(GAME).new_initial_state()
    for place in range(52):
        state.apply_action(peer_card(hands[place % 4][place // 4]))
    calls: list[Action] = [*[Pass()] * declarer, bid, *[Pass()] * 3]
    for call in calls:
        state.apply_action(peer_call(state, call))
        deal = deal.apply(call).deal
    return deal, state


def untold(view: View) -> View:
    """Return a view without the calls: what they would tell of the hands is not so."""
    return replace(view, shared=replace(view.shared, calls=()))


def report(records: Sequence[Record], options: argparse.Namespace) -> dict[str, object]:
    """Return the figures of all that was played."""
    rows = [
        {"deal": record["deal"], "contract": contract, "games": games}
        for record in records
        for contract, games in record["contracts"].items()
    ]
    figure: dict[str, object] = {
        "bench": "peers/bridge_ismcts",
        "game": "bridge",
        "peer": f"open-spiel {version('open-spiel')}, ISMCTSBot, {options.simulations} simulations",
        "candidate": options.strategy,
        "limit": f"{options.seconds} s" if options.seconds else f"{options.times} times the peer's mean CPU time",
        "deals": len(records),
        "codes": len({record["code"] for record in records}),
    }
    for contract in (*CONTRACTS, None):
        chosen = [row for row in rows if contract in (row["contract"], None)]
        figure[contract or "both"] = gains(chosen) if chosen else {}
    return figure | {"cpu": costs(rows)}


def gains(rows: Sequence[Row]) -> dict[str, object]:
    """Return what Junto takes more than the peer, as declarer and as defender, in tricks and in points a deal."""
    found: dict[str, object] = {}
    for measure in ("tricks", "score"):
        for role, other in itertools.product(("declarer", "defence"), (PEER, OWN)):
            by_deal = defaultdict(list)
            for row in rows:
                result = {(game["declarer"], game["defence"]): game[measure] for game in row["games"]}
                own, peer = ((OWN, other), (PEER, other)) if role == "declarer" else ((other, PEER), (other, OWN))
                by_deal[row["deal"]].append(result[own] - result[peer])
            found[f"{measure}, {role} against {other}"] = interval([statistics.fmean(of) for of in by_deal.values()])
    return found | {"mean_tricks": dict(mean_tricks(rows))}


def mean_tricks(rows: Sequence[Row]) -> Iterator[tuple[str, float]]:
    """Yield declarer's mean tricks of each pairing."""
    for place, (declarer, defence) in enumerate(PAIRINGS):
        mean = statistics.fmean(row["games"][place]["tricks"] for row in rows)
        yield f"{declarer} against {defence}", round(mean, 2)


def interval(values: Sequence[float]) -> dict[str, float | None]:
    """Return a mean with its 95 % interval, which a few deals have not."""
    told = mean_of(values)
    ends = (None if end is None else round(end, 3) for end in (told.low, told.high))
    return {"mean": round(told.value, 3), **dict(zip(("low", "high"), ends, strict=True))}


def costs(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return the CPU time of both: a decision in ms, and in seconds a deal that both sides play alike."""
    found = {}
    for who in (PEER, OWN):
        alike = [game for row in rows for game in row["games"] if game["declarer"] == game["defence"] == who]
        took = [game["took"][who] for row in rows for game in row["games"]]
        decisions, seconds = (sum(part) for part in zip(*took, strict=True))
        a_deal = statistics.fmean(game["took"][who][1] for game in alike)
        found[who] = {"decision_ms": round(seconds / decisions * 1e3, 2), "deal_s": round(a_deal, 3)}
    return found


if __name__ == "__main__":
    raise SystemExit(main())

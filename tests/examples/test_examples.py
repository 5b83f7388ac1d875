"""Each example plays: in a tournament's own way, in processes of their own, without a fault."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from examples.careful import Careful

from junto.arena.crew import Desk
from junto.arena.entrants import Entrant
from junto.arena.plan import Plan
from junto.arena.records import SittingRecord
from junto.arena.spec import Spec
from junto.games.catalog import open_game
from junto.games.shuffle import DealSeed
from junto.search.decisions import Budget
from junto.search.strategies import random_strategy
from junto.strategy.messages import decision_from
from junto.strategy.serving import Decides

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
NAPOLEON = open_game("napoleon-tw")


def played(game: str, strategy: str, deals: int = 1, iterations: int | None = None) -> list[SittingRecord]:
    """Return the sittings of a small tournament of a strategy against the rules of thumb."""
    it = Entrant("it", strategy, iterations=iterations, patience_s=60.0)
    plan = Plan(Spec(game, (Entrant("greedy", "greedy"), it), deals=deals, seed=7))
    desk = Desk(plan)
    try:
        return list(desk.play([sitting for deal in range(deals) for sitting in plan.of_deal(deal)]).records)
    finally:
        desk.close()


def faults(records: list[SittingRecord]) -> list[str]:
    """Return what went wrong, of those who are not the first entrant."""
    assert sum(len(seat.micros) for record in records for seat in record.seats if seat.entrant == 1) > 0
    return [fault.reason for record in records for seat in record.seats for fault in seat.faults]


@contextmanager
def service(*command: str) -> Iterator[str]:
    """The address of a service that a command starts, which says where it listens."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout
            yield "grpc://" + process.stdout.readline().removeprefix("listening at ").strip()
        finally:
            process.kill()


def test_careful_plays_without_a_fault() -> None:
    """The strategy in a file, in a process for each of its seats."""
    assert faults(played("napoleon-tw", f"{EXAMPLES}/careful.py:Careful", deals=2)) == []


def test_careful_is_better_than_chance() -> None:
    """Over all seats of a few deals among random players it scores far more than a random player there."""
    gains = [
        statistics.fmean(
            score(number, seat, Careful()) - score(number, seat, random_strategy) for seat in range(NAPOLEON.seats)
        )
        for number in range(8)
    ]

    assert statistics.fmean(gains) > 3 * statistics.stdev(gains) / len(gains) ** 0.5


def score(number: int, seat: int, who: Decides) -> int:
    """Return what a strategy scores in a seat of a deal among random players."""
    seed = DealSeed(number.to_bytes(32, "big"), (b"",) * NAPOLEON.seats)
    deal, step = NAPOLEON.deal(NAPOLEON.new_match().opened(), seed).deal, 0
    while not deal.is_over:
        assert deal.to_act is not None
        view = deal.view(deal.to_act)
        player = who if view.seat == seat else random_strategy
        answer = player.decide(view, Budget(iterations=1, seed=1000 * number + step))
        deal, step = deal.apply(decision_from(answer, NAPOLEON).action).deal, step + 1
    return deal.scores[seat] if deal.scores else 0


@pytest.mark.parametrize("game", ["whist", "napoleon-tw", "hundred"])
def test_the_python_service_plays_without_a_fault(game: str) -> None:
    """A service made of gRPC and the API's messages alone."""
    with service(sys.executable, str(EXAMPLES / "python_service/server.py"), "127.0.0.1:0") as address:
        assert faults(played(game, address)) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("game", ["whist", "napoleon-tw", "hundred"])
def test_the_typescript_service_plays_without_a_fault(game: str) -> None:
    """A service in another language, as it was built: it needs Node and nothing else."""
    with service("node", str(EXAMPLES / "typescript_service/built/server.js"), "0") as address:
        assert faults(played(game, address)) == []


@pytest.mark.skipif(find_spec("rlcard") is None, reason="the package rlcard is not installed")
def test_rlcards_rule_bot_plays_without_a_fault() -> None:
    """RLCard's bot for Dou Dizhu, as an outside strategy."""
    assert faults(played("dou-dizhu", f"{EXAMPLES}/rlcard_doudizhu_rule/rule_bot.py:RuleBot", deals=2)) == []


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="the package open-spiel is not installed")
def test_openspiels_bot_plays_without_a_fault() -> None:
    """OpenSpiel's bot for bridge, as an outside strategy, with few simulations."""
    assert faults(played("bridge", f"{EXAMPLES}/openspiel_bot/ismcts.py:Ismcts", deals=2, iterations=5)) == []

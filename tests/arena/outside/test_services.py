"""A strategy behind an address: what it answers, how it fails, and where it may be."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import grpc
import pytest
from tests.arena.outside.houses import GAME, answer, failure, first_view

from junto.arena.deciding import Chair
from junto.arena.entrants import Entrant
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.entries import open_entry
from junto.arena.outside.fingerprints import fingerprint
from junto.arena.records import Failing
from junto.games.actions import Pass
from junto.games.catalog import open_game
from junto.search.decisions import Budget, Decision, Evaluation
from junto.strategy.serving import NotServed, StrategyServer


class Serving:
    """Behaves in the way that the budget's seed is the number of."""

    games = ("napoleon-tw",)

    def __init__(self) -> None:
        self.held = threading.Event()

    def decide(self, view: Any, budget: Budget) -> Any:
        match budget.seed:
            case 1:
                raise ValueError("no idea what to play")
            case 2:
                self.held.wait(20)
            case 3:
                return "I would rather not"
            case 4:
                return Decision(Pass(), (Evaluation(Pass(), 1.5, visits=3),), worlds=7)
        return "pass"


@contextmanager
def served(strategy: Any, waited_s: float = 20.0) -> Iterator[Chair]:
    """A chair of a strategy that is served."""
    with StrategyServer(strategy, "127.0.0.1:0") as server:
        entry = open_entry(Entrant("it", f"grpc://{server.address}", patience_s=waited_s), GAME)
        with closing(entry):
            yield entry.sit()


def test_a_decision_crosses_whole() -> None:
    """What a served strategy decides arrives with its reasons."""
    with served(Serving()) as chair:
        decision = chair.decide(first_view(), Budget(iterations=1, seed=4))

        assert decision == Decision(Pass(), (Evaluation(Pass(), 1.5, visits=3),), worlds=7)
        assert answer(chair) == Pass()


def test_what_fails_is_told() -> None:
    """An exception, and what is no decision, are told with their sentence; the next decision is made."""
    with served(Serving()) as chair:
        raised, garbled = failure(chair, 1), failure(chair, 3)

        assert (raised.failing, str(raised)) == (Failing.RAISED, "INTERNAL: ValueError: no idea what to play")
        assert garbled.failing is Failing.RAISED
        assert "it answered 'I would rather not'" in str(garbled)
        assert answer(chair) == Pass()


def test_who_is_late_is_not_waited_for_and_given_up_in_the_end() -> None:
    """After three late answers a seat is not asked any more in this sitting."""
    strategy = Serving()
    with served(strategy, waited_s=0.2) as chair:
        failed = [failure(chair, 2).failing for _ in range(4)]
        strategy.held.set()

    assert failed == [Failing.LATE] * 3 + [Failing.GIVEN_UP]


def test_a_service_that_ends_is_told() -> None:
    """It is tried once more, then it is gone."""
    with StrategyServer(Serving(), "127.0.0.1:0") as server:
        entry = open_entry(Entrant("it", f"grpc://{server.address}"), GAME)
    with closing(entry):
        failed = failure(entry.sit(), 0)

    assert failed.failing is Failing.DIED
    assert str(failed).startswith("it cannot be reached")


@contextmanager
def answering(answers: dict[str, bytes]) -> Iterator[str]:
    """The address of a service that answers the same bytes to every call of a method."""

    class Same(grpc.GenericRpcHandler):
        def service(self, details: Any) -> Any:
            body = answers.get(details.method.rpartition("/")[2])
            return None if body is None else grpc.unary_unary_rpc_method_handler(lambda *_: body)

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Same()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize(
    ("decided", "failing"), [(b"\xff\xff", Failing.GARBLED), (bytes(2 << 20), Failing.RAISED), (b"", Failing.GARBLED)]
)
def test_bytes_that_are_no_decision_are_told(decided: bytes, failing: Failing) -> None:
    """What cannot be read is garbled; what is too long is not taken in."""
    described = b"\x0a\x0d" + b"\x22\x0bnapoleon-tw"
    answers = {"DescribeStrategy": described, "Decide": decided}
    with answering(answers) as address, closing(open_entry(Entrant("it", address), GAME)) as entry:
        assert failure(entry.sit(), 0).failing is failing


def test_who_does_not_fit_is_refused() -> None:
    """Nothing there, something else there, another game, another machine without TLS: each in a sentence."""
    with StrategyServer(Serving(), "127.0.0.1:0") as server, answering({}) as other:
        for address, game, sentence in (
            ("grpc://127.0.0.1:1", "napoleon-tw", "nothing answers at grpc://127.0.0.1:1"),
            (other, "napoleon-tw", f"what answers at {other} is no junto.v1.StrategyService"),
            (f"grpc://{server.address}", "whist", "does not play whist; it plays napoleon-tw"),
            ("grpc://192.0.2.1:7000", "whist", "write grpcs://192.0.2.1:7000, and serve it by TLS"),
        ):
            with pytest.raises(StrategyUnfit, match=sentence):
                open_entry(Entrant("it", address), open_game(game))


def test_a_service_is_not_opened_to_other_machines_without_credentials() -> None:
    """Nor where something listens already."""
    with pytest.raises(NotServed, match="pass credentials for TLS"):
        StrategyServer(Serving(), "0.0.0.0:0")
    with StrategyServer(Serving(), "127.0.0.1:0") as server, pytest.raises(NotServed, match="nothing can listen"):
        StrategyServer(Serving(), server.address)


def test_its_fingerprint_is_what_it_tells() -> None:
    """Its id and version."""
    with StrategyServer(Serving(), "127.0.0.1:0", version="2026-11") as server:
        assert fingerprint(Entrant("it", f"grpc://{server.address}")) == "serving 2026-11"

"""Lets a strategy in Python be asked over gRPC: a `junto.v1.StrategyService`."""

from __future__ import annotations

import ipaddress
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final, NoReturn, Protocol, Self

import grpc

from junto.games.catalog import GAMES
from junto.games.core import View
from junto.search.decisions import Budget
from junto.strategy.messages import NoDecision, budget_of, decision_from, decision_message
from junto.v1 import catalog_pb2, strategies_pb2, strategies_pb2_grpc
from junto.wire.errors import WireError
from junto.wire.requests import read_request

_SENTENCE: Final = 400


class Decides(Protocol):
    """What can be served: `decide` returns an action, its text (`play HT`), or a `Decision`."""

    def decide(self, view: View, budget: Budget) -> Any:
        """Decide for the seat to act."""
        ...


class NotServed(Exception):
    """A strategy cannot be served at an address; the message says why."""


class StrategyServer:
    """A strategy that is served, until it is stopped. See `serve`.

    Raises:
        NotServed: the address is taken, or is not of this machine and there are no credentials.
    """

    def __init__(
        self,
        strategy: Decides,
        address: str,
        *,
        title: str = "",
        version: str = "",
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        self._server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.so_reuseport", 0)])
        described = catalog_pb2.Strategy(
            id=type(strategy).__name__.lower(),
            title=title or type(strategy).__name__,
            version=version,
            game_ids=sorted(getattr(strategy, "games", GAMES)),
        )
        strategies_pb2_grpc.add_StrategyServiceServicer_to_server(_Servicer(strategy, described), self._server)
        self.address = self._listen(address, credentials)
        self._server.start()

    def _listen(self, address: str, credentials: grpc.ServerCredentials | None) -> str:
        host, _, _ = address.rpartition(":")
        if credentials is None and not is_loopback(host):
            raise NotServed(f"{address} can be reached from other machines: pass credentials for TLS")
        try:
            if credentials is None:
                port = self._server.add_insecure_port(address)
            else:
                port = self._server.add_secure_port(address, credentials)
        except RuntimeError as problem:
            raise NotServed(f"nothing can listen at {address}: {problem}") from None
        return f"{host}:{port}"

    def stop(self) -> None:
        """Stop; what is being decided is decided."""
        self._server.stop(None).wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def serve(strategy: Decides, address: str = "127.0.0.1:7000", **described: Any) -> None:
    """Serve a strategy until this process is interrupted or told to end; one decision at a time.

    `described` is passed to `StrategyServer`: `title`, `version`, `credentials`.

    Raises:
        NotServed: the address is taken, or is not of this machine and there are no credentials.
    """
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with StrategyServer(strategy, address, **described):
        stopped.wait()


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, for this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _Servicer(strategies_pb2_grpc.StrategyServiceServicer):
    def __init__(self, strategy: Decides, described: catalog_pb2.Strategy) -> None:
        self._strategy = strategy
        self._described = described

    def DescribeStrategy(  # noqa: N802  # as the API names it
        self,
        request: strategies_pb2.DescribeStrategyRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> strategies_pb2.DescribeStrategyResponse:
        return strategies_pb2.DescribeStrategyResponse(strategy=self._described)

    def Decide(  # noqa: N802  # as the API names it
        self, request: strategies_pb2.DecideRequest, context: grpc.ServicerContext
    ) -> strategies_pb2.DecideResponse:
        try:
            view, budget = read_request(request), budget_of(request.budget)
        except (WireError, ValueError) as problem:
            _refuse(context, grpc.StatusCode.INVALID_ARGUMENT, str(problem))
        try:
            decision = decision_from(self._strategy.decide(view, budget), view.game)
            return strategies_pb2.DecideResponse(decision=decision_message(decision))
        except NoDecision as problem:
            _refuse(context, grpc.StatusCode.INTERNAL, str(problem))
        except Exception as problem:  # noqa: BLE001  # other people's code: whoever asks is told
            _refuse(context, grpc.StatusCode.INTERNAL, f"{type(problem).__name__}: {problem}")


def _refuse(context: grpc.ServicerContext, code: grpc.StatusCode, sentence: str) -> NoReturn:
    context.abort(code, sentence[:_SENTENCE])
    raise AssertionError("unreachable: `abort` raises")

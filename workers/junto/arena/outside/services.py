"""A strategy behind an address: a `junto.v1.StrategyService` in any language, on any machine."""

from __future__ import annotations

import time
from typing import Final

import grpc
from google.protobuf.message import DecodeError

from junto.arena.deciding import SeatFailed
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.frames import MOST_ANSWERED
from junto.arena.outside.processes import MOST_ENDED, decision_id
from junto.arena.records import Failing
from junto.games.core import View
from junto.search.decisions import Budget, Decision
from junto.strategy.messages import budget_message, decision_of
from junto.strategy.serving import is_loopback
from junto.v1.catalog_pb2 import Strategy
from junto.v1.strategies_pb2 import DecideResponse, DescribeStrategyRequest, DescribeStrategyResponse
from junto.wire.requests import request_bytes

ANSWERING_S: Final = 10.0
"""So long a service may take to say who it is."""
_DECIDE: Final = "/junto.v1.StrategyService/Decide"
_DESCRIBE: Final = "/junto.v1.StrategyService/DescribeStrategy"
_OPTIONS: Final = (("grpc.max_receive_message_length", MOST_ANSWERED), ("grpc.enable_http_proxy", 0))
_SENTENCE: Final = 400


class ServiceEntry:
    """An entrant whose strategy is behind an address. See `junto.arena.deciding.Entry`.

    Raises:
        StrategyUnfit: nothing answers there, or it does not play the game.
    """

    def __init__(self, address: str, waited_s: float, game_id: str) -> None:
        self.waited_s = waited_s
        self._channel = open_channel(address)
        try:
            games = describe(self._channel, address).game_ids
            if game_id not in games:
                raise StrategyUnfit(f"{address} does not play {game_id}; it plays {', '.join(games) or 'nothing'}")  # noqa: TRY301
        except StrategyUnfit:
            self.close()
            raise
        self._decide: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(_DECIDE)

    def sit(self) -> ServiceChair:
        """Return who decides for one more seat."""
        return ServiceChair(self)

    def close(self) -> None:
        """Hang up."""
        self._channel.close()

    def ask(self, request: bytes) -> bytes:
        """Return the answer to a request; if the service cannot be reached, it is tried once more.

        Raises:
            SeatFailed: there is none.
        """
        until = time.monotonic() + self.waited_s
        try:
            return self._call(request, until)
        except grpc.RpcError as problem:
            if problem.code() is not grpc.StatusCode.UNAVAILABLE:
                raise _failure(problem) from None
        try:
            return self._call(request, until)
        except grpc.RpcError as problem:
            raise _failure(problem) from None

    def _call(self, request: bytes, until: float) -> bytes:
        answer: bytes = self._decide(request, timeout=max(0.001, until - time.monotonic()))
        return answer


class ServiceChair:
    """Decides for one seat in one sitting. A request holds all that the seat knows, so nothing is kept between two."""

    def __init__(self, entry: ServiceEntry) -> None:
        self._entry = entry
        self._asked = 0
        self._lost = 0

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide; see `junto.arena.deciding.Chair`."""
        if self._lost >= MOST_ENDED:
            raise SeatFailed(Failing.GIVEN_UP, f"it did not answer {MOST_ENDED} times in this sitting")
        self._asked += 1
        request = request_bytes(view, decision_id(budget, view.seat, self._asked), budget_message(budget))
        try:
            return decision_of(DecideResponse.FromString(self._entry.ask(request)).decision)
        except (DecodeError, ValueError) as problem:
            raise SeatFailed(Failing.GARBLED, f"its answer cannot be read: {problem}"[:_SENTENCE]) from None
        except SeatFailed as failed:
            self._lost += failed.failing in {Failing.LATE, Failing.DIED}
            raise

    def leave(self) -> None:
        """Leave; the service is not told."""


def open_channel(address: str) -> grpc.Channel:
    """Return a channel to `grpc://host:port`, on this machine, or to `grpcs://host:port`, by TLS.

    Raises:
        StrategyUnfit: without TLS a service is asked on this machine only.
    """
    scheme, _, target = address.partition("://")
    if scheme == "grpcs":
        return grpc.secure_channel(target, grpc.ssl_channel_credentials(), _OPTIONS)
    if not is_loopback(target.rpartition(":")[0]):
        raise StrategyUnfit(f"{address} is another machine: write grpcs://{target}, and serve it by TLS")
    return grpc.insecure_channel(target, _OPTIONS)


def describe(channel: grpc.Channel, address: str) -> Strategy:
    """Return who a service says that it is.

    Raises:
        StrategyUnfit: it does not say.
    """
    ask = channel.unary_unary(_DESCRIBE, DescribeStrategyRequest.SerializeToString, DescribeStrategyResponse.FromString)
    try:
        answer: DescribeStrategyResponse = ask(DescribeStrategyRequest(), timeout=ANSWERING_S)
    except grpc.RpcError as problem:
        match problem.code():
            case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.DEADLINE_EXCEEDED:
                raise StrategyUnfit(f"nothing answers at {address}") from None
            case grpc.StatusCode.UNIMPLEMENTED:
                raise StrategyUnfit(f"what answers at {address} is no junto.v1.StrategyService") from None
            case _:
                raise StrategyUnfit(f"{address} does not say who it is: {problem.details()}") from None
    return answer.strategy


def _failure(problem: grpc.RpcError) -> SeatFailed:
    details = str(problem.details())[:_SENTENCE]
    match problem.code():
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return SeatFailed(Failing.LATE, "it did not answer in time")
        case grpc.StatusCode.UNAVAILABLE:
            return SeatFailed(Failing.DIED, f"it cannot be reached: {details}")
        case code:
            return SeatFailed(Failing.RAISED, f"{code.name}: {details}")

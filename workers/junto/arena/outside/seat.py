"""What the process of a seat does: requests in, decisions out, one after the other, until nobody asks any more."""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

from junto.arena.outside.frames import MOST_ASKED, BadFrame, Ended, Frame, Told, frame_bytes, receive, send
from junto.arena.outside.loading import NotLoaded, Source, made, told
from junto.strategy.messages import NoDecision, budget_of, decision_from, decision_message
from junto.v1.strategies_pb2 import DecideRequest, DecideResponse
from junto.wire.requests import read_request

_NUMPY_SEEDS: Final = 1 << 32
_NO_MEMORY: Final = 3
"""The exit code after memory was refused."""


def serve_seat(link: socket.socket, maker: Callable[[], Any], source: Source) -> None:
    """Make a strategy and let it decide whatever is asked over `link`, until that is closed."""
    try:
        strategy = made(maker, source)
        send(link, Frame(Told.READY))
        while True:
            asked = receive(link, MOST_ASKED)
            send(link, _answer(strategy, asked, source, link))
    except NotLoaded as problem:
        send(link, Frame(Told.RAISED, 0, str(problem).encode()))
    except (Ended, BadFrame):
        return


def _answer(strategy: Any, asked: Frame, source: Source, link: socket.socket) -> Frame:
    refused = frame_bytes(Frame(Told.MEMORY, asked.number))  # made while there is memory
    try:
        kind, body = _decided(strategy, asked.body, source)
    except MemoryError:
        os.write(link.fileno(), refused)
        os._exit(_NO_MEMORY)
    return Frame(kind, asked.number, body)


def _decided(strategy: Any, request: bytes, source: Source) -> tuple[Told, bytes]:
    message = DecideRequest.FromString(request)
    view, budget = read_request(message), budget_of(message.budget)
    _seed(budget.seed)
    try:
        answer = strategy.decide(view, budget)
    except MemoryError:
        raise
    except BaseException as problem:  # noqa: BLE001  # other people's code, up to SystemExit: its author is told
        return Told.RAISED, told(problem, source).encode()
    try:
        decision = decision_message(decision_from(answer, view.game))
        return Told.DECIDED, DecideResponse(decision=decision).SerializeToString()
    except NoDecision as problem:
        return Told.GARBLED, str(problem).encode()
    except (TypeError, ValueError, LookupError, AttributeError) as problem:
        return Told.GARBLED, f"its decision has a part that cannot be: {problem}"[:400].encode()


def _seed(seed: int | None) -> None:
    """Begin the generators that a strategy may draw from without thinking of it: so it decides alike another time."""
    if seed is None:
        return
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % _NUMPY_SEEDS)

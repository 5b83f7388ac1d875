"""What the process of a seat does: requests in, decisions out, one after the other, until nobody asks any more."""

from __future__ import annotations

import json
import os
import random
import socket
import sys
from typing import Any, Final

from junto.arena.outside.frames import MOST_ASKED, BadFrame, Ended, Frame, Told, frame_bytes, receive, send
from junto.arena.outside.loading import NotLoaded, Source, load, made, told
from junto.strategy.messages import NoDecision, budget_of, decision_from, decision_message
from junto.v1.strategies_pb2 import DecideRequest, DecideResponse
from junto.wire.requests import read_request

_NUMPY_SEEDS: Final = 1 << 32
_NO_MEMORY: Final = 3
"""The exit code after memory was refused."""


def serve_seat(link: socket.socket, source: Source, *, with_report: bool) -> None:
    """Load and make a strategy, and let it decide whatever is asked over `link`, until that is closed.

    Its own files run here, in each seat anew: what they keep, at their top or anywhere, is this seat's alone.
    """
    try:
        if source.folder:
            sys.path.insert(0, source.folder)
        target = load(source)
        strategy = made(target, source)
        send(link, Frame(Told.READY, 0, _report(target, source) if with_report else b""))
        while True:
            asked = receive(link, MOST_ASKED)
            send(link, _answer(strategy, asked, source, link))
    except NotLoaded as problem:
        send(link, Frame(Told.RAISED, 0, str(problem).encode(errors="replace")))
    except MemoryError:
        send(link, Frame(Told.MEMORY))
    except (Ended, BadFrame):
        return


def _report(target: Any, source: Source) -> bytes:
    """Return the games that a strategy says it plays, and what is loaded now besides its own files."""
    games = getattr(target, "games", None)
    named = sorted(map(str, games)) if isinstance(games, (list, tuple, set, frozenset)) else None
    own = {name.partition(".")[0] for name, module in list(sys.modules.items()) if _is_own(module, source)}
    others = [name for name in sys.modules if name.partition(".")[0] not in own]
    return json.dumps({"games": named, "modules": others}).encode()


def _is_own(module: object, source: Source) -> bool:
    file = getattr(module, "__file__", None)
    return bool(source.folder) and isinstance(file, str) and file.startswith(source.folder + os.sep)


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
        return Told.RAISED, told(problem, source).encode(errors="replace")
    try:
        decision = decision_message(decision_from(answer, view.game))
        return Told.DECIDED, DecideResponse(decision=decision).SerializeToString()
    except NoDecision as problem:
        return Told.GARBLED, str(problem).encode(errors="replace")
    except (TypeError, ValueError, LookupError, AttributeError) as problem:
        return Told.GARBLED, f"its decision has a part that cannot be: {problem}"[:400].encode(errors="replace")


def _seed(seed: int | None) -> None:
    """Begin the generators that a strategy may draw from without thinking of it: so it decides alike another time."""
    if seed is None:
        return
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % _NUMPY_SEEDS)

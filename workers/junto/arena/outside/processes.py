"""A strategy in processes of its own, one for each seat that it decides in."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
import time
import uuid
from dataclasses import dataclass, field
from typing import Final, NoReturn

from google.protobuf.message import DecodeError

from junto.arena.deciding import SeatFailed
from junto.arena.errors import StrategyUnfit
from junto.arena.outside.fences import fences
from junto.arena.outside.frames import MOST_ANSWERED, BadFrame, Ended, Frame, Told, TooLate, receive, send
from junto.arena.outside.imports import imported
from junto.arena.outside.limits import hide_memory
from junto.arena.outside.loading import Source
from junto.arena.outside.nursery import Child, Nursery, NurseryFailed
from junto.arena.records import Failing
from junto.games.core import View
from junto.search.decisions import Budget, Decision
from junto.strategy.messages import budget_message, decision_of
from junto.v1.strategies_pb2 import DecideResponse
from junto.wire.requests import request_bytes

MOST_ENDED: Final = 3
"""So often the process of a seat may have to be ended in a sitting; then it is not asked any more."""
LOADING_S: Final = 60.0
"""So long it may take to load a strategy for the first time, with all that it imports."""
BEGINNING_S: Final = 20.0
"""So long a seat's process may take to begin, with all that is installed imported before."""
_GRACE_S: Final = 0.5
_MEMORY: Final = "it asked for more memory than it may have"
_NO_ANSWER: Final = "it sent a message that is no answer"
_SENTENCE: Final = 500
_LONGEST_NAME: Final = 200


class ProcessEntry:
    """An entrant whose strategy runs in processes of its own. See `junto.arena.deciding.Entry`.

    Raises:
        StrategyUnfit: it cannot be loaded or made, or does not play the game, or this is not Linux.
    """

    def __init__(self, source: Source, waited_s: float, game_id: str) -> None:
        if sys.platform != "linux":
            raise StrategyUnfit(
                f"{source.title} cannot be played on this system: strategies have processes of their own on Linux "
                "alone; serve it, and name its address (grpc://host:port)"
            )
        self.waited_s = waited_s
        self._source = source
        self._modules = imported(source)
        if not fences().landlock:
            hide_memory()  # nothing else keeps a seat's process from looking into this one
        self._nursery = Nursery(source)
        try:
            self._preload()
            report = self._try_out()
            if report.games is not None and game_id not in report.games:
                self._refuse(f"{source.title} does not play {game_id}; it plays {', '.join(report.games) or 'nothing'}")
            self._modules = report.modules
            self._preload()
        except NurseryFailed as problem:
            self.close()
            raise StrategyUnfit(f"{source.title} cannot be loaded: {problem}") from None
        except StrategyUnfit:
            self.close()
            raise

    def sit(self) -> ProcessChair:
        """Return who decides for one more seat; its process begins now, on no decision's time."""
        chair = ProcessChair(self)
        chair.prepare()
        return chair

    def close(self) -> None:
        """End all its processes."""
        self._nursery.close()

    def begin(self) -> Seat:
        """Start the process of a seat, with a new zygote if need be.

        Raises:
            SeatFailed: it cannot be started.
        """
        try:
            return Seat(self._nursery)
        except NurseryFailed:
            self._nursery.close()
        try:
            self._nursery = Nursery(self._source)
            self._preload()
            return Seat(self._nursery)
        except NurseryFailed as problem:
            raise SeatFailed(Failing.DIED, str(problem)) from None

    def _try_out(self) -> Report:
        seat = Seat(self._nursery, is_trial=True)
        try:
            return seat.wait(time.monotonic() + LOADING_S)
        except Lost as problem:
            match problem.failing:
                case Failing.RAISED:
                    self._refuse(str(problem))
                case Failing.LATE:
                    self._refuse(f"{self._source.title} was not loaded after {LOADING_S:g} seconds")
                case _:
                    self._refuse(f"{self._source.title} cannot be loaded: {problem}")
        finally:
            seat.end()

    def _preload(self) -> None:
        """Load once what all seats need; if that starts threads, which do not live on in a fork, each loads for itself.

        Raises:
            NurseryFailed: the zygote fails over it.
        """
        if not self._nursery.preload(self._modules):
            self._nursery.close()
            self._modules = []
            self._nursery = Nursery(self._source)

    def _refuse(self, sentence: str) -> NoReturn:
        raise StrategyUnfit(sentence)


@dataclass(frozen=True, slots=True)
class Report:
    """What the process of a seat tells when it is ready: games that it plays (None: it does not say), its modules."""

    games: list[str] | None = None
    modules: list[str] = field(default_factory=list)


class Lost(SeatFailed):
    """A seat failed in a way that its process is not asked again."""


class Seat:
    """The process of one seat, as long as it lives.

    Raises:
        NurseryFailed: it cannot be started.
    """

    def __init__(self, nursery: Nursery, *, is_trial: bool = False) -> None:
        self._nursery = nursery
        self._child: Child | None = nursery.fork(is_trial=is_trial)
        self._is_made = False
        self._asked = 0

    def wait(self, until: float) -> Report:
        """Wait until the strategy is made; return what it tells, if this is a trial.

        Raises:
            Lost: it cannot be.
        """
        frame = self._hear(until)
        match frame.kind:
            case Told.READY:
                self._is_made = True
                return _report(frame.body)
            case Told.RAISED:
                raise Lost(Failing.RAISED, _sentence(frame))
            case Told.MEMORY:
                raise Lost(Failing.MEMORY, _MEMORY)
            case _:
                raise Lost(Failing.GARBLED, _NO_ANSWER)

    def be_made(self, within_s: float) -> None:
        """Wait until the strategy is made, if it is not.

        Raises:
            Lost: it cannot be.
        """
        if not self._is_made:
            self.wait(time.monotonic() + within_s)

    def ask(self, request: bytes, waited_s: float) -> Decision:
        """Return what the strategy decides within that time, not counting the time that it takes to begin.

        Raises:
            Lost: its process is of no use any more.
            SeatFailed: it failed in another way.
        """
        self._signal(signal.SIGCONT)
        self.be_made(max(waited_s, BEGINNING_S))
        until = time.monotonic() + waited_s
        self._asked += 1
        self._send(request, until)
        frame = self._hear(until)
        self.rest()
        if frame.number != self._asked:
            raise Lost(Failing.GARBLED, "it answered another decision than it was asked for")
        match frame.kind:
            case Told.DECIDED:
                return _decision(frame.body)
            case Told.RAISED:
                raise SeatFailed(Failing.RAISED, _sentence(frame))
            case Told.GARBLED:
                raise SeatFailed(Failing.GARBLED, _sentence(frame))
            case Told.MEMORY:
                raise Lost(Failing.MEMORY, _MEMORY)
            case _:
                raise Lost(Failing.GARBLED, _NO_ANSWER)

    def rest(self) -> None:
        """Halt the process until it is asked again: nobody thinks in the others' time."""
        self._signal(signal.SIGSTOP)

    def _signal(self, number: signal.Signals) -> None:
        if self._child is not None:
            self._nursery.signal(self._child, number)

    def end(self) -> None:
        """End the process, if it has not ended yet."""
        self._end(0.0)

    def _send(self, request: bytes, until: float) -> None:
        assert self._child is not None
        try:
            send(self._child.link, Frame(Told.ASKED, self._asked, request), until)
        except TooLate:
            raise Lost(Failing.LATE, "it did not read what it was asked") from None
        except Ended:
            raise Lost(Failing.DIED, self._end(_GRACE_S)) from None

    def _hear(self, until: float) -> Frame:
        assert self._child is not None
        try:
            return receive(self._child.link, MOST_ANSWERED, until)
        except TooLate:
            raise Lost(Failing.LATE, "it did not answer in time") from None
        except BadFrame as problem:
            raise Lost(Failing.GARBLED, str(problem)) from None
        except Ended:
            raise Lost(Failing.DIED, self._end(_GRACE_S)) from None

    def _end(self, grace_s: float) -> str:
        child, self._child = self._child, None
        if child is None:
            return ""
        try:
            return self._nursery.end(child, grace_s).reason
        except NurseryFailed as problem:
            self._nursery.close()
            return str(problem)


class ProcessChair:
    """Decides for one seat in one sitting, in a process that nobody else is told anything in."""

    def __init__(self, entry: ProcessEntry) -> None:
        self._entry = entry
        self._seat: Seat | None = None
        self._asked = 0
        self._ended = 0

    def prepare(self) -> None:
        """Begin its process. If that fails, its first decision tries again, and tells."""
        try:
            self._seat = self._entry.begin()
            self._seat.be_made(BEGINNING_S)
            self._seat.rest()
        except SeatFailed:
            self.leave()

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide; see `junto.arena.deciding.Chair`."""
        if self._ended >= MOST_ENDED:
            raise SeatFailed(Failing.GIVEN_UP, f"its process had to be ended {MOST_ENDED} times in this sitting")
        self._asked += 1
        request = request_bytes(view, decision_id(budget, view.seat, self._asked), budget_message(budget))
        try:
            if self._seat is None:
                self._seat = self._entry.begin()
            return self._seat.ask(request, self._entry.waited_s)
        except Lost:
            self._ended += 1
            self.leave()
            raise

    def leave(self) -> None:
        """End its process."""
        if self._seat is not None:
            self._seat.end()
            self._seat = None


def decision_id(budget: Budget, seat: int, asked: int) -> str:
    """Return a UUID that follows from a budget's seed: the same another time."""
    words = f"{budget.seed_or_new()} {seat} {asked}".encode()
    return str(uuid.UUID(bytes=hashlib.sha256(words).digest()[:16], version=4))


def _decision(body: bytes) -> Decision:
    try:
        return decision_of(DecideResponse.FromString(body).decision)
    except (DecodeError, ValueError) as problem:
        raise Lost(Failing.GARBLED, f"its answer cannot be read: {problem}"[:_SENTENCE]) from None


def _report(body: bytes) -> Report:
    try:
        told = json.loads(body) if body else {}
        games, modules = told.get("games"), told.get("modules", [])
        names = [str(name) for name in modules if len(str(name)) <= _LONGEST_NAME]
        return Report(None if games is None else list(map(str, games)), names)
    except (ValueError, TypeError, AttributeError):
        raise Lost(Failing.GARBLED, _NO_ANSWER) from None


def _sentence(frame: Frame) -> str:
    return frame.body.decode(errors="replace")[:_SENTENCE]

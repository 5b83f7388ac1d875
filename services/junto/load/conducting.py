"""What conducts the moves of one generator: arrivals over all tables, or every table's own pace.

Both make a move at the moment at which it was meant to be made, or, if its turn comes later, as soon as it comes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Iterable
from typing import Any

from junto.load.arrivals import Turnstile, poisson
from junto.load.pace import Pace, Turn
from junto.load.profile import Think
from junto.load.recording import Move, Recorder
from junto.load.tables import Chair


class Moves:
    """The moves under way, each a task."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on by itself."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._over)

    def make(self, chair: Chair, intended_s: float, turn_s: float) -> None:
        """Make a move now."""
        move = Move(intended_s, turn_s)
        self._recorder.meant(move)
        self.start(chair.move(move))

    async def cancel(self) -> None:
        """End all that goes on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.result()  # a fault of ours is told by the loop


class Arrivals:
    """Moves arrive by a Poisson process, and go to whoever has waited longest with a turn.

    A person who thinks is not found until they have thought.

    Args:
        think: how long people think at least before they can make a move.
        recorder: what happens is noted there.
        draw: the arrivals' and think times' randomness.
    """

    def __init__(self, think: Think, recorder: Recorder, draw: random.Random) -> None:
        self._think = think
        self._recorder = recorder
        self._draw = draw
        self._turnstile: Turnstile[Chair] = Turnstile()
        self._since: dict[Chair, float] = {}
        self.moves = Moves(recorder)

    def turn(self, chair: Chair, turn: Turn) -> None:
        """Take a turn of a person."""
        think_s = self._draw.uniform(self._think.least_s, self._think.most_s)
        self._since[chair] = turn.known_s + think_s
        if think_s:
            self.moves.start(self._thought(chair, self._since[chair]))
        else:
            self._ready(chair)

    def gone(self, chair: Chair) -> None:
        """Forget a seat whose table is over."""
        self._turnstile.leave(chair)
        self._since.pop(chair, None)

    async def play(self, begin_s: float, end_s: float, rate: float, draw: random.Random) -> None:
        """Let moves arrive from `begin_s` to `end_s`."""
        for moment_s in poisson(rate, begin_s, end_s, draw):
            wait_s = moment_s - self._recorder.clock()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            chair = self._turnstile.arrive(moment_s)
            if chair is not None:
                self.moves.make(chair, moment_s, self._since[chair])

    @property
    def turns(self) -> int:
        """How many tables have come to a turn of a person, before anything is played."""
        return len(self._since)

    @property
    def waiting(self) -> int:
        """How many arrivals wait for a turn now."""
        return self._turnstile.waiting

    @property
    def is_done(self) -> bool:
        """Whether every arrival has found its turn."""
        return not self._turnstile.waiting

    def close(self, _: float) -> Iterable[float]:
        """Give up the arrivals that found no turn, and return their moments."""
        return self._turnstile.give_up()

    async def _thought(self, chair: Chair, ready_s: float) -> None:
        await asyncio.sleep(max(0.0, ready_s - self._recorder.clock()))
        if chair in self._since:
            self._ready(chair)

    def _ready(self, chair: Chair) -> None:
        intended_s = self._turnstile.turn(chair)
        if intended_s is not None:
            self.moves.make(chair, intended_s, self._since[chair])


class Paces:
    """Every table keeps its own pace; see `junto.load.pace`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._standing: dict[Chair, Turn] = {}
        self._chairs: set[Chair] = set()
        self._end_s = 0.0
        self.moves = Moves(recorder)

    def turn(self, chair: Chair, turn: Turn) -> None:
        """Take a turn of a person."""
        self._chairs.add(chair)
        intended_s = chair.pace.intended(turn) if self._end_s else 0.0
        if self._end_s and intended_s < self._end_s:
            move = Move(intended_s, turn.known_s)
            self._recorder.meant(move)  # at once: a phase that ends now has to wait for it
            self.moves.start(self._due(chair, move))
        else:
            chair.pace.restart()
            self._standing[chair] = turn

    def gone(self, chair: Chair) -> None:
        """Forget a seat whose table is over."""
        self._chairs.discard(chair)
        self._standing.pop(chair, None)

    async def play(self, begin_s: float, end_s: float, _: float, __: random.Random) -> None:
        """Let everybody play from `begin_s` to `end_s`."""
        self._end_s = end_s
        for chair in list(self._standing):
            self._standing.pop(chair)
            chair.pace.restart()
            self.turn(chair, Turn(begin_s))
        await asyncio.sleep(max(0.0, end_s - self._recorder.clock()))

    @property
    def turns(self) -> int:
        """How many tables have come to a turn of a person, before anything is played."""
        return len(self._standing)

    @property
    def waiting(self) -> int:
        """Nothing waits here for a turn that is not known yet."""
        return 0

    @property
    def is_done(self) -> bool:
        """Whether no table can come to a turn any more that was meant for the time of the phase."""
        return not any(pace.owes(self._end_s) for pace in self._going())

    def close(self, end_s: float) -> Iterable[float]:
        """Return when moves were meant to be made for which no turn has come."""
        self._end_s = 0.0
        return [moment_s for pace in self._going() for moment_s in pace.owed(end_s)]

    def _going(self) -> set[Pace]:
        """Return the paces of the tables at which nobody's turn stands over to the next phase."""
        return {chair.pace for chair in self._chairs if chair not in self._standing}

    async def _due(self, chair: Chair, move: Move) -> None:
        wait_s = move.intended_s - self._recorder.clock()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
        await chair.move(move)


Conducting = Arrivals | Paces

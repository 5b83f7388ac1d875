"""What conducts the moves, with tables that answer at once."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise

import pytest

from junto.load.conducting import Arrivals, Paces
from junto.load.pace import Pace, Turn
from junto.load.profile import Think
from junto.load.recording import Move, Recorder

SPAN_S = 0.2


class QuickTable:
    """A table of one person whose turn comes again as soon as a move was made: a `Chair`, and what is behind it."""

    def __init__(self, conductor: Arrivals | Paces, recorder: Recorder, pace: Pace) -> None:
        self._conductor = conductor
        self._recorder = recorder
        self.pace = pace
        self.moves: list[Move] = []

    def turn(self) -> None:
        """Let it be the person's turn."""
        self._conductor.turn(self, Turn(self._recorder.clock()))  # type: ignore[arg-type]

    async def move(self, move: Move) -> None:
        """Take the move, and ask for the next one."""
        self._recorder.sent(move)
        self._recorder.accept(move, self._recorder.clock())
        self.moves.append(move)
        self.turn()


def quick_tables(conductor: Arrivals | Paces, recorder: Recorder, number: int, think: Think) -> list[QuickTable]:
    """Return tables at which it is the people's turn."""
    tables = [QuickTable(conductor, recorder, Pace(think, 0.01, random.Random(n))) for n in range(number)]
    for table in tables:
        table.turn()
    return tables


async def phase(conductor: Arrivals | Paces, recorder: Recorder, rate: float) -> tuple[float, float]:
    """Play for a moment until nothing is under way; return when it was."""
    begin_s = recorder.clock()
    recorder.begin(begin_s, begin_s + SPAN_S)
    await conductor.play(begin_s, begin_s + SPAN_S, rate, random.Random(1))
    async with asyncio.timeout(5):
        while not (recorder.is_settled and conductor.is_done):
            await asyncio.sleep(0)
    return begin_s, begin_s + SPAN_S


async def test_paces_make_the_moves_that_were_meant_and_no_others() -> None:
    """From one to the next it is a think time, however late they were sent; what is meant for later stays."""
    recorder = Recorder()
    paces = Paces(recorder)
    tables = quick_tables(paces, recorder, 3, Think(0.01, 0.02))
    begin_s, end_s = await phase(paces, recorder, 0.0)
    measured = recorder.close(paces.close(end_s), [])

    for table in tables:
        moments = [move.intended_s for move in table.moves]
        assert begin_s + 0.01 <= moments[0] <= begin_s + 0.02
        assert all(0.0099 < second - first < 0.0201 for first, second in pairwise(moments))
        assert end_s - 0.02 <= moments[-1] < end_s
    assert measured.counts["accepted"] == sum(len(table.moves) for table in tables) == recorder.accepted
    assert measured.counts["unanswered"] == 0


async def test_a_move_whose_turn_comes_late_is_waited_for_from_its_turn_on() -> None:
    """A phase is not over between a turn and its move, however short that is."""
    recorder = Recorder()
    paces = Paces(recorder)
    (table,) = quick_tables(paces, recorder, 1, Think(0.01, 0.02))
    begin_s = recorder.clock()
    recorder.begin(begin_s, begin_s + SPAN_S)
    playing = asyncio.create_task(paces.play(begin_s, begin_s + SPAN_S, 0.0, random.Random(1)))
    await asyncio.sleep(0)  # the turn that stood over is given out

    assert not table.moves
    assert not recorder.is_settled

    await playing
    await paces.moves.cancel()


@pytest.mark.parametrize("think", [Think(), Think(0.001, 0.002)])
async def test_every_arrival_finds_a_turn(think: Think) -> None:
    """All moves of the process are made, by whoever can, and none twice; two phases are two measurements."""
    recorder = Recorder()
    arrivals = Arrivals(think, recorder, random.Random(2))
    tables = quick_tables(arrivals, recorder, 2, think)
    counts = []
    for _ in range(2):
        _, end_s = await phase(arrivals, recorder, 200.0)
        counts.append(recorder.close(arrivals.close(end_s), []).counts["accepted"])
    await arrivals.moves.cancel()

    moments = [move.intended_s for table in tables for move in table.moves]
    assert sum(counts) == len(set(moments)) == len(moments) == recorder.accepted
    assert counts[0] == counts[1] > 20
    assert all(table.moves for table in tables)


async def test_a_seat_that_is_gone_makes_no_move() -> None:
    """Neither at once nor when it has thought; what arrives waits for others, and is given up in the end."""
    recorder = Recorder()
    for think in (Think(), Think(0.001, 0.001)):
        arrivals = Arrivals(think, recorder, random.Random(2))
        (table,) = quick_tables(arrivals, recorder, 1, think)
        arrivals.gone(table)  # type: ignore[arg-type]
        begin_s = recorder.clock()
        await arrivals.play(begin_s, begin_s + 0.05, 200.0, random.Random(1))

        assert arrivals.waiting > 0
        assert not arrivals.is_done
        assert len(list(arrivals.close(0.0))) > 0
        assert arrivals.is_done
        assert table.moves == []
        await arrivals.moves.cancel()
